import { expect, test } from "vitest";
import type { Decision } from "../../authorization/contract/authorizer.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { unsafeDeleter, unseenStatus } from "./unsafe-delete.ts";

const remove = async () => {};
const alice = { name: "alice", uid: "", groups: [], extra: {} };
const gvk = { group: "apps", version: "v1", kind: "Deployment" };

/** The verb for a user who wants to delete `deployments/b` unread, and what the authorizer is asked. */
function deleterFor(decision: Decision, deleteCorrupt?: typeof remove) {
  const asked: unknown[] = [];
  // The function reads only these parts.
  const scope = {
    gvk,
    resource: { ...gvk, resource: "deployments" },
    rest: { ...(deleteCorrupt && { deleteCorrupt }) },
  } as unknown as ResourceScope;
  const context = { info: { namespace: "a", name: "b" }, user: alice } as unknown as ResourceContext;
  const environment = {
    authorize: async (question: unknown) => {
      asked.push(question);
      return decision;
    },
  } as unknown as EndpointEnvironment;
  return { deleter: unsafeDeleter(scope, context, environment), asked, scope };
}

// Upstream: apiserver, pkg/endpoints/handlers/delete.go and pkg/registry/generic/registry/corrupt_obj_deleter.go.
test("users with the permission delete what cannot be read", async () => {
  const { deleter, asked } = deleterFor({ verdict: "allow", reason: "" }, remove);
  expect(await deleter).toBe(remove);
  expect(asked).toMatchObject([
    {
      user: alice,
      info: {
        verb: "unsafe-delete-ignore-read-errors",
        group: "apps",
        version: "v1",
        resource: "deployments",
        namespace: "a",
        name: "b",
      },
    },
  ]);
});

test.each(["deny", "noOpinion"] as const)("users without it do not: %s", async (verdict) => {
  await expect(deleterFor({ verdict, reason: "no" }, remove).deleter).rejects.toMatchObject({
    code: 403,
    message:
      'deployments.apps "b" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: no',
  });
});

test("a resource may have no such delete", async () => {
  await expect(deleterFor({ verdict: "allow", reason: "" }).deleter).rejects.toMatchObject({
    code: 500,
    message:
      "Internal error occurred: no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential",
  });
});

test("the answer names what is gone", () => {
  const { scope } = deleterFor({ verdict: "allow", reason: "" }, remove);
  expect(unseenStatus(scope, "b")).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: "b", kind: "Deployment" },
    code: 200,
  });
});

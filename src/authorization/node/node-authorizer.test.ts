import { expect, test } from "vitest";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { policyRule } from "../contract/policy-rule.ts";
import { resourceAttributes } from "../contract/resource-attributes.ts";
import { nodeAuthorization } from "./node-authorizer.ts";

const node = { name: "system:node:n", uid: "", groups: ["system:nodes"], extra: {} };
const lister = { get: () => undefined, list: () => [], follow: () => ({ next: () => undefined }) };
const roles = { of: () => [], allowing: () => undefined, role: () => undefined };

/** The mode Node, with a role that allows every node to read events. */
function authorizationOfNodes(...gates: readonly string[]) {
  let reads = 0;
  const authorization = nodeAuthorization({
    gates: { isEnabled: (gate) => gates.includes(gate) },
    nodeRules: () => {
      reads += 1;
      return [
        policyRule({ verbs: ["get"], apiGroups: [""], resources: ["events"] }),
        policyRule({ verbs: ["list"], apiGroups: [""], resources: ["pods"] }),
        policyRule({ verbs: ["get"], nonResourceURLs: ["/healthz"] }),
      ];
    },
  })({ lister, roles });
  const asked = (user: UserInfo, verb: string, resource: string) =>
    authorization.authorize(
      resourceAttributes(user, { verb, group: "", version: "v1", resource, namespace: "ns", name: "" }),
    );
  return { ...authorization, asked, reads: () => reads };
}

test("a node may do what its role says, which is read once", async () => {
  const { authorize, asked, reads } = authorizationOfNodes();
  expect(reads()).toBe(0);
  for (const _ of ["first", "later"]) {
    expect(await asked(node, "get", "events")).toEqual({ verdict: "allow", reason: "" });
    expect(await asked(node, "list", "events")).toEqual({ verdict: "noOpinion", reason: "" });
  }
  const path = (named: string) => ({
    user: node,
    info: { isResourceRequest: false, verb: "get", path: named } as const,
  });
  expect(await authorize(path("/healthz"))).toEqual({ verdict: "allow", reason: "" });
  expect(await authorize(path("/metrics"))).toEqual({ verdict: "noOpinion", reason: "" });
  expect(reads()).toBe(1);
  // The rules are loaded: from now on, an answer is not waited for.
  expect(asked(node, "get", "events")).toEqual({ verdict: "allow", reason: "" });
});

test("several first requests read the role once", async () => {
  const { asked, reads } = authorizationOfNodes();
  await Promise.all([asked(node, "get", "events"), asked(node, "get", "events")]);
  expect(reads()).toBe(1);
});

test.each([
  [[], "allow", ""],
  [["AuthorizeNodeWithSelectors"], "noOpinion", "can only list/watch pods with spec.nodeName field selector"],
])("with the gates %j, a list of all pods gets %s", async (gates, verdict, reason) => {
  expect(await authorizationOfNodes(...gates).asked(node, "list", "pods")).toEqual({ verdict, reason });
});

test.each([
  [[], "allow"],
  [["AuthorizeNodeWithSelectors"], "noOpinion"],
])("with the gates %j, a list of all slices of resources gets %s", async (gates, verdict) => {
  const question = { verb: "list", group: "resource.k8s.io", version: "v1", resource: "resourceslices" };
  const asked = resourceAttributes(node, { ...question, namespace: "", name: "" });
  expect(await authorizationOfNodes(...gates).authorize(asked)).toMatchObject({ verdict });
});

test.each<[string, Partial<UserInfo>, string]>([
  ["without the group", { groups: [] }, ""],
  ["with another prefix", { name: "node:n" }, ""],
  ["whose name ends with the prefix", { name: "x-system:node:" }, ""],
  ["without a name", { name: "system:node:" }, 'unknown node for user "system:node:"'],
])("a user %s is no node, and reads no role", async (_title, user, reason) => {
  const { asked, reads } = authorizationOfNodes();
  expect(await asked({ ...node, ...user }, "get", "events")).toEqual({ verdict: "noOpinion", reason });
  expect(reads()).toBe(0);
});

test("what a node may do cannot be listed; other users have no rules", () => {
  const { rulesFor } = authorizationOfNodes();
  expect(rulesFor(node, "ns")).toEqual({
    rules: [],
    isIncomplete: true,
    errors: ["node authorizer does not support user rule resolution"],
  });
  expect(rulesFor({ ...node, groups: [] }, "ns")).toEqual({ rules: [], isIncomplete: false, errors: [] });
});

import { describe, expect, test } from "vitest";
import type { Release } from "../../apimachinery/release.ts";
import type { Decision } from "../../authorization/contract/authorizer.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { parseRequestInfo } from "../../request/request-info.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext } from "../contract/scope.ts";
import { authorizeCreation } from "./authorize-creation.ts";
import { forbiddenRequest, sanitized } from "./forbidden-request.ts";

const alice = { name: "alice", uid: "", groups: [], extra: {} };

function refusal(method: string, path: string, reason = "", name = "alice") {
  const info = parseRequestInfo(method, path, new URLSearchParams());
  return forbiddenRequest({ ...alice, name }, info, reason);
}

describe("the error for a request without permission", () => {
  test.each([
    [
      "GET",
      "/api/v1/namespaces/a/pods/b",
      'pods "b" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "a"',
    ],
    [
      "GET",
      "/api/v1/namespaces/a/pods/b/log",
      'pods "b" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "a"',
    ],
    [
      "POST",
      "/apis/apps/v1/deployments",
      'deployments.apps is forbidden: User "alice" cannot create resource "deployments" in API group "apps" at the cluster scope',
    ],
    ["PUT", "/healthz", 'forbidden: User "alice" cannot put path "/healthz"'],
  ])("of %s %s says who cannot do what", (method, path, message) => {
    expect(refusal(method, path)).toMatchObject({ code: 403, message, status: { details: {} } });
    expect(refusal(method, path, "because <b>")).toMatchObject({ message: `${message}: because <b>` });
  });

  test("is no HTML, and browsers do not guess its type", () => {
    const { message, headers } = refusal("GET", "/<a>&", "", '<"b">');
    expect(message).toBe('forbidden: User "&lt;\\"b\\"&gt;" cannot get path "/&lt;a&gt;&amp;"');
    expect(headers).toEqual([["X-Content-Type-Options", "nosniff"]]);
    expect(sanitized("<a>&<a>&")).toBe("&lt;a&gt;&amp;&lt;a&gt;&amp;");
  });
});

describe("an update that creates", () => {
  const info = parseRequestInfo("PUT", "/apis/apps/v1/namespaces/a/deployments/b", new URLSearchParams());

  /** The verb that is asked for, and what the decision leads to. */
  async function creation(release: Release, decision: Decision) {
    const verbs: string[] = [];
    const authorize: EndpointEnvironment["authorize"] = async ({ info: asked }) => {
      verbs.push(asked.verb);
      return decision;
    };
    // The function reads nothing else.
    const context = { user: alice, info } as Partial<ResourceContext> as ResourceContext;
    const environment = { authorize, gates: featureGates(release) };
    const result = await authorizeCreation(
      context,
      environment as Partial<EndpointEnvironment> as EndpointEnvironment,
    ).catch((error: unknown) => error);
    expect(verbs).toEqual(["create"]);
    return result;
  }

  test("needs the permission to create", async () => {
    expect(await creation("1.32", { verdict: "allow", reason: "" })).toBeUndefined();
    for (const verdict of ["deny", "noOpinion"] as const) {
      expect(await creation("1.32", { verdict, reason: "no rule" })).toMatchObject({
        code: 403,
        message:
          'deployments.apps "b" is forbidden: User "alice" cannot create resource "deployments" in API group "apps" in the namespace "a": no rule',
        headers: [],
      });
    }
  });

  test("is refused in fewer words before 1.32", async () => {
    expect(await creation("1.31", { verdict: "deny", reason: "no rule" })).toMatchObject({
      code: 403,
      message: 'deployments.apps "b" is forbidden: no rule',
    });
  });

  test("fails with the authorizer, unless that allows it all the same", async () => {
    const error = "a role is missing";
    expect(await creation("1.32", { verdict: "noOpinion", reason: "", error })).toMatchObject({
      code: 500,
      message: `Internal error occurred: ${error}`,
    });
    expect(await creation("1.32", { verdict: "allow", reason: "", error })).toBeUndefined();
  });
});

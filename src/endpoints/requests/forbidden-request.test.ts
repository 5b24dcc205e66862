import { describe, expect, test } from "vitest";
import { parseRequestInfo } from "../../request/request-info.ts";
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
    expect(refusal(method, path)).toMatchObject({ code: 403, message });
    expect(refusal(method, path, "because <b>")).toMatchObject({ message: `${message}: because <b>` });
  });

  test("is no HTML, and browsers do not guess its type", () => {
    const { message, headers } = refusal("GET", "/<a>&", "", '<"b">');
    expect(message).toBe('forbidden: User "&lt;\\"b\\"&gt;" cannot get path "/&lt;a&gt;&amp;"');
    expect(headers).toEqual([["X-Content-Type-Options", "nosniff"]]);
    expect(sanitized("<a>&<a>&")).toBe("&lt;a&gt;&amp;&lt;a&gt;&amp;");
  });
});

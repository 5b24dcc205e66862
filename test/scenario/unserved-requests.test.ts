import { expect, test } from "vitest";
import { type LoggedRequest, openEntry } from "../../src/scenario/logged-request.ts";
import { checkUnserved, UnservedRequestError } from "../../src/scenario/unserved-requests.ts";

function request(group: string, version: string, resource: string, path?: string): LoggedRequest {
  const target = path ?? `/apis/${group}/${version}/${resource}`;
  const arrival = { method: "GET", target, remoteAddress: "", userAgent: "", auditId: "1", receivedAt: 0 };
  return { ...openEntry(arrival), path: target, group, version, resource, user: "alice" };
}

const beginning = (path: string) => `GET ${path} as alice: Kubernetes 1.32 does not serve this path`;

test.each([
  [
    "a resource that older releases served",
    request("policy", "v1beta1", "poddisruptionbudgets"),
    `${beginning("/apis/policy/v1beta1/poddisruptionbudgets")}, 1.16 to 1.24 do. ` +
      'To use it: createCluster({ release: "1.24" })',
  ],
  [
    "a resource that newer releases serve",
    request("resource.k8s.io", "v1", "resourceclaims"),
    `${beginning("/apis/resource.k8s.io/v1/resourceclaims")}, 1.34 and later do. ` +
      'To use it: createCluster({ release: "1.34" })',
  ],
  [
    "a resource that is disabled by default",
    request("resource.k8s.io", "v1beta1", "resourceclaims"),
    `${beginning("/apis/resource.k8s.io/v1beta1/resourceclaims")}, 1.32 and later do. ` +
      'To use it: createCluster({ runtimeConfig: new Map([["resource.k8s.io/v1beta1", true]]) })',
  ],
  [
    "an unknown resource",
    request("example.com", "v1", "widgets"),
    `${beginning("/apis/example.com/v1/widgets")}.`,
  ],
  ["an unknown path", request("", "", "", "/favicon.ico"), `${beginning("/favicon.ico")}.`],
])("%s", (_title, unserved, message) => {
  const allow = `\n  To allow it: allowUnserved: ["${unserved.path}"]`;
  expect(() => checkUnserved([unserved, unserved], [], "1.32")).toThrow(
    new UnservedRequestError(message + allow),
  );
});

test.each([
  ["every path", true],
  ["a path", ["/apis/example.com/v1/widgets"]],
  ["a pattern", [/example\.com/]],
  ["a pattern with the flag g, for each request", [/example\.com/g]],
])("%s can be allowed", (_title, allowed) => {
  const unserved = request("example.com", "v1", "widgets");
  expect(() => checkUnserved([unserved, unserved], allowed, "1.32")).not.toThrow();
});

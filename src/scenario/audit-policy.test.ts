import { describe, expect, test } from "vitest";
import { sinceOf } from "../apimachinery/release.ts";
import { readAuditPolicy } from "./audit-policy.ts";
import { type LoggedRequest, openEntry } from "./logged-request.ts";

const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

function read(rules: string) {
  return readAuditPolicy(`${head}${rules}`, sinceOf("1.32"));
}

function request(members: Partial<LoggedRequest>): LoggedRequest {
  const arrival = { method: "GET", target: "", remoteAddress: "", userAgent: "", auditId: "", receivedAt: 0 };
  return { ...openEntry(arrival), verb: "get", version: "v1", ...members };
}

const alice = { name: "alice", uid: "", groups: ["dev"], extra: {} };

describe("a rule applies to a request by", () => {
  test.each<[string, string, Partial<LoggedRequest>, boolean]>([
    ["nothing", "", { resource: "pods" }, true],
    ["user", "users: [alice]", { user: "alice" }, true],
    ["another user", "users: [alice]", { user: "bob" }, false],
    ["group", "userGroups: [dev, ops]", { user: "alice", userInfo: alice }, true],
    ["another group", "userGroups: [ops]", { user: "alice", userInfo: alice }, false],
    ["group without authentication", "userGroups: [dev]", {}, false],
    ["verb", "verbs: [list, get]", { resource: "pods" }, true],
    ["another verb", "verbs: [list]", { resource: "pods" }, false],
    ["namespace", "namespaces: [shop]", { resource: "pods", namespace: "shop" }, true],
    ["another namespace", "namespaces: [shop]", { resource: "pods", namespace: "default" }, false],
    ["no namespace", 'namespaces: [""]', { resource: "nodes" }, true],
    ["group of resources", "resources: [{ group: apps }]", { group: "apps", resource: "deployments" }, true],
    ["another group of resources", "resources: [{ group: apps }]", { resource: "pods" }, false],
    ["resource", "resources: [{ resources: [pods] }]", { resource: "pods" }, true],
    ["subresource", "resources: [{ resources: [pods] }]", { resource: "pods", subresource: "log" }, false],
    ["any resource", 'resources: [{ resources: ["*"] }]', { resource: "pods", subresource: "log" }, true],
    ["any subresource", 'resources: [{ resources: ["pods/*"] }]', { resource: "pods" }, true],
    [
      "the subresource of any resource",
      'resources: [{ resources: ["*/log"] }]',
      { resource: "pods", subresource: "log" },
      true,
    ],
    [
      "the name of an object",
      "resources: [{ resources: [pods], resourceNames: [web] }]",
      { resource: "pods", name: "web" },
      true,
    ],
    [
      "the name of another object",
      "resources: [{ resources: [pods], resourceNames: [web] }]",
      { resource: "pods", name: "db" },
      false,
    ],
    ["path", "nonResourceURLs: [/healthz]", { path: "/healthz" }, true],
    ["the beginning of a path", "nonResourceURLs: [/healthz*]", { path: "/healthz/etcd" }, true],
    ["another path", "nonResourceURLs: [/healthz]", { path: "/healthz/etcd" }, false],
    ["a path of a resource", 'nonResourceURLs: ["*"]', { path: "/api/v1/pods", resource: "pods" }, false],
  ])("%s", (_title, rule, members, expected) => {
    const { policy } = read(`rules:\n- level: Metadata\n  ${rule}\n`);
    expect(policy.decide(request(members)) !== undefined).toBe(expected);
  });
});

test("the first rule that applies decides, with the stages of the policy and its own", () => {
  const { policy } = read(`omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: None
  users: [alice]
- level: Request
  omitStages: [ResponseStarted]
  omitManagedFields: false
- level: RequestResponse
`);
  expect(policy.decide(request({ user: "alice" }))?.level).toBe("None");
  expect(policy.decide(request({ user: "bob" }))).toMatchObject({
    level: "Request",
    omitStages: new Set(["RequestReceived", "ResponseStarted"]),
    omitManagedFields: false,
  });
  expect(policy.highest).toBe("RequestResponse");
});

test.each([
  ["no rules", "rules: []", "loaded illegal policy with 0 rules"],
  ["a rule without a level", "rules: [{ users: [a] }]", "rules[0].level: Required value"],
  [
    "an unknown level",
    "rules: [{ level: All }]",
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    "a relative path and a wildcard in the middle",
    'rules: [{ level: None, nonResourceURLs: [api, "/a*b"] }]',
    `[rules[0].nonResourceURLs[0]: Invalid value: "api": non-resource URL rules must begin with a '/' character, rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule]`,
  ],
  [
    "paths and resources",
    "rules: [{ level: None, nonResourceURLs: [/a], namespaces: [b] }]",
    'rules[0].nonResourceURLs: Invalid value: []string{"/a"}: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    "names without a resource",
    "rules: [{ level: None, resources: [{ resourceNames: [a] }] }]",
    'rules[0].resources.resourceNames: Invalid value: []string{"a"}: using resourceNames requires at least one resource',
  ],
  [
    "an unknown stage",
    "rules: [{ level: None, omitStages: [Started] }]",
    'rules[0].omitStages[0]: Invalid value: "Started": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
])("%s is an error", (_title, rules, message) => {
  expect(() => read(rules)).toThrow(new Error(message));
});

test("a group with a version is an error", () => {
  expect(() => read("rules: [{ level: None, resources: [{ group: apps/v1 }] }]")).toThrow(
    /^rules\[0\]\.resources\.group: Invalid value: "apps\/v1": a lowercase RFC 1123 subdomain/,
  );
});

test("another kind is an error", () => {
  expect(() => readAuditPolicy("kind: Policy\n", sinceOf("1.32"))).toThrow(
    'failed decoding: no kind "Policy" is registered for version ""',
  );
});

test("members that a policy does not have are warnings with the nearest name", () => {
  const { warnings } = read(
    "rules: [{ level: None, verb: [get], resources: [{ names: [a] }] }]\nomitStage: []\n",
  );
  expect(warnings).toEqual([
    'unknown field "omitStage"; did you mean omitStages?',
    'unknown field "rules[0].verb"; did you mean verbs?',
    'unknown field "rules[0].resources[0].names"',
  ]);
});

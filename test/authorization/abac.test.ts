import { describe, expect, test } from "vitest";
import { abac } from "../../src/authorization/abac/abac.ts";
import { parsePolicyFile } from "../../src/authorization/abac/policy-file.ts";
import { policyRuleObject } from "../../src/authorization/contract/policy-rule.ts";
import { resourceAttributes } from "../../src/authorization/contract/resource-attributes.ts";
import { quietCluster, testClient } from "../registry/test-client.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const alice = { name: "alice", uid: "", groups: ["dev", "system:authenticated"], extra: {} };
const policy = (spec: object) =>
  JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });

interface Question {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly path?: string;
}

/** Whether alice may do it: by default, get pods of the core group in the namespace "ns". */
async function isAllowed(file: string, { path, ...asked }: Question = {}): Promise<boolean> {
  const { authorize } = abac(parsePolicyFile(file, "policies"))(stateOf(new PlainLister()));
  const question = { verb: "get", group: "", resource: "pods", namespace: "ns", ...asked };
  const attributes =
    path === undefined
      ? resourceAttributes(alice, { version: "v1", name: "", ...question })
      : { user: alice, info: { isResourceRequest: false as const, path, verb: question.verb } };
  const { verdict, reason } = await authorize(attributes);
  expect(reason).toBe(verdict === "allow" ? "" : "No policy matched.");
  return verdict === "allow";
}

const all = { namespace: "*", resource: "*", apiGroup: "*" };

describe("a policy", () => {
  test.each<[string, object, Question, boolean]>([
    ["for a user", { user: "alice", ...all }, {}, true],
    ["for another user", { user: "bob", ...all }, {}, false],
    ["for a group", { group: "dev", ...all }, {}, true],
    ["for a user in a group that the user is not in", { user: "alice", group: "ops", ...all }, {}, false],
    ["for nobody", all, {}, false],
    ["for every user", { user: "*", ...all }, {}, true],
    ["for every group", { group: "*", ...all }, {}, true],
    ["for every user of a group that alice is not in", { user: "*", group: "ops", ...all }, {}, true],
    ["to read, for a list", { user: "alice", readonly: true, ...all }, { verb: "list" }, true],
    ["to read, for a get", { user: "alice", readonly: true, ...all }, { verb: "get" }, true],
    ["to read", { user: "alice", readonly: true, ...all }, { verb: "watch" }, true],
    ["to read, for a write", { user: "alice", readonly: true, ...all }, { verb: "delete" }, false],
    ["for a namespace", { user: "alice", ...all, namespace: "ns" }, {}, true],
    ["for another namespace", { user: "alice", ...all, namespace: "other" }, {}, false],
    ["without a namespace", { user: "alice", ...all, namespace: "" }, {}, false],
    [
      "without a namespace, for the cluster",
      { user: "alice", ...all, namespace: "" },
      { namespace: "" },
      true,
    ],
    ["for another resource", { user: "alice", ...all, resource: "secrets" }, {}, false],
    ["without a resource", { user: "alice", ...all, resource: "" }, {}, false],
    ["for another group", { user: "alice", ...all, apiGroup: "apps" }, {}, false],
    ["for resources, for a path", { user: "alice", ...all }, { path: "/healthz" }, false],
    ["for a path", { user: "alice", nonResourcePath: "/healthz" }, { path: "/healthz" }, true],
    ["for paths below one", { user: "alice", nonResourcePath: "/api*" }, { path: "/apis" }, true],
    ["for every path", { user: "alice", nonResourcePath: "*" }, { path: "/x" }, true],
    ["for a path, for a resource", { user: "alice", nonResourcePath: "*" }, {}, false],
  ])("%s", async (_title, spec, asked, expected) => {
    expect(await isAllowed(policy(spec), asked)).toBe(expected);
  });
});

describe("a policy without a version", () => {
  test.each<[string, object, Question, boolean]>([
    ["allows everything to all users", {}, { group: "apps", verb: "delete" }, true],
    ["allows every path", {}, { path: "/x" }, true],
    ["of a user restricts nothing else", { user: "alice" }, { group: "apps" }, true],
    ["of another user", { user: "bob" }, {}, false],
    ["for a resource allows no paths", { user: "alice", resource: "pods" }, { path: "/x" }, false],
    ["for a resource holds in all namespaces and groups", { resource: "pods" }, { group: "x" }, true],
    ["for a namespace", { namespace: "other" }, {}, false],
    ["for a namespace allows no paths", { user: "alice", namespace: "ns" }, { path: "/x" }, false],
    ["with a kind", { kind: "Policy", user: "alice" }, {}, true],
    ["of a group", { group: "dev" }, {}, true],
    ["of another group", { group: "ops" }, {}, false],
  ])("%s", async (_title, object, asked, expected) => {
    expect(await isAllowed(JSON.stringify(object), asked)).toBe(expected);
  });
});

test("every line counts, but for blank ones and comments", async () => {
  const lines = [
    "# a comment",
    "",
    "   ",
    policy({ user: "bob", ...all }),
    `  ${policy({ user: "alice", ...all })}\r`,
  ];
  expect(await isAllowed(lines.join("\n"))).toBe(true);
});

test.each([
  ["{", "unexpected end of JSON input"],
  ['{"apiVersion":"v1","kind":"Pod"}', 'no kind "Pod" is registered for version "v1"'],
  ['{"apiVersion":"v1","kind":"Policy"}', 'no kind "Policy" is registered for version "v1"'],
  [
    '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Pod"}',
    'no kind "Pod" is registered for version "abac.authorization.kubernetes.io/v1beta1"',
  ],
  ["[]", "couldn't get version/kind"],
])("a line %s is an error with its number", (line, problem) => {
  const read = () => parsePolicyFile(`${policy(all)}\n${line}`, "/etc/policies");
  expect(read).toThrow(`error reading policy file /etc/policies, line 2: ${line}: `);
  expect(read).toThrow(problem);
});

test("a policy of a user counts for that user without a group", async () => {
  const { authorize } = abac(parsePolicyFile('{"user":"bob"}', ""))(stateOf(new PlainLister()));
  const bob = { name: "bob", uid: "", groups: [], extra: {} };
  const info = { isResourceRequest: false, path: "/x", verb: "get" } as const;
  expect(await authorize({ user: bob, info })).toEqual({ verdict: "allow", reason: "" });
});

test("the rules of a user are those of its policies for the namespace", () => {
  const lines = [
    policy({ user: "alice", ...all, namespace: "ns" }),
    policy({ user: "alice", ...all, namespace: "other", resource: "secrets" }),
    policy({ user: "bob", ...all, resource: "nodes" }),
    '{"user":"alice","resource":"pods"}',
  ];
  const { rulesFor } = abac(parsePolicyFile(lines.join("\n"), ""))(stateOf(new PlainLister()));
  const { rules, isIncomplete, errors } = rulesFor(alice, "ns");
  expect({ isIncomplete, errors }).toEqual({ isIncomplete: false, errors: [] });
  expect(rules.map(policyRuleObject)).toEqual([
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], apiGroups: ["*"], resources: ["pods"] },
  ]);
});

test("a cluster reads the policies, and lists them as rules", async () => {
  const file = [
    policy({ user: "alice", readonly: true, ...all, resource: "pods" }),
    policy({ group: "system:authenticated", ...all, apiGroup: "authorization.k8s.io" }),
    policy({ user: "alice", namespace: "*", nonResourcePath: "/version" }),
  ].join("\n");
  const cluster = quietCluster({ authorizationMode: "ABAC", authorizationPolicy: file });
  const send = testClient(cluster, "alice", []);
  expect((await send("GET", "/api/v1/pods")).code).toBe(200);
  expect((await send("GET", "/api/v1/secrets")).findings).toEqual([
    'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" at the cluster scope: No policy matched.',
  ]);
  const review = { spec: { namespace: "default" } };
  const { object } = await send("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", review);
  expect(object.status).toEqual({
    resourceRules: [
      { verbs: ["get", "list", "watch"], apiGroups: ["*"], resources: ["pods"] },
      { verbs: ["*"], apiGroups: ["authorization.k8s.io"], resources: ["*"] },
    ],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/version"] }],
    incomplete: false,
  });
});

test.each([
  [{ authorizationMode: "ABAC" as const }, "authorization-mode ABAC's authorization policy file not passed"],
  [{ authorizationPolicy: "" }, "cannot specify --authorization-policy-file without mode ABAC"],
])("the mode and the policies go together: %s", (options, problem) => {
  expect(() => quietCluster(options)).toThrow(problem);
});

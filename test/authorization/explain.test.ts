import { beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type ExplainedAccess, type ExplainedUser } from "../../src/index.ts";

const group = "rbac.authorization.k8s.io";
const role = (kind: "Role" | "ClusterRole", name: string, rule: object) => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, ...(kind === "Role" && { namespace: "shop" }) },
  rules: [{ verbs: ["update"], apiGroups: [""], resources: ["nodes"] }, rule],
});
const binding = (kind: "RoleBinding" | "ClusterRoleBinding", name: string, ref: string, subject: object) => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, ...(kind === "RoleBinding" && { namespace: "shop" }) },
  roleRef: { apiGroup: group, kind: ref.split(" ")[0], name: ref.split(" ")[1] },
  subjects: [subject],
});

const policy = { user: "robot", namespace: "shop", resource: "secrets", apiGroup: "*", readonly: true };

let cluster: Cluster;

beforeAll(() => {
  cluster = createCluster({
    controllers: [],
    authorizationMode: ["Node", "ABAC", "RBAC"],
    authorizationPolicy: JSON.stringify({
      apiVersion: "abac.authorization.kubernetes.io/v1beta1",
      kind: "Policy",
      spec: policy,
    }),
    objects: [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
      role("Role", "reader", { verbs: ["get"], apiGroups: [""], resources: ["pods", "pods/log"] }),
      role("ClusterRole", "prober", { verbs: ["get"], nonResourceURLs: ["/metrics/*"] }),
      binding("RoleBinding", "readers", "Role reader", { kind: "ServiceAccount", name: "ci" }),
      binding("RoleBinding", "lost", "Role gone", { kind: "User", name: "bob", apiGroup: group }),
      binding("RoleBinding", "views", "ClusterRole system:aggregate-to-view", {
        kind: "User",
        name: "bob",
        apiGroup: group,
      }),
      binding("ClusterRoleBinding", "probers", "ClusterRole prober", {
        kind: "Group",
        name: "system:serviceaccounts:shop",
        apiGroup: group,
      }),
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "web", namespace: "shop" },
        spec: {
          nodeName: "n1",
          containers: [{ name: "c", image: "i", envFrom: [{ secretRef: { name: "key" } }] }],
        },
      },
    ],
  });
  return () => cluster.close();
});

const robot = "system:serviceaccount:shop:ci";
const node = { name: "system:node:n1", groups: ["system:nodes"] };

describe("a grant", () => {
  test("of a RoleBinding names its subject, the role and the rule", async () => {
    const access = { verb: "get", resource: "pods", subresource: "log", namespace: "shop", name: "web" };
    const reason = 'RBAC: allowed by RoleBinding "readers/shop" of Role "reader" to ServiceAccount "ci/shop"';
    const rule = { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get"] };
    expect(await cluster.explain(robot, access)).toEqual({
      isAllowed: true,
      verdicts: [
        { mode: "system:masters", verdict: "noOpinion", reason: "" },
        { mode: "Node", verdict: "noOpinion", reason: "" },
        { mode: "ABAC", verdict: "noOpinion", reason: "No policy matched." },
        { mode: "RBAC", verdict: "allow", reason },
      ],
      grant: {
        binding: { kind: "RoleBinding", name: "readers", namespace: "shop" },
        role: { kind: "Role", name: "reader", namespace: "shop" },
        subject: { kind: "ServiceAccount", name: "ci", namespace: "shop" },
        rule,
      },
      text: [
        `User "${robot}" can get resource "pods/log" "web" in API group "" in the namespace "shop"`,
        "  system:masters: no opinion",
        "  Node: no opinion",
        "  ABAC: no opinion: No policy matched.",
        `  RBAC: allowed: ${reason}`,
        `Allowed by the rule ${JSON.stringify(rule)}`,
      ].join("\n"),
    });
  });

  test("to a group of every service account applies without the group being given", async () => {
    const { grant } = await cluster.explain(robot, { verb: "get", path: "/metrics/cadvisor" });
    expect(grant).toEqual({
      binding: { kind: "ClusterRoleBinding", name: "probers" },
      role: { kind: "ClusterRole", name: "prober" },
      subject: { kind: "Group", name: "system:serviceaccounts:shop" },
      rule: { nonResourceURLs: ["/metrics/*"], verbs: ["get"] },
    });
  });

  test("of a ClusterRole in a namespace names the role without the namespace", async () => {
    const { grant } = await cluster.explain("bob", { verb: "list", resource: "pods", namespace: "shop" });
    expect(grant?.binding).toEqual({ kind: "RoleBinding", name: "views", namespace: "shop" });
    expect(grant?.role).toEqual({ kind: "ClusterRole", name: "system:aggregate-to-view" });
    expect(grant?.subject).toEqual({ kind: "User", name: "bob" });
  });
});

describe("the modes that allow without a reason say why", () => {
  const secret = { verb: "get", resource: "secrets", namespace: "shop", name: "key" };
  test.each<[string, ExplainedUser, ExplainedAccess, string, string]>([
    [
      "system:masters",
      { name: "root", groups: ["system:masters"] },
      { verb: "delete", resource: "nodes" },
      "system:masters",
      "members of system:masters may do everything",
    ],
    ["what pods reach", node, secret, "Node", 'the pods of node "n1" reach this object'],
    [
      "the own object",
      node,
      { verb: "get", group: "storage.k8s.io", resource: "csinodes", name: "n1" },
      "Node",
      'the object belongs to node "n1"',
    ],
    [
      "what every node may do",
      node,
      { verb: "list", resource: "services" },
      "Node",
      "every node may do this",
    ],
    [
      "a policy of ABAC",
      "robot",
      { ...secret, verb: "list" },
      "ABAC",
      `allowed by the policy {"user":"robot","readonly":true,"apiGroup":"*","resource":"secrets","namespace":"shop"}`,
    ],
  ])("%s", async (_title, user, access, mode, reason) => {
    const { isAllowed, verdicts, grant, missing } = await cluster.explain(user, access);
    expect(isAllowed).toBe(true);
    expect(verdicts.at(-1)).toEqual({ mode, verdict: "allow", reason });
    expect([grant, missing]).toEqual([undefined, undefined]);
  });

  test("AlwaysAllow", async () => {
    await using open = createCluster({ controllers: [] });
    expect((await open.explain("alice", { verb: "get", path: "/" })).text).toBe(
      'User "alice" can get path "/"\n  system:masters: no opinion\n  AlwaysAllow: allowed: every request is allowed',
    );
  });
});

describe("a refusal names the smallest role that would allow it", () => {
  test.each<[string, ExplainedAccess, object]>([
    [
      "one object in a namespace",
      {
        verb: "patch",
        group: "apps",
        resource: "deployments",
        subresource: "scale",
        namespace: "shop",
        name: "web",
      },
      {
        kind: "Role",
        namespace: "shop",
        rule: {
          apiGroups: ["apps"],
          resources: ["deployments/scale"],
          resourceNames: ["web"],
          verbs: ["patch"],
        },
      },
    ],
    [
      "all objects of the cluster",
      { verb: "watch", resource: "nodes" },
      { kind: "ClusterRole", rule: { apiGroups: [""], resources: ["nodes"], verbs: ["watch"] } },
    ],
    [
      "a path",
      { verb: "get", path: "/metrics" },
      { kind: "ClusterRole", rule: { nonResourceURLs: ["/metrics"], verbs: ["get"] } },
    ],
  ])("%s", async (_title, access, missing) => {
    const explained = await cluster.explain("alice", access);
    expect(explained).toMatchObject({ isAllowed: false, missing });
    expect(explained.text).toContain(
      `would allow it with the rule ${JSON.stringify(explained.missing?.rule)}`,
    );
  });

  test("and the reasons of all modes", async () => {
    const access = { verb: "get", resource: "secrets", namespace: "shop", name: "other" };
    const { verdicts, text } = await cluster.explain({ ...node, groups: [...node.groups] }, access);
    expect(verdicts.map(({ mode, reason }) => [mode, reason])).toEqual([
      ["system:masters", ""],
      ["Node", "no relationship found between node 'n1' and this object"],
      ["ABAC", "No policy matched."],
      ["RBAC", ""],
    ]);
    expect(text).toContain('A Role in the namespace "shop" would allow it with the rule ');
  });

  test("but no role if the mode RBAC is not asked", async () => {
    await using closed = createCluster({ controllers: [], authorizationMode: "AlwaysDeny" });
    const explained = await closed.explain("alice", { verb: "get", resource: "pods", namespace: "default" });
    expect(explained).toEqual({
      isAllowed: false,
      verdicts: [
        { mode: "system:masters", verdict: "noOpinion", reason: "" },
        { mode: "AlwaysDeny", verdict: "noOpinion", reason: "Everything is forbidden." },
      ],
      text: expect.any(String),
    });
  });
});

test("the decision is that of the server", async () => {
  const reader = cluster.as("bob");
  const granted = await cluster.explain("bob", {
    verb: "get",
    resource: "pods",
    namespace: "shop",
    name: "web",
  });
  expect(granted.isAllowed).toBe(true);
  await expect(reader.get("v1", "Pod", "web", { namespace: "shop" })).resolves.toBeDefined();
  const refused = await cluster.explain("bob", {
    verb: "delete",
    resource: "pods",
    namespace: "shop",
    name: "web",
  });
  expect(refused.isAllowed).toBe(false);
  await expect(reader.delete("v1", "Pod", "web", { namespace: "shop" })).rejects.toThrow(/forbidden/);
});

test.each<[unknown, unknown, RegExp]>([
  [7, { verb: "get", path: "/" }, /the name of the user must be text/],
  ["a", { verb: "get", path: "metrics" }, /path must be a path, such as \/healthz/],
  ["a", { verb: "get", resource: "pods/log" }, /a subresource is an option of its own/],
  ["a", { resource: "pods" }, /needs the option verb/],
  ["a", { verb: "get", resource: "pods", nmae: "x" }, /unknown option "nmae"; did you mean "name"\?/],
  [
    { name: "a", group: ["b"] },
    { verb: "get", path: "/" },
    /unknown option "group"; did you mean "groups"\?/,
  ],
  ["a", null, /the options must be an object/],
])("explain(%j, %j) is refused", async (user, access, message) => {
  await expect(cluster.explain(user as ExplainedUser, access as ExplainedAccess)).rejects.toThrow(message);
});

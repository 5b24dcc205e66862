import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { toBeLeastPrivilege } from "../../src/runners/cluster-matchers.ts";
import { permissionRevoked } from "../../src/scenario/presets.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = createCluster({ controllers: [], authorizationMode: "RBAC" });
  return () => cluster.close();
});

const masters = { groups: ["system:masters"] };
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const rulesOf = async (user: string) => {
  const { roles } = await cluster.requests.leastPrivilege({ user });
  return roles.map(({ kind, metadata, rules }) => ({ kind, ...(metadata as object), rules }));
};

describe("the smallest roles", () => {
  test("allow what was allowed and what was refused, but not what all users may do", async () => {
    const alice = cluster.as("alice");
    const ask = (path: string) =>
      cluster.fetch(`https://cluster.test${path}`, {
        headers: { authorization: `Bearer ${cluster.token("alice")}` },
      });
    for (const path of ["/api", "/apis", "/version", "/metrics"]) await ask(path);
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" };
    const resourceAttributes = { verb: "get", resource: "pods" };
    await alice.create({ ...review, metadata: {}, spec: { resourceAttributes } });
    await expect(alice.list("v1", "Pod")).rejects.toThrow(/forbidden/);
    expect(await rulesOf("alice")).toEqual([
      {
        kind: "ClusterRole",
        name: "alice",
        rules: [
          { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
          { nonResourceURLs: ["/metrics"], verbs: ["get"] },
        ],
      },
    ]);
  });

  test("allow to create where an update or an apply has created", async () => {
    const root = cluster.as("root", masters);
    await root.apply(configMap("new"));
    await root.apply(configMap("new"));
    const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["new"] };
    const role = { kind: "Role", name: "root", namespace: "default" };
    expect(await rulesOf("root")).toEqual([{ ...role, rules: [{ ...rule, verbs: ["create", "patch"] }] }]);
    cluster.requests.clear();
    await root.apply(configMap("new"));
    expect(await rulesOf("root")).toEqual([{ ...role, rules: [{ ...rule, verbs: ["patch"] }] }]);
  });

  test("allow to be another user, whose requests count as that user's", async () => {
    const headers = {
      authorization: `Bearer ${cluster.token("root", masters)}`,
      "impersonate-user": "system:serviceaccount:shop:ci",
      "impersonate-group": "system:masters",
      "impersonate-extra-scopes": "view",
      "impersonate-uid": "u-1",
    };
    await cluster.fetch("https://cluster.test/api/v1/nodes", { headers });
    const [own] = await rulesOf("root");
    expect(own).toEqual({ kind: "Role", name: "root", namespace: "shop", rules: expect.any(Array) });
    const { roles } = await cluster.requests.leastPrivilege({ user: "root" });
    expect(roles.map(({ rules }) => rules)).toEqual([
      [{ apiGroups: [""], resources: ["serviceaccounts"], resourceNames: ["ci"], verbs: ["impersonate"] }],
      [
        { apiGroups: [""], resources: ["groups"], resourceNames: ["system:masters"], verbs: ["impersonate"] },
        {
          apiGroups: ["authentication.k8s.io"],
          resources: ["uids"],
          resourceNames: ["u-1"],
          verbs: ["impersonate"],
        },
        {
          apiGroups: ["authentication.k8s.io"],
          resources: ["userextras/scopes"],
          resourceNames: ["view"],
          verbs: ["impersonate"],
        },
      ],
    ]);
    expect(await rulesOf("system:serviceaccount:shop:ci")).toEqual([
      {
        kind: "ClusterRole",
        name: "system:serviceaccount:shop:ci",
        rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"] }],
      },
    ]);
  });

  test("bind to the user that has them, who then may do the same", async () => {
    const ci = cluster.as("ci");
    const work = async () => {
      await ci.create(configMap("a"));
      await ci.get("v1", "ConfigMap", "a");
      await ci.list("v1", "ConfigMap", { namespace: "default" });
      await ci.patch("v1", "ConfigMap", "a", { data: { b: "c" } });
      await ci.deleteCollection("v1", "ConfigMap");
    };
    const root = cluster.as("root", masters);
    for (const step of [
      () => root.create(configMap("a")),
      () => root.get("v1", "ConfigMap", "a"),
      () => root.list("v1", "ConfigMap", { namespace: "default" }),
      () => root.patch("v1", "ConfigMap", "a", {}),
      () => root.deleteCollection("v1", "ConfigMap"),
    ])
      await step();
    await expect(work()).rejects.toThrow(/forbidden/);
    const { yaml } = await cluster.requests.leastPrivilege({ user: "root", name: "worker" });
    const subjects = [{ kind: "User", name: "ci", apiGroup: "rbac.authorization.k8s.io" }];
    await cluster.load(yaml);
    await cluster.create({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "workers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "worker" },
      subjects,
    });
    await work();
    await expect(ci.delete("v1", "ConfigMap", "a")).rejects.toThrow(/forbidden/);
  });

  test("are none for what every user may do", async () => {
    await cluster.fetch("https://cluster.test/healthz");
    const { roles, yaml } = await cluster.requests.leastPrivilege({ user: "system:anonymous" });
    expect([roles, yaml]).toEqual([[], "# No role is needed: every user may do this.\n"]);
  });

  test("have a name that a path can have", async () => {
    await cluster.as("https://issuer/alice%", masters).list("v1", "Node");
    expect(await rulesOf("https://issuer/alice%")).toMatchObject([{ name: "https:--issuer-alice-" }]);
  });

  test("say that the log has lost requests", async () => {
    const root = cluster.as("root", masters);
    for (let n = 0; n < 2100; n++) await root.get("v1", "Namespace", "default");
    expect(cluster.requests.lost).toBe(1000);
    const { lost, yaml } = await cluster.requests.leastPrivilege({ user: "root" });
    expect(lost).toBe(1000);
    expect(yaml).toMatch(
      /^# 1000 requests are not in the log: the roles may lack what these needed\.\napiVersion:/,
    );
    const { pass, message } = await toBeLeastPrivilege(cluster, yaml, {});
    expect(pass).toBe(false);
    expect(message()).toContain("1000 requests are not in the log");
    cluster.requests.clear();
    expect(cluster.requests.lost).toBe(0);
  });
});

describe("a comparison", () => {
  const clusterRole = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
  };
  const binding = (kind: "RoleBinding" | "ClusterRoleBinding", name = "reader") => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name: "b", ...(kind === "RoleBinding" && { namespace: "shop" }) },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  });
  const missing = [expect.stringMatching(/needed a Role in the namespace "default"/)];
  const unused = [expect.stringMatching(/^ClusterRole reader allows /)];

  test.each<[string, readonly object[], object]>([
    ["without a binding, everywhere", [], { missing: [], unused: [] }],
    ["with a ClusterRoleBinding, everywhere", [binding("ClusterRoleBinding")], { missing: [], unused: [] }],
    ["with a RoleBinding, in its namespace", [binding("RoleBinding")], { missing, unused }],
    [
      "with both, everywhere",
      [binding("RoleBinding"), binding("ClusterRoleBinding")],
      { missing: [], unused: [] },
    ],
    [
      "with the binding of another role, everywhere",
      [binding("RoleBinding", "x")],
      { missing: [], unused: [] },
    ],
  ])("counts a ClusterRole %s", async (_title, bindings, expected) => {
    const root = cluster.as("root", masters);
    await root.list("v1", "ConfigMap", { namespace: "default" });
    const found = await cluster.requests.compareRoles([clusterRole, ...bindings]);
    expect(found).toEqual({ user: "root", lost: 0, ...expected });
  });

  test("takes a Role without a namespace as one of the namespace default", async () => {
    await cluster.as("root", masters).list("v1", "ConfigMap", { namespace: "default" });
    const { missing, unused } = await cluster.requests.compareRoles({ ...clusterRole, kind: "Role" });
    expect([missing, unused]).toEqual([[], []]);
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["no role", () => cluster.requests.compareRoles(configMap("a"), { user: "root" }), /neither a Role nor/],
    [
      "an unknown user",
      () => cluster.requests.compareRoles(clusterRole, { user: "bob" }),
      /no request of the user "bob"; it has those of "root", "alice"/,
    ],
    [
      "no user among several",
      () => cluster.requests.compareRoles(clusterRole),
      /name a user of the log; it has those of "root", "alice"/,
    ],
    [
      "an unknown user",
      () => cluster.requests.leastPrivilege({ user: "bob" }),
      /^leastPrivilege: the log has no request of the user "bob"/,
    ],
    [
      "an unknown option",
      () => cluster.requests.leastPrivilege({ users: "bob" } as object),
      /unknown option "users"; did you mean "user"/,
    ],
  ])("is refused for %s", async (_title, call, message) => {
    await cluster.as("root", masters).list("v1", "Node");
    await cluster
      .as("alice")
      .list("v1", "Node")
      .catch(() => {});
    await expect(call()).rejects.toThrow(message);
  });

  test("is refused for an empty log", async () => {
    await expect(cluster.requests.compareRoles(clusterRole)).rejects.toThrow(/it has no requests of users/);
  });

  test("fails an assertion with each difference", async () => {
    using _fault = cluster.inject(permissionRevoked({ resource: "secrets" }));
    const root = cluster.as("root", masters);
    await root.list("v1", "Secret").catch(() => {});
    const { pass, message } = await toBeLeastPrivilege(cluster, clusterRole, { user: "root" });
    expect(pass).toBe(false);
    expect(message()).toBe(
      [
        'The roles are not the smallest for user "root":',
        '  the requests needed a ClusterRole with {"apiGroups":[""],"resources":["secrets"],"verbs":["list"]}',
        '  ClusterRole reader allows {"apiGroups":[""],"resources":["configmaps"],"verbs":["list"]}, which no request needed',
      ].join("\n"),
    );
    const equal = await toBeLeastPrivilege(
      cluster,
      (await cluster.requests.leastPrivilege({ user: "root" })).yaml,
      {},
    );
    expect(equal.pass).toBe(true);
    expect(equal.message()).toBe('Expected the roles to differ from what user "root" needed');
  });
});

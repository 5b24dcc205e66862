import { beforeEach, describe, expect, test } from "vitest";
import type { Cluster } from "../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

const root = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${root}/namespaces/default/roles`;
const bindings = `${root}/namespaces/default/rolebindings`;
const clusterRoles = `${root}/clusterroles`;
const clusterBindings = `${root}/clusterrolebindings`;
const rbacGroup = "rbac.authorization.k8s.io";

const rule = (
  apiGroup: string,
  resource: string,
  verbs: readonly string[],
  resourceNames?: readonly string[],
) => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
  ...(resourceNames && { resourceNames }),
});
const everyRbacVerb = ["get", "create", "update", "patch", "delete"];
const binding = (name: string, kind: string, role: string, subject = "bob") => ({
  metadata: { name },
  subjects: [{ kind: "User", name: subject }],
  roleRef: { apiGroup: rbacGroup, kind, name: role },
});

let cluster: Cluster;
let admin: SendRequest;
let bob: SendRequest;

/** Bob may write roles and bindings, get pods, and read `/healthz`. */
beforeEach(async () => {
  cluster = quietCluster({ authorizationMode: "RBAC" });
  admin = testClient(cluster);
  bob = testClient(cluster, "bob", ["dev"]);
  const rules = [
    ...["roles", "rolebindings", "clusterroles", "clusterrolebindings"].map((resource) =>
      rule(rbacGroup, resource, everyRbacVerb),
    ),
    rule("", "pods", ["get"]),
    rule("", "*/log", ["get"]),
    rule("", "configmaps", ["get"], ["one"]),
    { nonResourceURLs: ["/healthz*"], verbs: ["get"] },
  ];
  await admin("POST", clusterRoles, { metadata: { name: "bobs" }, rules });
  expect((await admin("POST", clusterBindings, binding("bobs", "ClusterRole", "bobs"))).code).toBe(201);
});

const notHeld = (object: string, ...lines: readonly string[]) =>
  `${object} is forbidden: user "bob" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}`;

describe("a role of a user", () => {
  test.each([
    ["what the user may do", rule("", "pods", ["get"])],
    ["a subresource of any resource", rule("", "pods/log", ["get"])],
    ["an object by its name", rule("", "configmaps", ["get"], ["one"])],
    ["one object of a resource that the user may read", rule("", "pods", ["get"], ["one"])],
  ])("may allow %s", async (_title, given) => {
    expect((await bob("POST", roles, { metadata: { name: "r" }, rules: [given] })).code).toBe(201);
  });

  test.each<[string, object, readonly string[]]>([
    [
      "more verbs and resources",
      { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "list"] },
      [
        '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      ],
    ],
    [
      "all objects where the user may read one",
      rule("", "configmaps", ["get"]),
      ['{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}'],
    ],
    [
      "other objects",
      rule("", "configmaps", ["get"], ["one", "two"]),
      ['{APIGroups:[""], Resources:["configmaps"], ResourceNames:["two"], Verbs:["get"]}'],
    ],
    [
      "another group",
      rule("apps", "pods", ["get"]),
      ['{APIGroups:["apps"], Resources:["pods"], Verbs:["get"]}'],
    ],
    ["every verb", rule("", "pods", ["*"]), ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}']],
  ])("may not allow %s", async (_title, given, lines) => {
    const { code, findings } = await bob("POST", roles, { metadata: { name: "r" }, rules: [given] });
    expect([code, findings]).toEqual([403, [notHeld(`roles.${rbacGroup} "r"`, ...lines)]]);
  });

  test("may allow paths below one that the user may read", async () => {
    const paths = (...nonResourceURLs: readonly string[]) => ({
      metadata: { name: "r" },
      rules: [{ nonResourceURLs, verbs: ["get"] }],
    });
    expect((await bob("POST", `${clusterRoles}?dryRun=All`, paths("/healthz", "/healthz/etcd"))).code).toBe(
      201,
    );
    expect((await bob("POST", clusterRoles, paths("/metrics", "/healthz"))).findings).toEqual([
      notHeld(`clusterroles.${rbacGroup} "r"`, '{NonResourceURLs:["/metrics"], Verbs:["get"]}'),
    ]);
  });

  test("may not grow by an update, a patch or an apply, but may change otherwise", async () => {
    await admin("POST", roles, { metadata: { name: "r" }, rules: [rule("", "pods", ["get"])] });
    const grown = { metadata: { name: "r" }, rules: [rule("", "secrets", ["get"])] };
    const refusal = notHeld(
      `roles.${rbacGroup} "r"`,
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    );
    expect((await bob("PUT", `${roles}/r`, grown)).findings).toEqual([refusal]);
    expect((await bob("PATCH", `${roles}/r`, { rules: grown.rules })).findings).toEqual([refusal]);
    expect((await bob("PUT", `${roles}/new`, { ...grown, metadata: { name: "new" } })).code).toBe(403);
    const applied = { apiVersion: `${rbacGroup}/v1`, kind: "Role", ...grown };
    const asBob = cluster.as("bob", { groups: ["dev"] });
    await expect(asBob.apply(applied, { force: true })).rejects.toThrow(refusal);
    await expect(asBob.apply({ ...applied, metadata: { name: "new" } })).rejects.toMatchObject({ code: 403 });
    expect((await bob("PATCH", `${roles}/r`, { metadata: { labels: { a: "1" } } })).code).toBe(200);
  });

  test("that holds more may lose its owners and finalizers, which the garbage collector does", async () => {
    const metadata = { name: "r", finalizers: ["example.com/a"] };
    await admin("POST", roles, { metadata, rules: [rule("", "secrets", ["get"])] });
    expect((await bob("PATCH", `${roles}/r`, { metadata: { labels: { a: "1" } } })).code).toBe(403);
    expect((await bob("PATCH", `${roles}/r`, { metadata: { finalizers: null } })).code).toBe(200);
  });

  test("may hold anything if the user may escalate", async () => {
    await admin("POST", roles, {
      metadata: { name: "trust" },
      rules: [rule(rbacGroup, "roles", ["escalate"])],
    });
    await admin("POST", bindings, binding("trust", "Role", "trust"));
    const secrets = [rule("", "secrets", ["get"])];
    expect((await bob("POST", roles, { metadata: { name: "r" }, rules: secrets })).code).toBe(201);
    const elsewhere = roles.replace("default", "kube-system");
    expect((await bob("POST", elsewhere, { metadata: { name: "r" }, rules: secrets })).code).toBe(403);
  });

  test("may aggregate others only with full authority", async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
    const refusal = [
      `clusterroles.${rbacGroup} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ];
    const metadata = { name: "agg" };
    expect((await bob("POST", clusterRoles, { metadata, aggregationRule })).findings).toEqual(refusal);
    await admin("POST", clusterRoles, { metadata, aggregationRule });
    expect((await bob("PATCH", `${clusterRoles}/agg`, { aggregationRule: null })).findings).toEqual(refusal);
    await admin("POST", clusterBindings, binding("all", "ClusterRole", "cluster-admin"));
    expect((await bob("PATCH", `${clusterRoles}/agg`, { aggregationRule: null })).code).toBe(200);
  });

  test("with more parts than can be listed is refused as a whole", async () => {
    const many = (prefix: string) => Array.from({ length: 300 }, (_, i) => `${prefix}${i}`);
    const rules = [{ apiGroups: many("g"), resources: many("r"), verbs: many("v") }];
    const { code, findings } = await bob("POST", roles, { metadata: { name: "r" }, rules });
    expect(code).toBe(403);
    expect(findings[0]?.split("\n")).toHaveLength(2);
  });
});

describe("a binding of a user", () => {
  test("may grant a role with rules that the user has", async () => {
    expect((await bob("POST", bindings, binding("b", "ClusterRole", "bobs", "eve"))).code).toBe(201);
  });

  test("may not grant more", async () => {
    expect(
      (await bob("POST", clusterBindings, binding("b", "ClusterRole", "cluster-admin"))).findings,
    ).toEqual([
      notHeld(
        `clusterrolebindings.${rbacGroup} "b"`,
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
        '{NonResourceURLs:["*"], Verbs:["*"]}',
      ),
    ]);
  });

  test("may not begin to grant more by an update, a patch or an apply", async () => {
    const given = {
      ...binding("b", "ClusterRole", "cluster-admin", "eve"),
      metadata: { name: "b", labels: { a: "0" } },
    };
    await admin("POST", bindings, given);
    const answers = [
      await bob("PUT", `${bindings}/b`, binding("b", "ClusterRole", "cluster-admin")),
      await bob("PUT", `${bindings}/new`, binding("new", "ClusterRole", "cluster-admin")),
      await bob("PATCH", `${bindings}/b`, { subjects: [{ kind: "User", name: "bob" }] }),
    ];
    expect(answers.map(({ code }) => code)).toEqual([403, 403, 403]);
    expect(answers[2]?.findings[0]).toMatch(
      /^rolebindings.* "b" is forbidden: user "bob" .* not currently held:\n/,
    );
    const applied = {
      apiVersion: `${rbacGroup}/v1`,
      kind: "RoleBinding",
      ...binding("b", "ClusterRole", "cluster-admin"),
    };
    await expect(cluster.as("bob").apply(applied, { force: true })).rejects.toMatchObject({ code: 403 });
    expect((await admin("GET", `${bindings}/b`)).object.subjects).toMatchObject([{ name: "eve" }]);
  });

  test("that holds more may lose its owners and finalizers", async () => {
    const metadata = { name: "b", finalizers: ["example.com/a"] };
    await admin("POST", bindings, { ...binding("b", "ClusterRole", "cluster-admin"), metadata });
    expect((await bob("PATCH", `${bindings}/b`, { metadata: { finalizers: null } })).code).toBe(200);
  });

  test("may not grant a role of an unknown kind, which validation reports to others", async () => {
    const { code, object } = await bob("POST", bindings, binding("b", "Zed", "x"));
    expect([code, object.message, object.reason]).toEqual([
      500,
      'unsupported role reference kind: "Zed"',
      undefined,
    ]);
    expect((await admin("POST", bindings, binding("b", "Zed", "x"))).code).toBe(422);
  });

  test("may not grant a role that does not exist", async () => {
    const { code, findings } = await bob("POST", bindings, binding("b", "Role", "missing"));
    expect([code, findings]).toEqual([404, [`rolebindings.${rbacGroup} "missing" not found`]]);
    expect((await admin("POST", bindings, binding("b", "Role", "missing"))).code).toBe(201);
  });

  test("may grant a role that the user may bind, where the user may bind it", async () => {
    const bind = {
      metadata: { name: "binder" },
      rules: [rule(rbacGroup, "clusterroles", ["bind"], ["edit"])],
    };
    await admin("POST", roles, bind);
    await admin("POST", bindings, binding("binder", "Role", "binder"));
    expect(
      (await admin("PATCH", `${clusterRoles}/edit`, { rules: [rule("", "secrets", ["get"])] })).code,
    ).toBe(200);
    expect((await bob("POST", bindings, binding("b", "ClusterRole", "edit"))).code).toBe(201);
    expect((await bob("POST", bindings, binding("c", "ClusterRole", "cluster-admin"))).code).toBe(403);
    expect((await bob("POST", clusterBindings, binding("d", "ClusterRole", "edit"))).code).toBe(403);
  });

  test("names the roles that could not be found", async () => {
    await admin("POST", clusterBindings, binding("dangling", "ClusterRole", "gone"));
    const { findings } = await bob("POST", clusterBindings, binding("b", "ClusterRole", "cluster-admin"));
    expect(findings[0]).toMatch(
      /; resolution errors: \[clusterrole.rbac.authorization.k8s.io "gone" not found\]$/,
    );
  });
});

test("a member of system:masters may write any role and binding, whatever the mode is", async () => {
  const denying = testClient(quietCluster({ authorizationMode: "AlwaysDeny" }));
  expect((await denying("POST", clusterBindings, binding("b", "ClusterRole", "cluster-admin"))).code).toBe(
    201,
  );
});

test("where everything is allowed, everything may be granted", async () => {
  const open = testClient(quietCluster(), "bob", []);
  expect((await open("POST", clusterBindings, binding("b", "ClusterRole", "cluster-admin"))).code).toBe(201);
});

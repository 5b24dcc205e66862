import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const apiGroup = "rbac.authorization.k8s.io";
const ofUsers = ["authentication.k8s.io"];

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A cluster in which the user `ann` has these rules, and everybody may read pods. */
function clusterWith(rules: readonly Rule[], on = true): Cluster {
  const role = (name: string, subject: object, own: readonly Rule[]) => [
    { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata: { name }, rules: own },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup, kind: "ClusterRole", name },
      subjects: [subject],
    },
  ];
  const pods = [{ verbs: ["list", "create"], apiGroups: [""], resources: ["pods"] }];
  return createCluster({
    release: "1.35",
    featureGates: { ConstrainedImpersonation: on },
    controllers: [],
    authorizationMode: "RBAC",
    objects: [
      ...role("of-ann", { apiGroup, kind: "User", name: "ann" }, rules),
      ...role("of-all", { apiGroup, kind: "Group", name: "system:authenticated" }, pods),
    ],
  });
}

interface Answer {
  readonly code: number;
  readonly message: string | undefined;
}

async function list(cluster: Cluster, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const authorization = `Bearer ${cluster.token("ann")}`;
  const url = "https://cluster.test/api/v1/namespaces/default/pods";
  const response = await cluster.fetch(url, { headers: { authorization, ...headers } });
  const { message } = (await response.json()) as { message?: string };
  return { code: response.status, message };
}

const on = (mode: string, verb = "list"): Rule => ({
  verbs: [`impersonate-on:${mode}:${verb}`],
  apiGroups: [""],
  resources: ["pods"],
});
const as = (mode: string, resource: string, ...names: readonly string[]): Rule => ({
  verbs: [`impersonate:${mode}`],
  apiGroups: ofUsers,
  resources: [resource],
  ...(names.length > 0 && { resourceNames: names }),
});
const account = "system:serviceaccount:default:robot";
const lacking = (verb: string, resource: string) =>
  expect.stringContaining(`cannot ${verb} resource "${resource}"`);

test.each<[title: string, rules: readonly Rule[], headers: Record<string, string>, refusal: unknown]>([
  ["a user", [on("user-info"), as("user-info", "users", "bob")], { "impersonate-user": "bob" }, undefined],
  [
    "another verb",
    [on("user-info", "get"), as("user-info", "users", "bob")],
    { "impersonate-user": "bob" },
    lacking("impersonate-on:user-info:list", "pods"),
  ],
  [
    "another user",
    [on("user-info"), as("user-info", "users", "bob")],
    { "impersonate-user": "eve" },
    lacking("impersonate:user-info", "users"),
  ],
  [
    "a group",
    [on("user-info"), as("user-info", "users"), as("user-info", "groups", "dev")],
    { "impersonate-user": "bob", "impersonate-group": "dev" },
    undefined,
  ],
  [
    "the group of administrators",
    [on("user-info"), as("user-info", "users"), as("user-info", "groups")],
    { "impersonate-user": "bob", "impersonate-group": "system:masters" },
    expect.stringContaining("impersonating the system:masters group is not allowed"),
  ],
  [
    "an extra value",
    [on("user-info"), as("user-info", "users"), as("user-info", "userextras/example.com/scope", "dev")],
    { "impersonate-user": "bob", "impersonate-extra-example.com%2fscope": "dev" },
    undefined,
  ],
  [
    "a service account",
    [on("serviceaccount"), as("serviceaccount", "serviceaccounts")],
    { "impersonate-user": account },
    undefined,
  ],
  [
    "a service account by the mode of users",
    [on("user-info"), as("user-info", "users")],
    { "impersonate-user": account },
    lacking("impersonate-on:serviceaccount:list", "pods"),
  ],
  [
    "a node",
    [on("arbitrary-node"), as("arbitrary-node", "nodes", "n")],
    { "impersonate-user": "system:node:n" },
    undefined,
  ],
  [
    "everything, without a mode",
    [{ verbs: ["impersonate"], apiGroups: [""], resources: ["users"] }],
    { "impersonate-user": "bob" },
    undefined,
  ],
  [
    "nobody",
    [],
    { "impersonate-group": "dev" },
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
  ],
])("a user may impersonate: %s", async (_title, rules, headers, refusal) => {
  await using cluster = clusterWith(rules);
  const { code, message } = await list(cluster, headers);
  expect(message).toEqual(refusal);
  if (refusal === undefined) expect(code).toBe(200);
});

test("without the gate, the constrained verbs permit nothing", async () => {
  await using cluster = clusterWith([on("user-info"), as("user-info", "users")], false);
  expect(await list(cluster, { "impersonate-user": "bob" })).toEqual({
    code: 403,
    message: lacking("impersonate", "users"),
  });
});

test("the service account of a pod may impersonate the node of the pod", async () => {
  await using cluster = clusterWith([]);
  const create = (object: Parameters<Cluster["create"]>[0]) => cluster.create(object);
  const namespace = "default";
  await create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
  await create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace } });
  const spec = { nodeName: "n", serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] };
  await create({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace }, spec });
  const subject = { kind: "ServiceAccount", name: "robot", namespace };
  const rules = [on("associated-node"), as("associated-node", "nodes", "*")];
  const metadata = { name: "of-robot" };
  const roleRef = { apiGroup, kind: "ClusterRole", name: "of-robot" };
  await create({ apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata, rules });
  await create({
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata,
    roleRef,
    subjects: [subject],
  });
  const origin = "https://cluster.test";
  const admin = { authorization: `Bearer ${cluster.token("admin", { groups: ["system:masters"] })}` };
  const request = await cluster.fetch(`${origin}/api/v1/namespaces/default/serviceaccounts/robot/token`, {
    method: "POST",
    headers: { ...admin, "content-type": "application/json" },
    body: JSON.stringify({ spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p" } } }),
  });
  const { status } = (await request.json()) as { status: { token: string } };
  const listed = async (node: string) => {
    const headers = { authorization: `Bearer ${status.token}`, "impersonate-user": `system:node:${node}` };
    return (await cluster.fetch(`${origin}/api/v1/namespaces/default/pods`, { headers })).status;
  };
  expect([await listed("n"), await listed("m")]).toEqual([200, 403]);
  const events = cluster.requests.matching({ user: account });
  expect(events.map((event) => [event.impersonatedUser?.name, event.impersonationConstraint])).toEqual([
    ["system:node:n", "impersonate:associated-node"],
    [undefined, undefined],
  ]);
});

import { beforeEach, describe, expect, test } from "vitest";
import type { Cluster } from "../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

const pods = "/api/v1/namespaces/default/pods";
const container = { name: "c", image: "i" };
const noAccount = { automountServiceAccountToken: false, serviceAccountName: "sa" };

let cluster: Cluster;
let admin: SendRequest;
let node: SendRequest;

beforeEach(async () => {
  cluster = quietCluster({ authorizationMode: ["Node", "RBAC"] });
  admin = testClient(cluster);
  node = testClient(cluster, "system:node:n1", ["system:nodes"]);
  await admin("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "sa" } });
  const spec = { ...noAccount, nodeName: "n1", containers: [container], imagePullSecrets: [{ name: "s" }] };
  expect((await admin("POST", pods, { metadata: { name: "mine" }, spec })).code).toBe(201);
  await admin("POST", pods, { metadata: { name: "other" }, spec: { ...spec, nodeName: "n2" } });
});

describe("a node may not", () => {
  test.each<[string, string, string, string]>([
    ["GET", "/api/v1/nodes/n2", "get", "node 'n1' cannot read 'n2', only its own Node object"],
    ["GET", "/api/v1/nodes", "list", "node 'n1' cannot read all nodes, only its own Node object"],
    ["GET", "/api/v1/pods", "list", "can only list/watch pods with spec.nodeName field selector"],
    [
      "GET",
      `${pods}?fieldSelector=spec.nodeName%3Dn2`,
      "list",
      "can only list/watch pods with spec.nodeName field selector",
    ],
    [
      "GET",
      `${pods}?fieldSelector=spec.nodeName!%3Dn1`,
      "list",
      "can only list/watch pods with spec.nodeName field selector",
    ],
    ["GET", `${pods}/other`, "get", "no relationship found between node 'n1' and this object"],
    ["GET", "/api/v1/secrets", "list", "can only read namespaced object of this type"],
    ["GET", "/api/v1/namespaces/default/secrets", "list", "No Object name found"],
    [
      "GET",
      "/api/v1/namespaces/default/secrets/x",
      "get",
      "no relationship found between node 'n1' and this object",
    ],
    ["DELETE", "/api/v1/namespaces/default/secrets/s", "delete", "can only read resources of this type"],
    [
      "GET",
      "/api/v1/namespaces/default/persistentvolumeclaims",
      "list",
      "can only get individual resources of this type",
    ],
    [
      "GET",
      "/api/v1/namespaces/default/persistentvolumeclaims/v/status",
      "get",
      "can only get/update/patch this type",
    ],
    [
      "GET",
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
      "list",
      "can only get, create, update, patch, or delete a node lease",
    ],
    [
      "GET",
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/n1",
      "get",
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      "GET",
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2",
      "get",
      "can only access node lease with the same name as the requesting node",
    ],
    [
      "GET",
      "/apis/storage.k8s.io/v1/csinodes",
      "list",
      "can only get, create, update, patch, or delete a CSINode",
    ],
    [
      "GET",
      "/apis/storage.k8s.io/v1/csinodes/n2",
      "get",
      "can only access CSINode with the same name as the requesting node",
    ],
    [
      "GET",
      "/api/v1/namespaces/default/serviceaccounts/sa",
      "get",
      "can only create tokens for individual service accounts",
    ],
  ])("%s %s", async (method, path, verb, reason) => {
    const { code, object } = await node(method, path);
    expect(code).toBe(403);
    expect(object.message).toContain(`User "system:node:n1" cannot ${verb} resource`);
    expect(object.message.endsWith(`: ${reason}`)).toBe(true);
  });
});

describe("a node may", () => {
  test.each<[string, string, number]>([
    ["GET", "/api/v1/nodes/n1", 404],
    ["GET", "/api/v1/nodes?fieldSelector=metadata.name%3Dn1", 200],
    ["GET", `${pods}/mine`, 200],
    ["GET", "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1", 200],
    ["GET", "/api/v1/namespaces/default/secrets/s", 404],
    ["GET", "/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Ds", 200],
    ["GET", "/api/v1/services", 200],
    ["GET", "/apis/node.k8s.io/v1/runtimeclasses", 200],
    ["GET", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1", 404],
  ])("%s %s", async (method, path, code) => {
    expect((await node(method, path)).code).toBe(code);
  });

  test("create events of events.k8s.io since 1.35, as the role of nodes says", async () => {
    const event = (release: "1.34" | "1.35") =>
      testClient(quietCluster({ release, authorizationMode: ["Node"] }), "system:node:n1", ["system:nodes"])(
        "POST",
        "/apis/events.k8s.io/v1/namespaces/default/events",
        {},
      );
    expect((await event("1.34")).code).toBe(403);
    expect((await event("1.35")).code).toBe(422);
  });

  test("read all pods and nodes in releases before 1.32", async () => {
    const older = testClient(
      quietCluster({ release: "1.31", authorizationMode: ["Node", "RBAC"] }),
      "system:node:n1",
      ["system:nodes"],
    );
    expect((await older("GET", "/api/v1/pods")).code).toBe(200);
    expect((await older("GET", "/api/v1/nodes")).code).toBe(200);
    expect((await older("GET", "/api/v1/secrets")).code).toBe(403);
    const { isAllowed } = await quietCluster({ release: "1.31", authorizationMode: ["Node"] }).explain(
      { name: "system:node:n1", groups: ["system:nodes"] },
      { verb: "list", group: "resource.k8s.io", resource: "resourceslices" },
    );
    expect(isAllowed).toBe(true);
  });
});

test("a user of the group without the name of a node is no node", async () => {
  const someone = testClient(cluster, "system:nodes:n1", ["system:nodes"]);
  expect((await someone("GET", "/api/v1/services")).findings).toEqual([
    'services is forbidden: User "system:nodes:n1" cannot list resource "services" in API group "" at the cluster scope',
  ]);
  const nameless = testClient(cluster, "system:node:", ["system:nodes"]);
  expect((await nameless("GET", "/api/v1/services")).findings).toEqual([
    'services is forbidden: User "system:node:" cannot list resource "services" in API group "" at the cluster scope: unknown node for user "system:node:"',
  ]);
});

test("the rules of a node cannot be listed", async () => {
  const review = { spec: { namespace: "default" } };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  // A node gets its rules for reviews from the roles of all users.
  const { object } = await testClient(cluster, "system:node:n1", ["system:nodes", "system:authenticated"])(
    "POST",
    path,
    review,
  );
  expect(object.status).toMatchObject({
    incomplete: true,
    evaluationError: "node authorizer does not support user rule resolution",
  });
  const other = await testClient(cluster, "alice", ["system:authenticated"])("POST", path, review);
  expect(other.object.status).toMatchObject({ incomplete: false });
});

describe("NodeRestriction refuses", () => {
  const mirror = { annotations: { "kubernetes.io/config.mirror": "x", "kubernetes.io/config.hash": "x" } };
  const owner = (uid: string, more = {}) => ({
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid, controller: true, ...more }],
  });
  const nodePod = (metadata: object, spec = {}) => ({
    metadata: { name: "p", ...mirror, ...metadata },
    spec: { nodeName: "n1", containers: [container], ...spec },
  });
  const forbidden = (kind: string, text: string) => `${kind} is forbidden: ${text}`;

  test("another node's object, and labels and taints of its own", async () => {
    expect((await node("POST", "/api/v1/nodes", { metadata: { name: "n2" } })).findings).toEqual([
      forbidden('nodes "n2"', 'node "n1" is not allowed to modify node "n2"'),
    ]);
    const labels = {
      "node-restriction.kubernetes.io/x": "1",
      "k8s.io/b": "1",
      "kubernetes.io/hostname": "n1",
    };
    expect((await node("POST", "/api/v1/nodes", { metadata: { name: "n1", labels } })).findings).toEqual([
      forbidden(
        'nodes "n1"',
        'node "n1" is not allowed to set the following labels: k8s.io/b, node-restriction.kubernetes.io/x',
      ),
    ]);
    const own = { "kubernetes.io/hostname": "n1", "node.kubernetes.io/any": "1", "example.com/a": "1" };
    expect((await node("POST", "/api/v1/nodes", { metadata: { name: "n1", labels: own } })).code).toBe(201);
    const patch = (body: object) => node("PATCH", "/api/v1/nodes/n1", body);
    expect((await patch({ metadata: { labels: { "kubernetes.io/foo": "1" } } })).findings).toEqual([
      forbidden('nodes "n1"', "is not allowed to modify labels: kubernetes.io/foo"),
    ]);
    expect((await patch({ spec: { taints: [{ key: "a", effect: "NoSchedule" }] } })).findings).toEqual([
      forbidden('nodes "n1"', 'node "n1" is not allowed to modify taints'),
    ]);
    expect((await patch({ metadata: { labels: { "example.com/a": "2" } } })).code).toBe(200);
  });

  test("pods that are not mirror pods of its own", async () => {
    const created = await node("POST", "/api/v1/nodes", { metadata: { name: "n1" } });
    const { uid } = created.object.metadata;
    const refusals: readonly (readonly [object, string])[] = [
      [
        nodePod({ annotations: {} }, { serviceAccountName: "sa" }),
        'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
      ],
      [nodePod({}, { nodeName: "n2" }), 'node "n1" can only create pods with spec.nodeName set to itself'],
      [nodePod({}), 'node "n1" can only create pods with an owner reference set to itself'],
      [
        nodePod(owner(uid, { kind: "Pod" })),
        'node "n1" can only create pods with an owner reference set to itself',
      ],
      [
        nodePod(owner(uid, { controller: false })),
        'node "n1" can only create pods with a controller owner reference set to itself',
      ],
      [
        nodePod(owner(uid, { blockOwnerDeletion: true })),
        'node "n1" must not set blockOwnerDeletion on an owner reference',
      ],
      [nodePod(owner("x")), `node n1 UID mismatch: expected x got ${uid}`],
      [
        nodePod(owner(uid), { volumes: [{ name: "c", configMap: { name: "c" } }] }),
        'node "n1" can not create pods that reference configmaps',
      ],
      [
        nodePod(owner(uid), { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] }),
        'node "n1" can not create pods that reference persistentvolumeclaims',
      ],
    ];
    for (const [body, text] of refusals) {
      expect((await node("POST", pods, body)).findings).toEqual([forbidden('pods "p"', text)]);
    }
    expect((await node("POST", pods, nodePod(owner(uid)))).code).toBe(201);
    expect((await node("DELETE", `${pods}/p?gracePeriodSeconds=0`)).code).toBe(200);
  });

  test("writes of pods that run elsewhere", async () => {
    const status = { status: { phase: "Running" } };
    expect((await node("PATCH", `${pods}/mine/status`, status)).code).toBe(200);
    expect(
      (await node("PATCH", `${pods}/mine/status`, { metadata: { labels: { a: "1" } } })).findings,
    ).toEqual([forbidden('pods "mine"', 'node "n1" cannot update labels through pod status')]);
    expect((await node("PATCH", `${pods}/other/status`, status)).findings).toEqual([
      forbidden(
        'pods "other"',
        'node "n1" can only update pod status for pods with spec.nodeName set to itself',
      ),
    ]);
    expect((await node("DELETE", `${pods}/other`)).findings).toEqual([
      forbidden('pods "other"', 'node "n1" can only delete pods with spec.nodeName set to itself'),
    ]);
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "other" } };
    expect((await node("POST", `${pods}/other/eviction`, eviction)).findings).toEqual([
      forbidden('pods "other"', "node n1 can only evict pods with spec.nodeName set to itself"),
    ]);
  });

  test("tokens for other pods", async () => {
    const token = "/api/v1/namespaces/default/serviceaccounts/sa/token";
    const { uid } = (await admin("GET", `${pods}/mine`)).object.metadata;
    const bound = (boundObjectRef: object) => node("POST", token, { spec: { boundObjectRef } });
    const reference = { apiVersion: "v1", kind: "Pod", name: "mine" };
    expect((await node("POST", token, { spec: {} })).findings).toEqual([
      forbidden('serviceaccounts "sa"', "node requested token not bound to a pod"),
    ]);
    expect((await bound(reference)).findings).toEqual([
      forbidden('serviceaccounts "sa"', "node requested token with a pod binding without a uid"),
    ]);
    expect((await bound({ ...reference, uid: "x" })).findings[0]).toContain(
      "the UID in the bound object reference (x) does not match the UID in record.",
    );
    const other = (await admin("GET", `${pods}/other`)).object.metadata.uid;
    expect((await bound({ ...reference, name: "other", uid: other })).findings).toEqual([
      forbidden('serviceaccounts "sa"', "node requested token bound to a pod scheduled on a different node"),
    ]);
    expect((await bound({ ...reference, uid })).code).toBe(201);
  });

  test("another node's lease and CSINode", async () => {
    const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    expect((await node("POST", leases, { metadata: { name: "n2" }, spec: {} })).findings).toEqual([
      forbidden(
        'leases.coordination.k8s.io "n2"',
        "can only access node lease with the same name as the requesting node",
      ),
    ]);
    expect((await node("POST", leases, { metadata: { name: "n1" }, spec: {} })).code).toBe(201);
    const csiNode = { metadata: { name: "n2" }, spec: { drivers: [] } };
    expect((await node("POST", "/apis/storage.k8s.io/v1/csinodes", csiNode)).findings).toEqual([
      forbidden(
        'csinodes.storage.k8s.io "n2"',
        "can only access CSINode with the same name as the requesting node",
      ),
    ]);
  });

  test("nothing without the mode Node", async () => {
    const open = testClient(quietCluster(), "system:node:n1", ["system:nodes"]);
    expect((await open("POST", "/api/v1/nodes", { metadata: { name: "n2" } })).code).toBe(201);
  });
});

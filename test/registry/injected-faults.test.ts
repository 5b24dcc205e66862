import { describe, expect, test } from "vitest";
import { FailingCluster, smallConfig, type Write } from "./failing-cluster.ts";
import { fault } from "./failing-steps.ts";

const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";
const merge = "application/merge-patch+json";
const apply = "application/apply-patch+yaml";
const pods = `${core}/pods`;
const services = `${core}/services`;

const container = { name: "c", image: "i", resources: { requests: { cpu: "100m" } } };
const pod = (metadata: object, spec: object = {}) => ({
  metadata: { labels: { app: "a" }, ...metadata },
  spec: { containers: [container], ...spec },
});
const service = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const post = (path: string, body: object): Write => ({ method: "POST", path, body });
const patch = (path: string, body: object, type = merge): Write => ({ method: "PATCH", path, body, type });
const configMap = (name: string, metadata: object = {}) => ({ metadata: { name, ...metadata } });
const running = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const workload = {
  metadata: { name: "d" },
  spec: { selector: { matchLabels: { app: "a" } }, template: pod({}) },
};

const quota: readonly Write[] = [
  post(`${core}/resourcequotas`, {
    metadata: { name: "q" },
    spec: { hard: { pods: "9", "requests.cpu": "4", services: "9" } },
  }),
  post(`${core}/resourcequotas`, {
    metadata: { name: "r" },
    spec: { hard: { pods: "5", "count/configmaps": "9" } },
  }),
  patch(`${core}/resourcequotas/q/status`, {
    status: {
      hard: { pods: "9", "requests.cpu": "4", services: "9" },
      used: { pods: "0", "requests.cpu": "0", services: "0" },
    },
  }),
  patch(`${core}/resourcequotas/r/status`, {
    status: { hard: { pods: "5", "count/configmaps": "9" }, used: { pods: "0", "count/configmaps": "0" } },
  }),
];
const account = post(`${core}/serviceaccounts`, { metadata: { name: "default" } });
const limits = post(`${core}/limitranges`, {
  metadata: { name: "l" },
  spec: { limits: [{ type: "Container", default: { memory: "1Gi" }, defaultRequest: { memory: "1Mi" } }] },
});
const guarded: readonly Write[] = [
  account,
  post(pods, pod({ name: "p" }, { nodeName: "n" })),
  patch(`${pods}/p/status`, { status: running }),
  post("/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
    metadata: { name: "b" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
  }),
  patch("/apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status", {
    status: {
      observedGeneration: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      disruptionsAllowed: 1,
    },
  }),
];
const eviction = (name: string) =>
  post(`${pods}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } });

/** Uses all but one of the five addresses and the three ports for services. */
const scarce: readonly Write[] = [
  ...["a", "b"].map((name) => post(services, service(name))),
  ...["c", "d"].map((name) => post(services, service(name, { type: "NodePort" }))),
];

const refusal = { code: 500, reason: "InternalError", message: `Internal error occurred: ${fault}` };

describe("if any of its steps fails, the server does all or nothing of", { timeout: 60_000 }, () => {
  test.each<[string, readonly Write[], Write]>([
    ["the creation of a service", [...scarce, ...quota], post(services, service("s"))],
    [
      "the creation of a service with a node port",
      [...scarce, ...quota],
      post(services, service("s", { type: "NodePort" })),
    ],
    [
      "a change of a service that needs a new address",
      [...scarce, post(services, service("s", { type: "ExternalName", externalName: "x.io" }))],
      patch(`${services}/s`, { spec: { type: "NodePort", externalName: null } }),
    ],
    [
      "a change of a service that releases its port",
      scarce,
      patch(`${services}/d`, { spec: { type: "ClusterIP" } }),
    ],
    [
      "an apply of a service",
      scarce,
      patch(
        `${services}/s?fieldManager=m`,
        { apiVersion: "v1", kind: "Service", ...service("s", { type: "LoadBalancer" }) },
        apply,
      ),
    ],
    [
      "the deletion of a service and its endpoints",
      [...scarce, post(`${core}/endpoints`, configMap("d"))],
      { method: "DELETE", path: `${services}/d` },
    ],
    ["the creation of a pod", [account, limits, ...quota], post(pods, pod({ name: "p" }))],
    [
      "the creation of a pod with a generated name",
      [account, limits, ...quota],
      post(pods, pod({ generateName: "generated-" })),
    ],
    [
      "an apply of a new pod",
      [account, ...quota],
      patch(`${pods}/p?fieldManager=m`, { apiVersion: "v1", kind: "Pod", ...pod({ name: "p" }) }, apply),
    ],
    [
      "the deletion of a pod",
      [account, post(pods, pod({ name: "p" }, { nodeName: "n" }))],
      { method: "DELETE", path: `${pods}/p` },
    ],
    [
      "the immediate deletion of a pod",
      [account, post(pods, pod({ name: "p" }, { nodeName: "n" }))],
      { method: "DELETE", path: `${pods}/p?gracePeriodSeconds=0` },
    ],
    ["an eviction", guarded, eviction("p")],
    [
      "an immediate eviction",
      [...guarded, patch(`${pods}/p`, { metadata: { labels: { app: "z" } } })],
      post(`${pods}/p/eviction`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "p" },
        deleteOptions: { gracePeriodSeconds: 0 },
      }),
    ],
    [
      "a binding",
      [account, post(pods, pod({ name: "p" }))],
      post(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }),
    ],
    ["the creation of a config map with a quota", quota, post(`${core}/configmaps`, configMap("m"))],
    ["the creation of a workload", [], post(`${apps}/deployments`, workload)],
    [
      "the scale of a workload",
      [post(`${apps}/deployments`, workload)],
      patch(`${apps}/deployments/d/scale`, { spec: { replicas: 3 } }),
    ],
    [
      "the status of a workload",
      [post(`${apps}/deployments`, workload)],
      patch(`${apps}/deployments/d/status`, { status: { replicas: 3 } }),
    ],
    [
      "a removal of the last finalizer",
      [
        post(`${core}/configmaps`, configMap("m", { finalizers: ["x.io/f"] })),
        { method: "DELETE", path: `${core}/configmaps/m` },
      ],
      patch(`${core}/configmaps/m`, { metadata: { finalizers: null } }),
    ],
    [
      "a foreground deletion",
      [post(`${core}/configmaps`, configMap("m"))],
      { method: "DELETE", path: `${core}/configmaps/m?propagationPolicy=Foreground` },
    ],
    [
      "an update that creates the object",
      [],
      {
        method: "PUT",
        path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
        body: configMap("l"),
      },
    ],
    [
      "a replacement",
      [post(`${core}/configmaps`, configMap("m"))],
      { method: "PUT", path: `${core}/configmaps/m`, body: { ...configMap("m"), data: { a: "b" } } },
    ],
    ["the creation of a namespace", [], post("/api/v1/namespaces", configMap("n"))],
    [
      "the deletion of a namespace",
      [post("/api/v1/namespaces", configMap("n"))],
      { method: "DELETE", path: "/api/v1/namespaces/n" },
    ],
    [
      "the creation of a claim",
      [
        post("/apis/storage.k8s.io/v1/storageclasses", {
          metadata: { name: "s", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
          provisioner: "x.io/p",
        }),
      ],
      post(`${core}/persistentvolumeclaims`, {
        metadata: { name: "c" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
    ],
    ["a token", [account], post(`${core}/serviceaccounts/default/token`, { spec: {} })],
  ])("%s", async (_title, prepared, write) => {
    const base = new FailingCluster(smallConfig());
    for (const step of prepared) expect((await base.ask(step)).code).toBeLessThan(300);
    const state = base.snapshot();
    const start = async () => {
      const cluster = new FailingCluster(smallConfig(), state);
      await cluster.ask({ method: "GET", path: "/api/v1/namespaces/default" });
      return cluster;
    };
    const whole = await start();
    const done = await whole.ask(write);
    expect(done.code).toBeLessThan(300);
    const after = whole.changes();
    for (const step of distinctSteps(done.steps)) {
      const where = { step, name: done.steps[step] };
      const cluster = await start();
      const { code, object } = await cluster.ask(write, step);
      const { reason, message } = object;
      expect({ ...where, code, reason, message }).toEqual({ ...where, ...refusal });
      const changes = cluster.changes();
      // The response was lost after the write succeeded.
      const isWhole = changes.size > 0 && changes.size === after.size;
      expect({ ...where, changes }).toEqual({ ...where, changes: isWhole ? after : new Map() });
      if (isWhole) continue;
      const again = await cluster.ask(write);
      expect({ ...where, code: again.code }).toEqual({ ...where, code: done.code });
      expect({ ...where, changes: cluster.changes() }).toEqual({ ...where, changes: after });
    }
  });
});

/** The indexes of the steps, of gates that are read in a row the first and the last: the store does nothing in between. */
function distinctSteps(names: readonly string[]): readonly number[] {
  const isGate = (index: number) => names[index]?.startsWith("gate ") === true;
  return [...names.keys()].filter((index) => ![index - 1, index, index + 1].every(isGate));
}

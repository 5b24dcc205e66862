import { afterEach, expect, test } from "vitest";
import type { ClusterOptions, JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

const open: Workloads[] = [];

afterEach(async () => {
  for (const { cluster } of open.splice(0)) await cluster.close();
});

/** A Deployment of running pods with an autoscaler; each pod requests a core. */
class Autoscaled extends Workloads {
  /** The version of the autoscalers that tests write and read. */
  version = "v2";

  constructor(options: ClusterOptions = {}) {
    super(options);
    if (options.release === "1.20") this.version = "v2beta2";
    open.push(this);
  }

  static async of(
    spec: JsonObject,
    { replicas = 3, ...options }: ClusterOptions & { readonly replicas?: number } = {},
  ): Promise<Autoscaled> {
    const autoscaled = new Autoscaled(options);
    await autoscaled.deploy("web", replicas);
    // The CPU of a pod counts when it was measured for as long as it has been ready.
    await autoscaled.cluster.clock.advance("1m");
    await autoscaled.autoscale("web", spec);
    return autoscaled;
  }

  /** Kubelets say when they started a pod. */
  override report(pod: KubeObject, status: JsonObject): Promise<void> {
    return super.report(pod, { startTime: this.now(), ...status });
  }

  async deploy(app: string, replicas: number): Promise<void> {
    const labels = { app };
    const resources = { requests: { cpu: "1", memory: "1Gi" } };
    const containers = [{ name: "main", image: "i", resources }];
    const template = { metadata: { labels }, spec: { containers } };
    const spec = { replicas, selector: { matchLabels: labels }, template };
    await this.cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: app }, spec });
    await this.runAll();
  }

  async autoscale(
    name: string,
    spec: JsonObject,
    kind = "Deployment",
    apiVersion = "apps/v1",
  ): Promise<void> {
    const scaleTargetRef = { apiVersion, kind, name };
    await this.cluster.create({
      apiVersion: `autoscaling/${this.version}`,
      kind: "HorizontalPodAutoscaler",
      metadata: { name },
      spec: { scaleTargetRef, maxReplicas: 10, ...spec },
    });
    await this.cluster.settle();
  }

  /** Lets the autoscaler look some times, and runs the new pods. */
  async look(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      await this.cluster.clock.advance("15s");
      await this.runAll();
    }
  }

  async replicas(name = "web"): Promise<unknown> {
    return (await this.cluster.get("apps/v1", "Deployment", name)).spec?.replicas;
  }

  async autoscaler(name = "web"): Promise<JsonObject> {
    return this.status(`autoscaling/${this.version}`, "HorizontalPodAutoscaler", name);
  }

  async conditions(name = "web"): Promise<readonly string[]> {
    const { conditions } = await this.autoscaler(name);
    return (conditions as readonly JsonObject[]).map(
      ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
    );
  }
}

const cpu = (averageUtilization: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

test("a target grows with the CPU of its pods", async () => {
  const web = await Autoscaled.of({ metrics: [cpu(50)] });
  await web.cluster.pod({ labels: { app: "web" } }).usage({ cpu: "800m", memory: "1Gi" });
  expect(await web.replicas()).toBe(3);
  await web.look();
  expect(await web.replicas()).toBe(5);
  expect(await web.autoscaler()).toMatchObject({
    currentReplicas: 3,
    desiredReplicas: 5,
    currentMetrics: [
      {
        type: "Resource",
        resource: { name: "cpu", current: { averageUtilization: 80, averageValue: "800m" } },
      },
    ],
  });
  expect(await web.conditions()).toEqual([
    "AbleToScale True SucceededRescale: the HPA controller was able to update the target scale to 5",
    "ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
    "ScalingLimited False DesiredWithinRange: the desired count is within the acceptable range",
  ]);
  expect(await web.events("HorizontalPodAutoscaler")).toEqual([
    "SuccessfulRescale: New size: 5; reason: cpu resource utilization (percentage of request) above target",
  ]);
});

test("without metrics, the status and events say what is missing", async () => {
  const web = await Autoscaled.of({ metrics: [cpu(50)] });
  await web.look(2);
  expect(await web.replicas()).toBe(3);
  const problem =
    "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
  expect(await web.events("HorizontalPodAutoscaler")).toEqual([
    `FailedGetResourceMetric: ${problem}`,
    `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${problem}`,
  ]);
  expect(await web.conditions()).toEqual([
    "AbleToScale True SucceededGetScale: the HPA controller was able to get the target's current scale",
    `ScalingActive False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${problem}`,
  ]);
});

const value = (metric: string, type: "Value" | "AverageValue", amount: string): JsonObject => ({
  metric: { name: metric },
  target: { type, [type === "Value" ? "value" : "averageValue"]: amount },
});

const external = (type: "Value" | "AverageValue", amount: string): JsonObject => ({
  type: "External",
  external: value("queue", type, amount),
});

const web = { apiVersion: "apps/v1", kind: "Deployment", name: "web" } as const;

test.each<[string, JsonObject, number, JsonObject, string]>([
  [
    "of its pods",
    { type: "Pods", pods: value("hits", "AverageValue", "50") },
    6,
    { type: "Pods", pods: { metric: { name: "hits" }, current: { averageValue: "100" } } },
    "pods metric hits",
  ],
  [
    "of an object",
    { type: "Object", object: { ...value("hits", "Value", "200"), describedObject: web } },
    5,
    { type: "Object", object: { metric: { name: "hits" }, current: { value: "300" }, describedObject: web } },
    "Deployment metric hits",
  ],
  [
    "of an object, spread over its pods",
    { type: "Object", object: { ...value("hits", "AverageValue", "75"), describedObject: web } },
    4,
    {
      type: "Object",
      object: { metric: { name: "hits" }, current: { averageValue: "100" }, describedObject: web },
    },
    "external metric hits(nil)",
  ],
  [
    "of something outside of the cluster",
    external("Value", "20"),
    6,
    { type: "External", external: { metric: { name: "queue" }, current: { value: "40" } } },
    "external metric queue(nil)",
  ],
  [
    "of something outside of the cluster, spread over its pods",
    external("AverageValue", "10"),
    4,
    { type: "External", external: { metric: { name: "queue" }, current: { averageValue: "13334m" } } },
    "external metric queue(nil)",
  ],
  [
    "of a container",
    {
      type: "ContainerResource",
      containerResource: {
        name: "memory",
        container: "main",
        target: { type: "AverageValue", averageValue: "512Mi" },
      },
    },
    6,
    {
      type: "ContainerResource",
      containerResource: { name: "memory", current: { averageValue: "1Gi" }, container: "main" },
    },
    "memory resource",
  ],
])("a target grows with a metric %s", async (_title, metric, replicas, status, name) => {
  const scaled = await Autoscaled.of({ metrics: [metric] }, { release: "1.34" });
  const { cluster } = scaled;
  await cluster.pod({ labels: { app: "web" } }).usage({ cpu: "1", memory: "1Gi" });
  await cluster.metrics.custom("hits", "100", { apiVersion: "v1", kind: "Pod", labels: { app: "web" } });
  await cluster.metrics.custom("hits", "300", web);
  await cluster.metrics.external("queue", "40");
  await scaled.look();
  expect(await scaled.autoscaler()).toMatchObject({ desiredReplicas: replicas, currentMetrics: [status] });
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([
    `SuccessfulRescale: New size: ${replicas}; reason: ${name} above target`,
  ]);
});

test("before 1.33, the value of an object that is spread over pods does not say which object it is of", async () => {
  const object = { ...value("hits", "AverageValue", "75"), describedObject: web };
  const scaled = await Autoscaled.of({ metrics: [{ type: "Object", object }] }, { release: "1.32" });
  await scaled.cluster.metrics.custom("hits", "300", web);
  await scaled.look();
  const describedObject = { kind: "", name: "" };
  const { currentMetrics } = await scaled.autoscaler();
  expect(currentMetrics).toEqual([
    {
      type: "Object",
      object: { metric: { name: "hits" }, current: { averageValue: "100" }, describedObject },
    },
  ]);
});

test.each<[string, JsonObject, string, string]>([
  [
    "FailedGetPodsMetric",
    { type: "Pods", pods: value("hits", "AverageValue", "50") },
    "unable to get metric hits: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    "failed to get pods metric value: ",
  ],
  [
    "FailedGetObjectMetric",
    { type: "Object", object: { ...value("hits", "Value", "1"), describedObject: web } },
    "unable to get metric hits: Deployment on default web/unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    "failed to get object metric value: ",
  ],
  [
    "FailedGetExternalMetric",
    external("AverageValue", "10"),
    "unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)",
    "failed to get queue external metric value: failed to get queue external metric: ",
  ],
])("%s without an API of metrics", async (reason, metric, problem, before) => {
  const scaled = await Autoscaled.of({ metrics: [metric] });
  await scaled.look();
  expect(await scaled.conditions()).toContain(
    `ScalingActive False ${reason}: the HPA was unable to compute the replica count: ${problem}`,
  );
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([
    `${reason}: ${problem}`,
    `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: ${before}${problem}`,
  ]);
});

test("a metric without a value keeps a target from shrinking, not from growing", async () => {
  const scaled = await Autoscaled.of({ metrics: [cpu(50), external("AverageValue", "10")] });
  await scaled.cluster.metrics.external("queue", "10");
  await scaled.look();
  expect(await scaled.replicas()).toBe(3);
  expect((await scaled.autoscaler())["currentMetrics"]).toMatchObject([{ type: "" }, { type: "External" }]);
  await scaled.cluster.metrics.external("queue", "50");
  await scaled.look();
  expect(await scaled.replicas()).toBe(5);
});

test.each<[string, JsonObject, number, number, string, string]>([
  [
    "too many",
    { maxReplicas: 2 },
    3,
    2,
    "Current number of replicas above Spec.MaxReplicas",
    "SucceededRescale",
  ],
  [
    "too few",
    { minReplicas: 5 },
    3,
    5,
    "Current number of replicas below Spec.MinReplicas",
    "SucceededRescale",
  ],
])("%s replicas need no metrics", async (_title, spec, replicas, wanted, reason, able) => {
  const scaled = await Autoscaled.of({ metrics: [cpu(50)], ...spec }, { replicas });
  await scaled.look();
  expect(await scaled.replicas()).toBe(wanted);
  expect(await scaled.conditions()).toEqual([
    `AbleToScale True ${able}: the HPA controller was able to update the target scale to ${wanted}`,
  ]);
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([
    `SuccessfulRescale: New size: ${wanted}; reason: ${reason}`,
  ]);
});

test("a target shrinks when no recommendation of five minutes is higher", async () => {
  const scaled = await Autoscaled.of({ metrics: [external("AverageValue", "10")] });
  await scaled.cluster.metrics.external("queue", "10");
  await scaled.look(20);
  expect(await scaled.replicas()).toBe(3);
  expect((await scaled.conditions())[0]).toBe(
    "AbleToScale True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation",
  );
  await scaled.look(2);
  expect(await scaled.replicas()).toBe(1);
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([
    "SuccessfulRescale: New size: 1; reason: All metrics below target",
  ]);
});

test("policies limit how fast a target grows and shrinks", async () => {
  const policies = [{ type: "Pods", value: 1, periodSeconds: 25 }];
  const rules = { policies, stabilizationWindowSeconds: 0 };
  const behavior = { scaleUp: rules, scaleDown: { ...rules, selectPolicy: "Disabled" } };
  const scaled = await Autoscaled.of({ metrics: [external("AverageValue", "10")], behavior });
  const queue = await scaled.cluster.metrics.external("queue", "80");
  const sizes: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    await scaled.look();
    sizes.push(await scaled.replicas());
  }
  expect(sizes).toEqual([4, 4, 5, 5]);
  expect((await scaled.conditions())[2]).toBe(
    "ScalingLimited True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate",
  );
  queue.remove();
  await scaled.cluster.metrics.external("queue", "10");
  await scaled.look(3);
  expect(await scaled.replicas()).toBe(5);
  expect((await scaled.conditions())[2]).toBe(
    "ScalingLimited True ScaleDownLimit: the desired replica count is decreasing faster than the maximum scale rate",
  );
});

test("a target without replicas is not scaled", async () => {
  const scaled = await Autoscaled.of({ metrics: [external("AverageValue", "10")] }, { replicas: 0 });
  await scaled.cluster.metrics.external("queue", "80");
  await scaled.look();
  expect(await scaled.replicas()).toBe(0);
  expect((await scaled.conditions())[1]).toBe(
    "ScalingActive False ScalingDisabled: scaling is disabled since the replica count of the target is zero",
  );
});

test.each<["1.34" | "1.36", readonly string[]]>([
  ["1.34", []],
  ["1.36", ["ScaledToZero False NotScaledToZero: the HPA controller did not scale the workload to zero"]],
])("the feature gate HPAScaleToZero scales to zero and back in %s", async (release, conditions) => {
  const rules = {
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
    stabilizationWindowSeconds: 0,
  };
  const spec = { metrics: [external("AverageValue", "10")], minReplicas: 0, behavior: { scaleDown: rules } };
  const scaled = await Autoscaled.of(spec, { release, featureGates: { HPAScaleToZero: true } });
  await scaled.cluster.metrics.external("queue", "0");
  await scaled.look();
  expect(await scaled.replicas()).toBe(0);
  await scaled.removeTerminating();
  await scaled.cluster.metrics.external("queue", "20");
  await scaled.look();
  expect(await scaled.replicas()).toBe(2);
  expect((await scaled.conditions()).slice(3)).toEqual(conditions);
});

test("autoscalers of the same pods do nothing", async () => {
  const scaled = await Autoscaled.of({ metrics: [external("AverageValue", "10")] });
  const scaleTargetRef = web;
  await scaled.cluster.create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "again" },
    spec: { scaleTargetRef, maxReplicas: 10, metrics: [external("AverageValue", "10")] },
  } as never);
  await scaled.cluster.metrics.external("queue", "80");
  await scaled.look(2);
  const problem = "pods by selector app=web are controlled by multiple HPAs: [default/again default/web]";
  expect((await scaled.conditions())[1]).toBe(`ScalingActive False AmbiguousSelector: ${problem}`);
  expect(await scaled.events("HorizontalPodAutoscaler")).toContain(`AmbiguousSelector: ${problem}`);
});

test.each<[string, string, string, string, string]>([
  ["a missing target", "Deployment", "apps/v1", "none", 'deployments.apps "none" not found'],
  ["an unknown kind", "Thing", "apps/v1", "web", 'no matches for kind "Thing" in group "apps"'],
  [
    "a kind without a scale",
    "DaemonSet",
    "apps/v1",
    "web",
    "the server could not find the requested resource",
  ],
])("%s is an error", async (_title, kind, apiVersion, name, problem) => {
  const scaled = new Autoscaled();
  await scaled.autoscale(name, { metrics: [cpu(50)] }, kind, apiVersion);
  await scaled.look();
  expect(await scaled.conditions(name)).toEqual([
    `AbleToScale False FailedGetScale: the HPA controller was unable to get the target's current scale: ${problem}`,
  ]);
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([`FailedGetScale: ${problem}`]);
});

test("a refused scale is an event", async () => {
  const scaled = await Autoscaled.of({ metrics: [cpu(50)], minReplicas: 5 });
  await scaled.cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "few" },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["apps"],
            apiVersions: ["v1"],
            operations: ["UPDATE"],
            resources: ["deployments/scale"],
          },
        ],
      },
      validations: [{ expression: "object.spec.replicas < 4", message: "too many" }],
    },
  });
  await scaled.cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "few" },
    spec: { policyName: "few", validationActions: ["Deny"] },
  });
  await scaled.look();
  const refused =
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'few' with binding 'few' denied request: too many";
  expect(await scaled.events("HorizontalPodAutoscaler")).toEqual([
    `FailedRescale: New size: 5; reason: Current number of replicas below Spec.MinReplicas; error: ${refused}`,
  ]);
  expect(await scaled.conditions()).toEqual([
    `AbleToScale False FailedUpdateScale: the HPA controller was unable to update the target scale: ${refused}`,
  ]);
});

test("a custom resource with a scale is a target", async () => {
  const scaled = new Autoscaled();
  const { cluster } = scaled;
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } };
  const scale = {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.size",
    labelSelectorPath: ".status.selector",
  };
  const version = { name: "v1", served: true, storage: true, schema, subresources: { status: {}, scale } };
  const names = { plural: "shops", kind: "Shop", singular: "shop", listKind: "ShopList" };
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "shops.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [version] },
  } as never);
  await cluster.settle();
  const shop = { apiVersion: "example.com/v1", kind: "Shop", metadata: { name: "corner" } };
  const made = await cluster.create({ ...shop, spec: { size: 2 } });
  await cluster.update({ ...made, status: { size: 2, selector: "app=shop" } }, { subresource: "status" });
  await scaled.autoscale("corner", { metrics: [external("AverageValue", "10")] }, "Shop", "example.com/v1");
  await cluster.metrics.external("queue", "70");
  await scaled.look();
  expect(await cluster.get("example.com/v1", "Shop", "corner")).toMatchObject({ spec: { size: 4 } });
});

test("a fork goes on by itself, with metrics of its own", async () => {
  const scaled = await Autoscaled.of({ metrics: [cpu(50)] });
  await scaled.cluster.pod({ labels: { app: "web" } }).usage({ cpu: "100m", memory: "1Gi" });
  await scaled.cluster.clock.advance("10s");
  const fork = scaled.cluster.fork();
  try {
    await fork.pod({ labels: { app: "web" } }).usage({ cpu: "800m", memory: "1Gi" });
    await fork.clock.advance("5s");
    await fork.settle();
    expect((await fork.get("apps/v1", "Deployment", "web")).spec?.replicas).toBe(5);
    await scaled.look();
    expect(await scaled.replicas()).toBe(3);
  } finally {
    await fork.close();
  }
});

test.each(["1.20", "1.23"] as const)("%s has the same autoscalers", async (release) => {
  const scaled = await Autoscaled.of({ metrics: [cpu(50)] }, { release });
  await scaled.cluster.pod({ labels: { app: "web" } }).usage({ cpu: "800m", memory: "1Gi" });
  await scaled.look();
  expect(await scaled.replicas()).toBe(5);
  expect((await scaled.conditions())[1]).toContain("ScalingActive True ValidMetricFound");
  await scaled.cluster.delete("autoscaling/v1", "HorizontalPodAutoscaler", "web");
  await scaled.cluster.pod({ labels: { app: "web" } }).usage({ cpu: "2", memory: "1Gi" });
  await scaled.look(2);
  expect(await scaled.replicas()).toBe(5);
});

test("metrics are there after the clock has been advanced by much", async () => {
  const scaled = await Autoscaled.of({ metrics: [external("AverageValue", "10")] });
  await scaled.cluster.metrics.external("queue", "50");
  await scaled.cluster.clock.advance("1h");
  await scaled.cluster.settle();
  await scaled.look(2);
  expect(await scaled.replicas()).toBe(5);
});

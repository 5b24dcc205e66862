import { afterEach, expect, test } from "vitest";
import type { ClusterOptions, JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

const open: Workloads[] = [];

afterEach(async () => {
  for (const { cluster } of open.splice(0)) await cluster.close();
});

/** A Deployment of running pods with an autoscaler; each pod requests a core. */
class Autoscaled extends Workloads {
  constructor(options: ClusterOptions = {}) {
    super(options);
    open.push(this);
  }

  static async of(
    spec: JsonObject,
    { replicas = 3, ...options }: ClusterOptions & { readonly replicas?: number } = {},
  ): Promise<Autoscaled> {
    const autoscaled = new Autoscaled(options);
    await autoscaled.deploy("web", replicas);
    // The CPU of a pod counts when it was measured for as long as it has been ready.
    autoscaled.cluster.clock.advance("1m");
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
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name },
      spec: { scaleTargetRef, maxReplicas: 10, ...spec },
    });
    await this.cluster.settle();
  }

  /** Lets the autoscaler look some times, and runs the new pods. */
  async look(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      this.cluster.clock.advance("15s");
      await this.runAll();
    }
  }

  async replicas(name = "web"): Promise<unknown> {
    return (await this.cluster.get("apps/v1", "Deployment", name)).spec?.replicas;
  }

  async autoscaler(name = "web"): Promise<JsonObject> {
    return this.status("autoscaling/v2", "HorizontalPodAutoscaler", name);
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

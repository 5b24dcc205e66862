import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  type KubeObject,
} from "../../src/index.ts";

/** A cluster whose workload controllers run, without a scheduler and kubelets: the test plays those. */
export class Workloads {
  readonly cluster: Cluster;

  constructor(options: ClusterOptions = {}) {
    this.cluster = createCluster({
      simulate: ["workloads"],
      seed: 7,
      ...options,
    });
  }

  /** The objects of a kind, after the controllers have nothing left to do. */
  async all(apiVersion: string, kind: string): Promise<readonly KubeObject[]> {
    await this.cluster.settle();
    return (await this.cluster.list<KubeObject>(apiVersion, kind)).items;
  }

  pods(): Promise<readonly KubeObject[]> {
    return this.all("v1", "Pod");
  }

  /** The status of an object, after the controllers have nothing left to do. */
  async status(apiVersion: string, kind: string, name: string): Promise<JsonObject> {
    await this.cluster.settle();
    const object = await this.cluster.get<KubeObject>(apiVersion, kind, name);
    // Every object here has a status.
    return object["status"] as JsonObject;
  }

  /** The Events, as `reason: message`, in the order of their first times. */
  async events(kind: string): Promise<readonly string[]> {
    const events = await this.all("v1", "Event");
    const isAbout = (event: KubeObject) => (event["involvedObject"] as JsonObject)["kind"] === kind;
    const order = ({ metadata }: KubeObject) => Number(metadata.resourceVersion);
    const sorted = events.filter(isAbout).toSorted((a, b) => order(a) - order(b));
    return sorted.map(({ reason, message }) => `${reason}: ${message}`);
  }

  /** Binds a pod to a node and says that its containers run. */
  async run(pod: KubeObject, { node = "node-1", isReady = true } = {}): Promise<void> {
    if ((pod["spec"] as JsonObject)["nodeName"] === undefined) await this.bind(pod, node);
    const status = isReady ? "True" : "False";
    await this.report(pod, { phase: "Running", conditions: [this.condition("Ready", status)] });
  }

  /** Runs all pods that do not run yet, once. */
  async runAll(): Promise<void> {
    for (const pod of await this.pods()) {
      if ((pod["status"] as JsonObject)["phase"] === "Pending") await this.run(pod);
    }
    await this.cluster.settle();
  }

  async bind({ metadata: { name = "", namespace = "" } }: KubeObject, node: string): Promise<void> {
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target };
    await this.cluster.create(binding, { subresource: "binding" });
  }

  /** Says how a pod ended. */
  finish(
    pod: KubeObject,
    phase: "Succeeded" | "Failed",
    exitCode = phase === "Failed" ? 1 : 0,
  ): Promise<void> {
    const finishedAt = this.now();
    const terminated = { exitCode, finishedAt, startedAt: finishedAt };
    const state = {
      name: "main",
      image: "i",
      imageID: "",
      restartCount: 0,
      ready: false,
      state: { terminated },
    };
    const conditions = [this.condition("Ready", "False")];
    return this.report(pod, { phase, conditions, containerStatuses: [state] });
  }

  async report({ metadata: { name = "", namespace = "" } }: KubeObject, status: JsonObject): Promise<void> {
    await this.cluster.patch("v1", "Pod", name, { status }, { namespace, subresource: "status" });
  }

  condition(type: string, status: string): JsonObject {
    return { type, status, lastTransitionTime: this.now() };
  }

  now(): string {
    return `${new Date(this.cluster.clock.now()).toISOString().slice(0, 19)}Z`;
  }

  /** Removes a pod at once, as its kubelet would after the grace period. */
  async remove({ metadata: { name = "", namespace = "" } }: KubeObject): Promise<void> {
    await this.cluster.delete("v1", "Pod", name, { namespace, gracePeriodSeconds: 0 });
  }

  /** Removes the pods that terminate, as their kubelets do. */
  async removeTerminating(): Promise<void> {
    for (const pod of await this.pods()) if (pod.metadata.deletionTimestamp) await this.remove(pod);
    await this.cluster.settle();
  }
}

/** The template of pods with one container. */
export function template(app: string, image = "i"): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: "main", image }] } };
}

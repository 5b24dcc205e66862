// What users may write: every expected error must be one, and everything else must compile. The compiler checks this file
// with the sources, and test/package.test.ts compiles it against the package.

import type { Deployment, Pod, PodSpec } from "../../src/catalog/generated/built-in-kinds.ts";
import {
  type ClusterOptions,
  createCluster,
  type JsonObject,
  type KubeList,
  type KubeObject,
  type Status,
} from "../../src/index.ts";

const cluster = createCluster();

/** As generated clients declare objects: a class with optional members and dates. */
class V1ObjectMeta {
  name?: string;
  labels?: { [key: string]: string };
  creationTimestamp?: Date;
}
class V1Pod {
  apiVersion?: string;
  kind?: string;
  metadata?: V1ObjectMeta;
  spec?: { containers: { name: string; image?: string }[] };
  status?: { phase?: string };
}

interface Widget {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: { size: number };
  status?: { ready: boolean };
}

/** Accepts a value of this type, and of no narrower one. */
function isOf<Expected>() {
  return function check<Actual extends Expected>(
    _value: Actual,
    ..._narrower: [Expected] extends [Actual] ? [] : [never]
  ): void {};
}

/** Reads of built-in kinds are typed by their names. */
export async function builtInKinds(): Promise<void> {
  const pod = await cluster.get("v1", "Pod", "web");
  isOf<string | undefined>()(pod.status.phase);
  isOf<string | undefined>()(pod.status?.phase);
  isOf<string>()(pod.metadata.name);
  isOf<string>()(pod.metadata.uid);
  isOf<string>()(pod.metadata.creationTimestamp);
  isOf<"Pod">()(pod.kind);
  isOf<string | undefined>()(pod.spec.containers[0]?.resources?.limits?.["cpu"]);
  isOf<string | number | undefined>()(pod.spec.containers[0]?.livenessProbe?.httpGet?.port);
  // @ts-expect-error a misspelled field
  pod.status.phse;

  const deployment = await cluster.get("apps/v1", "Deployment", "web", { namespace: "a" });
  isOf<number | undefined>()(deployment.spec.replicas);
  deployment.spec.replicas = 3;
  isOf<number | undefined>()((await cluster.update(deployment)).status.readyReplicas);

  const { items, metadata } = await cluster.list("v1", "Secret", { labelSelector: "a=b" });
  isOf<string>()(metadata.resourceVersion);
  isOf<string | undefined>()(items[0]?.data?.["token"]);

  const patched = await cluster.patch("batch/v1", "Job", "once", { spec: { suspend: true } });
  isOf<number | undefined>()(patched.status.succeeded);
  const status = await cluster.as("alice").get("v1", "Node", "n", { subresource: "status" });
  isOf<string | undefined>()(status.status.nodeInfo?.kubeletVersion);
}

/** Reads of other kinds, and of names that are not known at compile time, give any object. */
export async function otherKinds(version: string, kind: string): Promise<void> {
  isOf<KubeObject>()(await cluster.get("example.com/v1", "Widget", "a"));
  isOf<KubeObject>()(await cluster.get(version, kind, "a"));
  isOf<KubeObject>()(await cluster.get("v1", kind, "a"));
  isOf<KubeObject>()(await cluster.get("apps/v1", "Deployment", "web", { subresource: "scale" }));
  isOf<KubeList>()(await cluster.list(version, kind));
}

/** Watches and waits are typed like reads. */
export async function watchesAndWaits(version: string): Promise<void> {
  for await (const { type, object } of cluster.watch("v1", "Pod", { namespace: "a" })) {
    isOf<"ADDED" | "MODIFIED" | "DELETED">()(type);
    isOf<string | undefined>()(object.status.phase);
  }
  for await (const { object } of cluster.watch<Widget>("example.com/v1", "Widget")) isOf<Widget>()(object);

  const web = { apiVersion: "apps/v1", kind: "Deployment", name: "web" } as const;
  const ready = await cluster.waitFor(web, (deployment) => deployment.status.readyReplicas === 3);
  isOf<number | undefined>()(ready.spec.replicas);
  const pods = await cluster.waitFor({ apiVersion: "v1", kind: "Pod" }, (items) => items.length > 2, {
    timeout: "5s",
  });
  isOf<string | undefined>()(pods[0]?.status.phase);
  isOf<void>()(await cluster.waitFor(web, "deleted"));
  const widget = { apiVersion: "example.com/v1", kind: "Widget", name: "a" };
  isOf<Widget>()(await cluster.waitFor<Widget>(widget, ({ spec }) => spec.size > 1));
  const any = { apiVersion: version, kind: "Pod", name: "a" };
  isOf<KubeObject>()(await cluster.as("alice").waitFor(any, ({ metadata }) => metadata.uid !== ""));
  // @ts-expect-error a misspelled field
  await cluster.waitFor({ apiVersion: "v1", kind: "Pod", name: "a" }, (pod) => pod.stats !== undefined);
}

/** A type argument is the type of the result. */
export async function genericReads(): Promise<void> {
  isOf<V1Pod>()(await cluster.get<V1Pod>("v1", "Pod", "web"));
  isOf<Widget>()(await cluster.get<Widget>("example.com/v1", "Widget", "a"));
  isOf<readonly Widget[]>()((await cluster.list<Widget>("example.com/v1", "Widget")).items);
  isOf<Widget>()(await cluster.patch<Widget>("example.com/v1", "Widget", "a", { spec: { size: 2 } }));
  isOf<Promise<Widget>>()(read<Widget>("Widget"));
  // @ts-expect-error an unknown option
  await cluster.get("v1", "Pod", "web", { namespce: "a" });
  // @ts-expect-error a number is not a name
  await cluster.get("v1", "Pod", 1);
}

function read<T extends object>(kind: string): Promise<T> {
  return cluster.get<T>("example.com/v1", kind, "a");
}

export function write<T extends object>(object: T): Promise<T> {
  return cluster.create(object);
}

/** Writes accept any object, and return what the server returns. */
export async function writes(widget: Widget, pod: V1Pod, json: JsonObject, any: object): Promise<void> {
  const spec: PodSpec = { containers: [{ name: "a", image: "nginx" }] };
  const manifest: Pod = { apiVersion: "v1", kind: "Pod", metadata: { generateName: "web-" }, spec };
  isOf<string>()((await cluster.create(manifest)).metadata.name);
  const literal = await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec });
  isOf<string | undefined>()(literal.status.podIP);
  const invalid = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { containers: "none" } };
  isOf<string | undefined>()((await cluster.create(invalid)).metadata.uid);

  isOf<Widget>()(await cluster.create(widget));
  isOf<Widget>()(await cluster.update(widget, { subresource: "status" }));
  isOf<Widget>()(await cluster.apply(widget, { force: true }));
  isOf<V1Pod>()(await cluster.create(pod));
  isOf<V1Pod>()(await cluster.update(new V1Pod()));
  isOf<string>()((await cluster.create(json)).kind);
  isOf<object>()(await cluster.create(any));
  await cluster.load([widget, pod, manifest, json]);
  await cluster.as("alice").load([widget, pod]);

  const deleted: KubeObject | Status = await cluster.delete("v1", "Pod", "web");
  const options: ClusterOptions = { objects: [widget, pod, manifest, json, "kind: Namespace"] };
  createCluster(options);
  createCluster({ objects: pod });
  const object: KubeObject = await cluster.get("v1", "Pod", deleted.kind);
  const list: KubeList = await cluster.list("apps/v1", "Deployment");
  await cluster.update(list.items[0] ?? object);

  // @ts-expect-error text is not an object
  await cluster.create("kind: Pod");
  // @ts-expect-error a DeploymentSpec has no containers
  const wrong: Deployment["spec"] = { selector: {}, template: {}, containers: [] };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: wrong });
}

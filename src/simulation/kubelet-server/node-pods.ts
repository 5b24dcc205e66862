import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";

const pods = { group: "", resource: "pods" };
const statusLists = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];

/** A container that runs on a node. */
export interface RunningContainer {
  readonly name: string;
  readonly image: string;
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The pods that are bound to a node. */
export function podsOn(lister: Lister, node: KubeObject): readonly KubeObject[] {
  const { name } = node.metadata;
  return lister.list(pods, "").filter((pod) => textAt(pod, "spec", "nodeName") === name);
}

/** The pod of a node; undefined if there is none of the name on it. */
export function podOn(
  lister: Lister,
  node: KubeObject,
  namespace: string,
  name: string,
): KubeObject | undefined {
  const pod = lister.get(pods, namespace, name);
  return pod && textAt(pod, "spec", "nodeName") === node.metadata.name ? pod : undefined;
}

/** The containers of a pod that run, as far as its status says. */
export function runningContainers(pod: KubeObject): readonly RunningContainer[] {
  return statusLists
    .flatMap((list) => listAt(pod, "status", list))
    .filter((status) => textAt(status, "state", "running", "startedAt") !== "")
    .map((status) => ({
      name: textAt(status, "name"),
      image: textAt(status, "image"),
      id: textAt(status, "containerID").replace(/^.*:\/\//, ""),
      startedAt: timeMilliseconds(textAt(status, "state", "running", "startedAt")),
    }));
}

/** The container of a pod with this name, as its specification has it. */
export function specOf(pod: KubeObject, container: string): JsonObject | undefined {
  const lists = ["containers", "initContainers", "ephemeralContainers"];
  return lists
    .flatMap((list) => listAt(pod, "spec", list))
    .find((spec) => textAt(spec, "name") === container);
}

/** What `/pods` answers: the pods as the kubelet has got them from the API server. */
export function boundPods(bound: readonly KubeObject[]): string {
  return listText(
    bound.map(({ kind: _kind, apiVersion: _version, metadata, ...rest }) => {
      const seen = textAt(rest, "status", "startTime") || metadata.creationTimestamp || "";
      const annotations = {
        ...metadata.annotations,
        "kubernetes.io/config.seen": seen,
        "kubernetes.io/config.source": "api",
      };
      return { metadata: { ...metadata, annotations }, ...rest };
    }),
  );
}

/** What `/runningpods/` answers: what the container runtime knows of the pods with running containers. */
export function runtimePods(bound: readonly KubeObject[], since: Since): string {
  const running = bound.flatMap((pod) => {
    const containers = runningContainers(pod).map(({ name, image }) => ({ name, image, resources: {} }));
    if (containers.length === 0) return [];
    const { name = "", namespace = "", uid = "" } = pod.metadata;
    // An empty time is left out since its type has a zero value in JSON.
    const created = since("1.34") ? {} : { creationTimestamp: null };
    return [{ metadata: { name, namespace, uid, ...created }, spec: { containers }, status: {} }];
  });
  return listText(running);
}

/** A list as the codec of the API writes it; one without items has none. */
function listText(items: readonly object[]): string {
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: items.length === 0 ? null : items };
  return `${JSON.stringify(list)}\n`;
}

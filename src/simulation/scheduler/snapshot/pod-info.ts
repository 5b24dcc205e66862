import { listAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Labels } from "../../../apimachinery/validation/label-requirement.ts";
import { type Resources, requestsOf, scoredRequests } from "./resources.ts";

/** What the scheduler knows of a pod. */
export interface PodInfo {
  readonly pod: KubeObject;
  /** Namespace and name, with a slash. */
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: JsonObject;
  readonly priority: number;
  readonly requests: Resources;
  readonly scored: Resources;
  readonly ports: readonly HostPort[];
  /** The uid of the replica set or stateful set that controls it; empty if there is none. */
  readonly owner: string;
}

/** A port of the node that a pod uses. */
export interface HostPort {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

const anyAddress = "0.0.0.0";

/** The kinds whose pods are spread by default (plugins/helper/spread.go). */
const spreadKinds: ReadonlySet<string> = new Set(["ReplicationController", "ReplicaSet", "StatefulSet"]);

export function podInfo(pod: KubeObject): PodInfo {
  const { namespace = "", name = "", labels = {}, ownerReferences = [] } = pod.metadata;
  const spec = structAt(pod, "spec");
  const requests = requestsOf(spec);
  const owner = ownerReferences.find(
    (reference) => reference["controller"] === true && spreadKinds.has(reference.kind),
  );
  return {
    pod,
    key: `${namespace}/${name}`,
    namespace,
    labels,
    spec,
    priority: numberAt(spec, "priority"),
    requests,
    scored: scoredRequests(spec, requests),
    ports: hostPorts(spec),
    owner: owner === undefined ? "" : textAt(owner, "uid"),
  };
}

/** The terms of pod affinity or anti-affinity that are required. */
export function requiredTerms(
  { spec }: PodInfo,
  affinity: "podAffinity" | "podAntiAffinity",
): readonly JsonObject[] {
  return listAt(spec, "affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution");
}

/** The preferred terms, with their weights. */
export function preferredTerms(
  { spec }: PodInfo,
  affinity: "podAffinity" | "podAntiAffinity",
): readonly JsonObject[] {
  return listAt(spec, "affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution");
}

export function hasPodAffinity({ spec }: PodInfo): boolean {
  return (
    objectAt(spec, "affinity", "podAffinity") !== undefined ||
    objectAt(spec, "affinity", "podAntiAffinity") !== undefined
  );
}

/** Whether two pods cannot be on one node because of these ports. */
export function isPortConflict(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.address === b.address || a.address === anyAddress || b.address === anyAddress;
}

/** The ports of containers that stay. Upstream: `GetHostPorts` (pkg/scheduler/util/utils.go). */
function hostPorts(spec: JsonObject): readonly HostPort[] {
  const sidecars = listAt(spec, "initContainers").filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...sidecars, ...listAt(spec, "containers")].flatMap((container) =>
    listAt(container, "ports").flatMap((port) => {
      const hostPort = numberAt(port, "hostPort");
      if (hostPort === 0) return [];
      const address = textAt(port, "hostIP") || anyAddress;
      return [{ protocol: textAt(port, "protocol") || "TCP", address, port: hostPort }];
    }),
  );
}

import { booleanAt, listAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Labels } from "../../../apimachinery/validation/label-requirement.ts";
import type { HostPort, PodInfo } from "./pod-info.ts";
import {
  addedResources,
  noResources,
  type Resources,
  resourcesOf,
  subtractedResources,
} from "./resources.ts";

/** What the scheduler knows of a node and of the pods on it. It does not change: a pod more makes another one. */
export interface NodeInfo {
  readonly name: string;
  readonly node: KubeObject;
  readonly labels: Labels;
  readonly taints: readonly JsonObject[];
  /** The images that the node reports. */
  readonly images: readonly JsonObject[];
  readonly isUnschedulable: boolean;
  readonly allocatable: Resources;
  readonly usage: NodeUsage;
}

/** What the pods on a node take up. */
export interface NodeUsage {
  readonly pods: number;
  readonly requested: Resources;
  /** The requests as scores count them. */
  readonly scored: Resources;
  readonly ports: readonly HostPort[];
}

export const noUsage: NodeUsage = { pods: 0, requested: noResources, scored: noResources, ports: [] };

export function nodeInfo(node: KubeObject, usage: NodeUsage): NodeInfo {
  const { name = "", labels = {} } = node.metadata;
  return {
    name,
    node,
    // Keys that pods name, such as "constructor", must not lead to a prototype.
    labels: Object.assign(Object.create(null), labels),
    taints: listAt(node, "spec", "taints"),
    images: listAt(node, "status", "images"),
    isUnschedulable: booleanAt(node, "spec", "unschedulable"),
    allocatable: resourcesOf(structAt(node, "status", "allocatable")),
    usage,
  };
}

export function usageWith(usage: NodeUsage, { requests, scored, ports }: PodInfo): NodeUsage {
  return {
    pods: usage.pods + 1,
    requested: addedResources(usage.requested, requests),
    scored: addedResources(usage.scored, scored),
    ports: ports.length === 0 ? usage.ports : [...usage.ports, ...ports],
  };
}

export function usageWithout(usage: NodeUsage, { requests, scored, ports }: PodInfo): NodeUsage {
  return {
    pods: usage.pods - 1,
    requested: subtractedResources(usage.requested, requests),
    scored: subtractedResources(usage.scored, scored),
    ports: ports.length === 0 ? usage.ports : usage.ports.filter((port) => !ports.includes(port)),
  };
}

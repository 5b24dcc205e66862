import type { Release } from "../../../apimachinery/release.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

const claimScope = "VolumeAttributesClass";

/** The scopes, each with the release that introduced it. */
const scopes: ReadonlyMap<string, Release> = new Map<string, Release>([
  ["Terminating", "1.16"],
  ["NotTerminating", "1.16"],
  ["BestEffort", "1.16"],
  ["NotBestEffort", "1.16"],
  ["PriorityClass", "1.16"],
  ["CrossNamespacePodAffinity", "1.21"],
  [claimScope, "1.34"],
]);
const computeResources: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "limits.cpu",
  "limits.memory",
  "requests.cpu",
  "requests.memory",
]);
const otherResources: ReadonlySet<string> = new Set([
  "ephemeral-storage",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Whether a scope exists in a release. */
export function isScope(name: string, { since, isEnabled }: FeatureGates): boolean {
  const first = scopes.get(name);
  if (first === undefined || !since(first)) return false;
  return name !== claimScope || isEnabled(claimScope);
}

/** Whether a scope selects objects by the name of a class. */
export function isScopeOfNames(name: string): boolean {
  return name === "PriorityClass" || name === claimScope;
}

/** Whether quotas have a resource with this unqualified name. */
export function isQuotaResource(name: string): boolean {
  return computeResources.has(name) || otherResources.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Whether a quota with a scope can limit a resource. One scope is for claims, the others are for pods. */
export function fitsScope(scope: string, resource: string): boolean {
  if (scope === claimScope) return resource === "persistentvolumeclaims" || resource === "requests.storage";
  if (!scopes.has(scope) || resource === "pods") return true;
  return scope !== "BestEffort" && computeResources.has(resource);
}

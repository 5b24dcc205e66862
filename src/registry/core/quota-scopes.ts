const scopes: ReadonlySet<string> = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
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

/** Whether there is such a scope. */
export function isScope(name: string): boolean {
  return scopes.has(name);
}

/** Whether a name without a domain is something that quotas count. */
export function isQuotaResource(name: string): boolean {
  return computeResources.has(name) || otherResources.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Whether a resource can be counted within a scope: scopes are of pods. */
export function fitsScope(scope: string, resource: string): boolean {
  if (!scopes.has(scope) || resource === "pods") return true;
  return scope !== "BestEffort" && computeResources.has(resource);
}

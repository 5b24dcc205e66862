import {
  booleanAt,
  listAt,
  numberAt,
  objectAt,
  structAt,
  textAt,
  valueAt,
} from "../../apimachinery/fields.ts";
import { formatGroupResource, type GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import {
  type Amounts,
  amountsIn,
  amountsOf,
  amountsOfPod,
  hasPodLevelResources,
  sumOf,
} from "../../kinds/quantities/resource-amounts.ts";

/** What upstream counted before it counted everything as `count/…`. */
const countedByName = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
]);
/** What of a pod counts under its bare name as well. */
const bareRequests = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/;
const podResources =
  /^(pods|count\/pods|cpu|memory|ephemeral-storage|hugepages-.+|requests\..+|limits\.(cpu|memory|ephemeral-storage))$/;
const serviceResources = /^(services|count\/services|services\.(nodeports|loadbalancers))$/;
const claimResources =
  /^(persistentvolumeclaims|count\/persistentvolumeclaims|requests\.storage|.+\.storageclass\.storage\.k8s\.io\/(requests\.storage|persistentvolumeclaims))$/;
/** What every container must ask for when a quota limits it. */
const askedFor = /^((requests\.|limits\.)?(cpu|memory))$/;

/** Whether an object of this resource may use something of what a quota limits under this name. */
export function isCounted(gr: GroupResource, name: string): boolean {
  if (isCore(gr, "pods")) return podResources.test(name);
  if (isCore(gr, "services")) return serviceResources.test(name);
  if (isCore(gr, "persistentvolumeclaims")) return claimResources.test(name);
  return objectCount(gr).has(name);
}

/** What one object uses, by the names that quotas have for it. Follows upstream's evaluators. */
export function usageOf(gr: GroupResource, object: KubeObject): Amounts {
  const count = objectCount(gr);
  const spec = structAt(object, "spec");
  if (isCore(gr, "pods")) return sumOf(count, podUsage(spec));
  if (isCore(gr, "services")) return sumOf(count, serviceUsage(spec));
  if (isCore(gr, "persistentvolumeclaims")) return sumOf(count, claimUsage(object, spec));
  return count;
}

/** What containers leave open that a quota limits: `must specify requests.cpu for: a,b`; nothing if nothing is. */
export function unspecified(pod: KubeObject, limited: readonly string[]): string {
  const spec = structAt(pod, "spec");
  if (hasPodLevelResources(spec)) return "";
  const required = limited.filter((name) => askedFor.test(name)).sort();
  const missing = required.flatMap((name) => {
    const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")]
      .filter((container) => !byQuotaNames(container).has(name))
      .map((container) => textAt(container, "name"));
    return containers.length === 0 ? [] : [`${name} for: ${containers.sort().join(",")}`];
  });
  return missing.length === 0 ? "" : `must specify ${missing.join("; ")}`;
}

function isCore({ group, resource }: GroupResource, name: string): boolean {
  return group === "" && resource === name;
}

const one = parseQuantity("1");

function objectCount(gr: GroupResource): Amounts {
  const count = new Map([[`count/${formatGroupResource(gr)}`, one]]);
  if (gr.group === "" && countedByName.has(gr.resource)) count.set(gr.resource, one);
  return count;
}

function podUsage(spec: JsonObject): Amounts {
  const overhead = amountsIn(objectAt(spec, "overhead"));
  const requests = sumOf(amountsOfPod(spec, "requests"), overhead);
  const limits = amountsOfPod(spec, "limits");
  const limited = new Map([...overhead].filter(([name]) => limits.has(name)));
  return named(requests, sumOf(limits, limited));
}

function byQuotaNames(container: JsonObject): Amounts {
  return named(amountsOf(container, "requests"), amountsOf(container, "limits"));
}

function named(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map<string, ReturnType<typeof parseQuantity>>();
  for (const [name, amount] of requests) {
    usage.set(`requests.${name}`, amount);
    if (bareRequests.test(name)) usage.set(name, amount);
  }
  for (const [name, amount] of limits) usage.set(`limits.${name}`, amount);
  return usage;
}

function serviceUsage(spec: JsonObject): Amounts {
  const type = textAt(spec, "type");
  const usage = new Map<string, ReturnType<typeof parseQuantity>>();
  if (type !== "NodePort" && type !== "LoadBalancer") return usage;
  const ports = listAt(spec, "ports");
  const areAllocated =
    type === "NodePort" ||
    valueAt(spec, "allocateLoadBalancerNodePorts") === undefined ||
    booleanAt(spec, "allocateLoadBalancerNodePorts");
  const counted = areAllocated ? ports : ports.filter((port) => numberAt(port, "nodePort") !== 0);
  usage.set("services.nodeports", parseQuantity(String(counted.length)));
  if (type === "LoadBalancer") usage.set("services.loadbalancers", one);
  return usage;
}

const betaClass = "volume.beta.kubernetes.io/storage-class";

function claimUsage(claim: KubeObject, spec: JsonObject): Amounts {
  const usage = new Map<string, ReturnType<typeof parseQuantity>>();
  const storage = amountsOf(spec, "requests").get("storage");
  const className = claim.metadata.annotations?.[betaClass] ?? textAt(spec, "storageClassName");
  const ofClass = `${className}.storageclass.storage.k8s.io/`;
  if (className !== "") usage.set(`${ofClass}persistentvolumeclaims`, one);
  if (storage === undefined) return usage;
  usage.set("requests.storage", storage);
  if (className !== "") usage.set(`${ofClass}requests.storage`, storage);
  return usage;
}

import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Quantity } from "../../../apimachinery/quantity.ts";
import type { QuotaEvaluator } from "../../../registry/contract/quota-evaluator.ts";
import {
  type Amounts,
  amountsIn,
  amountsOf,
  amountsOfPod,
  hasPodLevelResources,
  sumOf,
} from "../../quantities/resource-amounts.ts";
import { isFinishedPod } from "./finished-pod.ts";
import { specInResize } from "./pod-in-resize.ts";
import { matchesPodScope } from "./pod-quota-scopes.ts";

/** Requests that also count under the names without `requests.`. */
const bareRequests = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/;
const podResources =
  /^(cpu|memory|ephemeral-storage|hugepages-.+|requests\..+|limits\.(cpu|memory|ephemeral-storage))$/;
/** Resources that every container must specify when a quota limits them. */
const requiredResources = /^((requests\.|limits\.)?(cpu|memory))$/;

/** What quotas count of pods. Upstream: pkg/quota/v1/evaluator/core/pods.go. */
export const podQuota: QuotaEvaluator = {
  objectCountName: "pods",
  chargesUpdateOf: "resize",
  matches: (name) => podResources.test(name),
  usage: podUsage,
  isFinished: isFinishedPod,
  constraints: missingResources,
  matchesScope: matchesPodScope,
};

function podUsage(pod: KubeObject): Amounts {
  const spec = specInResize(pod);
  const overhead = amountsIn(objectAt(spec, "overhead"));
  const requests = sumOf(amountsOfPod(spec, "requests"), overhead);
  const limits = amountsOfPod(spec, "limits");
  const limitedOverhead = new Map([...overhead].filter(([name]) => limits.has(name)));
  return quotaNames(requests, sumOf(limits, limitedOverhead));
}

/** `must specify requests.cpu for: a,b`. */
function missingResources(pod: KubeObject, limited: readonly string[]): string {
  const spec = structAt(pod, "spec");
  if (hasPodLevelResources(spec)) return "";
  const required = limited.filter((name) => requiredResources.test(name)).sort();
  const missing = required.flatMap((name) => {
    const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")]
      .filter((container) => !containerUsage(container).has(name))
      .map((container) => textAt(container, "name"));
    return containers.length === 0 ? [] : [`${name} for: ${containers.sort().join(",")}`];
  });
  return missing.length === 0 ? "" : `must specify ${missing.join("; ")}`;
}

function containerUsage(container: JsonObject): Amounts {
  return quotaNames(amountsOf(container, "requests"), amountsOf(container, "limits"));
}

function quotaNames(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    usage.set(`requests.${name}`, amount);
    if (bareRequests.test(name)) usage.set(name, amount);
  }
  for (const [name, amount] of limits) usage.set(`limits.${name}`, amount);
  return usage;
}

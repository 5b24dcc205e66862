import { structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type Amounts, amountsIn, amountsOfPod, sumOf } from "../../../kinds/quantities/resource-amounts.ts";

/** Amounts by resource: thousandths of cores for `cpu`, whole units for all others. */
export type Resources = ReadonlyMap<string, number>;

/** What a container without requests counts for in scores (kubernetes, pkg/scheduler/util/pod_resources.go). */
const leastScored: Resources = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 * 1024],
]);

export const noResources: Resources = new Map();

/** What a pod requests, with its overhead. */
export function requestsOf(spec: JsonObject): Resources {
  const overhead = structAt(spec, "overhead");
  return fromAmounts(sumOf(amountsOfPod(spec, "requests"), amountsIn(overhead)));
}

/** The amounts of a node. */
export function resourcesOf(amounts: JsonObject): Resources {
  return new Map(Object.entries(amounts).map(([name, text]) => [name, scaled(name, String(text))]));
}

/** The requests as scores count them: no container requests nothing. `containers` is their number. */
export function scoredRequests(requests: Resources, containers: number): Resources {
  return new Map(
    [...leastScored].map(([name, least]) => [name, requests.get(name) || least * Math.max(1, containers)]),
  );
}

export function addedResources(sum: Resources, more: Resources): Resources {
  if (more.size === 0) return sum;
  const result = new Map(sum);
  for (const [name, amount] of more) result.set(name, (result.get(name) ?? 0) + amount);
  return result;
}

export function subtractedResources(sum: Resources, less: Resources): Resources {
  if (less.size === 0) return sum;
  const result = new Map(sum);
  for (const [name, amount] of less) result.set(name, (result.get(name) ?? 0) - amount);
  return result;
}

function fromAmounts(amounts: Amounts): Resources {
  return new Map(
    [...amounts].map(([name, amount]) => [name, Number(amount.scaledValue(name === "cpu" ? -3 : 0))]),
  );
}

function scaled(name: string, text: string): number {
  return Number(parseQuantity(text).scaledValue(name === "cpu" ? -3 : 0));
}

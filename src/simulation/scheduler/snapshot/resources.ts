import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type Amounts, amountsIn, amountsOfPod, sumOf } from "../../../kinds/quantities/resource-amounts.ts";

/** Amounts by resource: thousandths of cores for `cpu`, whole units for all others. */
export type Resources = ReadonlyMap<string, number>;

/** What a container without requests counts for in scores (kubernetes, pkg/scheduler/util/pod_resources.go). */
const leastScored = { cpu: "100m", memory: "200Mi" };

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

/**
 * The requests as scores count them: a container that says nothing about cores or memory requests a little. Upstream:
 * `NonMissingContainerRequests` (component-helpers, resource/helpers.go).
 */
export function scoredRequests(spec: JsonObject, requests: Resources): Resources {
  const lists = ["initContainers", "containers"] as const;
  const isComplete = lists.every((list) =>
    listAt(spec, list).every((container) => {
      const own = objectAt(container, "resources", "requests");
      return own?.["cpu"] !== undefined && own["memory"] !== undefined;
    }),
  );
  if (isComplete) return requests;
  const filled = (container: JsonObject): JsonObject => {
    const resources = structAt(container, "resources");
    return {
      ...container,
      resources: { ...resources, requests: { ...leastScored, ...structAt(resources, "requests") } },
    };
  };
  return requestsOf({
    ...spec,
    initContainers: listAt(spec, "initContainers").map(filled),
    containers: listAt(spec, "containers").map(filled),
  });
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

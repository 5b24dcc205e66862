import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";
import { compareText } from "../../apimachinery/text-order.ts";

/** Quantities by resource name, in the order of the names. */
export type Amounts = ReadonlyMap<string, Quantity>;

export type ResourceSection = "requests" | "limits";

/** The quantities in a map. */
export function amountsIn(list: JsonObject | undefined): Amounts {
  const entries = Object.entries(list ?? {}).sort(([a], [b]) => compareText(a, b));
  return new Map(entries.map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

/** The requests or limits of a container or a claim. */
export function amountsOf(holder: JsonObject, section: ResourceSection): Amounts {
  return amountsIn(objectAt(holder, "resources", section));
}

/** The negated quantities. */
export function negated(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([resource, amount]) => [resource, amount.negate()]));
}

/** The sums by resource. */
export function sumOf(a: Amounts, b: Amounts): Amounts {
  return combined(a, b, (left, right) => left.add(right));
}

/**
 * The requests or limits of a pod without overhead: pod-level resources take precedence over the sum of the
 * containers. Upstream: `PodRequests` and `PodLimits`.
 */
export function amountsOfPod(spec: JsonObject, section: ResourceSection): Amounts {
  const own = [...amountsOf(spec, section)].filter(([name]) => isPodLevelResource(name));
  const ofContainers = amountsOfContainers(spec, section);
  return own.length === 0 ? ofContainers : combined(ofContainers, new Map(own), (_, asAWhole) => asAWhole);
}

/** Whether a resource can be set on pod level. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

/** Whether a pod sets any pod-level resource. */
export function hasPodLevelResources(spec: JsonObject): boolean {
  return (["requests", "limits"] as const).some((section) =>
    Object.keys(objectAt(spec, "resources", section) ?? {}).some(isPodLevelResource),
  );
}

/**
 * The resources that the containers of a pod need at most at one time. Containers and sidecars run together; each init
 * container runs before them, together with the sidecars that are already started.
 */
export function amountsOfContainers(spec: JsonObject, section: ResourceSection): Amounts {
  let sidecars: Amounts = new Map();
  let initial: Amounts = new Map();
  for (const container of listAt(spec, "initContainers")) {
    const own = amountsOf(container, section);
    if (textAt(container, "restartPolicy") === "Always") {
      sidecars = sumOf(sidecars, own);
      initial = largestOf(initial, sidecars);
    } else {
      initial = largestOf(initial, sumOf(sidecars, own));
    }
  }
  const running = listAt(spec, "containers").reduce(
    (sum, container) => sumOf(sum, amountsOf(container, section)),
    sidecars,
  );
  return largestOf(running, initial);
}

function largestOf(a: Amounts, b: Amounts): Amounts {
  return combined(a, b, (left, right) => (left.compare(right) < 0 ? right : left));
}

function combined(a: Amounts, b: Amounts, combine: (left: Quantity, right: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const known = result.get(name);
    result.set(name, known === undefined ? amount : combine(known, amount));
  }
  return new Map([...result].sort(([left], [right]) => compareText(left, right)));
}

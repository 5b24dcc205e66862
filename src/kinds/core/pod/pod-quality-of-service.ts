import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../../../apimachinery/quantity.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";

export type QualityOfService = "Guaranteed" | "Burstable" | "BestEffort";

const computeResources = ["cpu", "memory"];

/**
 * The QoS class of a pod, by its pod-level resources or else by those of its containers. Upstream:
 * pkg/apis/core/v1/helper/qos/qos.go, ComputePodQOS.
 */
export function qualityOfService(spec: JsonObject): QualityOfService {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isLimited = true;
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  for (const holder of spec["resources"] === undefined ? containers : [spec]) {
    addUp(requests, objectAt(holder, "resources", "requests"));
    const limited = addUp(limits, objectAt(holder, "resources", "limits"));
    if (limited < computeResources.length) isLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  if (!isLimited || requests.size !== limits.size) return "Burstable";
  for (const [name, amount] of requests) {
    if (limits.get(name)?.compare(amount) !== 0) return "Burstable";
  }
  return "Guaranteed";
}

/** Adds amounts to the sums, and returns the number of amounts. */
function addUp(sums: Map<string, Quantity>, amounts: JsonObject | undefined): number {
  if (amounts === undefined) return 0;
  const added = positiveAmounts(amounts);
  for (const { name, amount } of added) sums.set(name, sums.get(name)?.add(amount) ?? amount);
  return added.length;
}

/** The amounts of compute resources that are not zero. Many pods share theirs. */
const positiveAmounts = rememberedByPart((amounts: JsonObject) =>
  computeResources.flatMap((name) => {
    const text = textAt(amounts, name);
    const amount = text === "" ? undefined : parseQuantity(text);
    return amount === undefined || amount.sign <= 0 ? [] : [{ name, amount }];
  }),
);

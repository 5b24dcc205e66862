import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, ifSet } from "../../defaulting/defaulter.ts";
import { amountsFrom, roundedAmounts } from "../../quantities/resource-list.ts";

/** The defaults of a Node. Everything in its capacity is allocatable unless `allocatable` is set. */
export const nodeDefaults: Defaulter = all(
  ifSet("spec", reconcilePodCidrs),
  ifSet("status", allocatableFromCapacity, roundedAmounts("capacity", "allocatable")),
);

/** Makes `podCIDR` and `podCIDRs` agree for clients that know only one of the two; `podCIDR` takes precedence. */
function reconcilePodCidrs(spec: MutableJsonObject): void {
  const { podCIDR, podCIDRs } = spec;
  const [first] = Array.isArray(podCIDRs) ? podCIDRs : [];
  if (podCIDR && podCIDR !== first) spec["podCIDRs"] = [podCIDR];
  else if (!podCIDR && first) spec["podCIDR"] = first;
}

const fromCapacity = amountsFrom("capacity", "allocatable");

function allocatableFromCapacity(status: MutableJsonObject): void {
  if (status["allocatable"] === undefined) fromCapacity(status);
}

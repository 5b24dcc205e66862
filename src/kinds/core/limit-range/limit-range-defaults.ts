import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet } from "../../defaulting/defaulter.ts";
import { amountsFrom, roundedAmounts } from "../../quantities/resource-list.ts";

export const limitRangeDefaults: Defaulter = ifSet(
  "spec",
  each(
    "limits",
    containerLimits,
    roundedAmounts("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"),
  ),
);

const limitsAndRequests = all(
  amountsFrom("max", "default"),
  amountsFrom("default", "defaultRequest"),
  amountsFrom("min", "defaultRequest"),
);

function containerLimits(limit: MutableJsonObject): void {
  if (limit["type"] === "Container") limitsAndRequests(limit);
}

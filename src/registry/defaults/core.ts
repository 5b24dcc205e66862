import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, inStruct, structAt, whenZero } from "./defaulter.ts";
import { amountsFrom, roundedAmounts } from "./resource-list.ts";

/** Secret */
export const secretDefaults: Defaulter = whenZero({ type: "Opaque" });

/** Endpoints */
export const endpointsDefaults: Defaulter = each("subsets", each("ports", whenZero({ protocol: "TCP" })));

/** Namespace: whoever names it owns the label with the name. Generated names are labeled by the strategy. */
export const namespaceDefaults: Defaulter = all(
  inStruct("status", whenZero({ phase: "Active" })),
  labelWithName,
);

/** Node: all that it has can be allocated, unless it says otherwise. */
export const nodeDefaults: Defaulter = ifSet(
  "status",
  allocatableFromCapacity,
  roundedAmounts("capacity", "allocatable"),
);

/** ResourceQuota */
export const resourceQuotaDefaults: Defaulter = all(
  ifSet("spec", roundedAmounts("hard")),
  ifSet("status", roundedAmounts("hard", "used")),
);

/** LimitRange */
export const limitRangeDefaults: Defaulter = ifSet(
  "spec",
  each(
    "limits",
    containerLimits,
    roundedAmounts("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"),
  ),
);

function labelWithName(namespace: MutableJsonObject): void {
  const metadata = structAt(namespace, "metadata");
  const name = metadata?.["name"];
  if (metadata === undefined || typeof name !== "string" || name === "") return;
  metadata["labels"] = { ...structAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
}

const limitsAndRequests = all(
  amountsFrom("max", "default"),
  amountsFrom("default", "defaultRequest"),
  amountsFrom("min", "defaultRequest"),
);

function containerLimits(limit: MutableJsonObject): void {
  if (limit["type"] === "Container") limitsAndRequests(limit);
}

const fromCapacity = amountsFrom("capacity", "allocatable");

function allocatableFromCapacity(status: MutableJsonObject): void {
  if (status["allocatable"] === undefined) fromCapacity(status);
}

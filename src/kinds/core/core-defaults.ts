import { base64Of } from "../../apimachinery/base64.ts";
import { isJsonObject, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import { all, type Defaulter, each, ifSet, inStruct, sentStruct, whenZero } from "../defaulting/defaulter.ts";
import { amountsFrom, roundedAmounts } from "../quantities/resource-list.ts";

/** Secret, whose texts become data as soon as they are read */
export const secretDefaults: Defaulter = all(textsIntoData, whenZero({ type: "Opaque" }));

/** Endpoints */
export const endpointsDefaults: Defaulter = each("subsets", each("ports", whenZero({ protocol: "TCP" })));

/** Namespace: whoever names it owns the label with the name. Generated names are labeled by the strategy. */
export const namespaceDefaults: Defaulter = all(
  inStruct("status", whenZero({ phase: "Active" })),
  labelWithName,
);

/** Node: all that it has can be allocated, unless it says otherwise; its network is the first of its networks. */
export const nodeDefaults: Defaulter = all(
  ifSet("spec", onePodNetwork),
  ifSet("status", allocatableFromCapacity, roundedAmounts("capacity", "allocatable")),
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
  const metadata = sentStruct(namespace, "metadata");
  const name = metadata?.["name"];
  if (metadata === undefined || typeof name !== "string" || name === "") return;
  metadata["labels"] = { ...sentStruct(metadata, "labels"), "kubernetes.io/metadata.name": name };
}

function textsIntoData(secret: MutableJsonObject): void {
  const { stringData } = secret;
  if (!isJsonObject(stringData)) return;
  const data = sentStruct(secret, "data") ?? {};
  for (const [name, text] of Object.entries(stringData)) {
    if (typeof text === "string") setKey(data, name, base64Of(utf8Bytes(text)));
  }
  if (Object.keys(stringData).length > 0) secret["data"] = data;
  delete secret["stringData"];
}

/** The list is newer than the single network; a client that knows one of them only means both. */
function onePodNetwork(spec: MutableJsonObject): void {
  const { podCIDR, podCIDRs } = spec;
  const [first] = Array.isArray(podCIDRs) ? podCIDRs : [];
  if (podCIDR && podCIDR !== first) spec["podCIDRs"] = [podCIDR];
  else if (!podCIDR && first) spec["podCIDR"] = first;
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

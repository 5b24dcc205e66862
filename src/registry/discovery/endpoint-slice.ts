import { objectAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { dnsSubdomainMessages } from "../../apimachinery/names.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Strategy } from "../strategy.ts";
import { endpointSliceErrors, endpointSliceUpdateErrors } from "./endpoint-slice-validation.ts";

const hostnameLabel = "kubernetes.io/hostname";

/** EndpointSlices are parts of the addresses behind a service. */
export function endpointSliceStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (slice, context) => {
      base.prepareForCreate(slice, context);
      dropTopology(slice, undefined);
    },
    prepareForUpdate: (slice, old, context) => {
      base.prepareForUpdate(slice, old, context);
      if (!jsonEqual(slice["endpoints"] ?? [], old["endpoints"] ?? [])) dropTopology(slice, old);
    },
    validate: endpointSliceErrors,
    validateUpdate: endpointSliceUpdateErrors,
    warningsOnCreate: (slice) =>
      textAt(slice, "addressType") === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
  };
}

/** v1beta1 had the topology that v1 has only for objects of old. */
export function betaEndpointSliceStrategy(strategy: Strategy): Strategy {
  return { ...strategy, prepareForCreate: () => {}, prepareForUpdate: () => {} };
}

/** Of the topology that v1beta1 had, the node's name is kept if it was there before. */
function dropTopology(slice: MutableKubeObject, old: KubeObject | undefined): void {
  if (!Array.isArray(slice["endpoints"])) return;
  const known = new Set(endpointsOf(old).map(topologyNode));
  slice["endpoints"] = slice["endpoints"].filter(isJsonObject).map((endpoint) => {
    const { deprecatedTopology, ...kept } = endpoint;
    if (deprecatedTopology === undefined) return endpoint;
    const nodeName = topologyNode(endpoint);
    const isKnown = nodeName !== "" && known.has(nodeName) && dnsSubdomainMessages(nodeName).length === 0;
    return isKnown && kept["nodeName"] === undefined ? { ...kept, nodeName } : kept;
  });
}

function endpointsOf(slice: KubeObject | undefined): readonly JsonObject[] {
  const endpoints = slice?.["endpoints"];
  return Array.isArray(endpoints) ? endpoints.filter(isJsonObject) : [];
}

function topologyNode(endpoint: JsonObject): string {
  return textAt(objectAt(endpoint, "deprecatedTopology") ?? {}, hostnameLabel);
}

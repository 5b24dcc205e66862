import { objectAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { dnsSubdomainMessages } from "../../apimachinery/names.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Strategy } from "../strategy.ts";
import { endpointSliceErrors, endpointSliceUpdateErrors } from "./endpoint-slice-validation.ts";
import { endpointFromBeta, endpointToBeta, hostnameLabel, withEndpoints } from "./endpoint-topology.ts";

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
    validate: (slice) => endpointSliceErrors(asV1(slice)),
    validateUpdate: (slice, old) => endpointSliceUpdateErrors(asV1(slice), asV1(old)),
    warningsOnCreate: (slice) =>
      textAt(slice, "addressType") === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
  };
}

/** v1beta1 had the topology that v1 has only for objects of old. */
export function betaEndpointSliceStrategy(strategy: Strategy): Strategy {
  return { ...strategy, prepareForCreate: () => {}, prepareForUpdate: () => {} };
}

/** 1.21 knows v1 and still stores v1beta1, so that 1.20 could read it. */
function isStoredAsBeta({ apiVersion }: KubeObject): boolean {
  return apiVersion.endsWith("/v1beta1");
}

function asV1(slice: KubeObject): KubeObject {
  return isStoredAsBeta(slice) ? withEndpoints(slice, endpointFromBeta) : slice;
}

/** Of the topology that v1beta1 had, the node's name is kept if it was there before. */
function dropTopology(slice: MutableKubeObject, old: KubeObject | undefined): void {
  const known = new Set(endpointsOf(old && asV1(old)).map(topologyNode));
  const kept = withEndpoints(asV1(slice), (endpoint) => withoutTopology(endpoint, known));
  const { endpoints } = isStoredAsBeta(slice) ? withEndpoints(kept, endpointToBeta) : kept;
  if (endpoints !== undefined) slice["endpoints"] = endpoints;
}

function withoutTopology(endpoint: JsonObject, known: ReadonlySet<string>): JsonObject {
  const { deprecatedTopology, ...kept } = endpoint;
  if (deprecatedTopology === undefined) return endpoint;
  const nodeName = topologyNode(endpoint);
  const isKnown = nodeName !== "" && known.has(nodeName) && dnsSubdomainMessages(nodeName).length === 0;
  return isKnown && kept["nodeName"] === undefined ? { ...kept, nodeName } : kept;
}

function endpointsOf(slice: KubeObject | undefined): readonly JsonObject[] {
  const endpoints = slice?.["endpoints"];
  return Array.isArray(endpoints) ? endpoints.filter(isJsonObject) : [];
}

function topologyNode(endpoint: JsonObject): string {
  return textAt(objectAt(endpoint, "deprecatedTopology") ?? {}, hostnameLabel);
}

import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../apimachinery/json.ts";

/** The topology label of v1beta1 that usually was the name of the node. */
export const hostnameLabel = "kubernetes.io/hostname";
const zoneLabel = "topology.kubernetes.io/zone";

/**
 * Converts an endpoint from v1beta1 to v1, where zone and node name are fields. Other labels of the topology become
 * `deprecatedTopology`, including a hostname that is not the name of the node.
 */
export function endpointFromBeta(endpoint: JsonObject): JsonObject {
  const { topology, ...kept } = endpoint;
  if (!isJsonObject(topology)) return endpoint;
  const { [zoneLabel]: zone, ...rest } = topology;
  const labels: MutableJsonObject = rest;
  if (labels[hostnameLabel] !== undefined && labels[hostnameLabel] === endpoint["nodeName"]) {
    delete labels[hostnameLabel];
  }
  return {
    ...kept,
    ...(Object.keys(labels).length > 0 && { deprecatedTopology: labels }),
    ...(zone !== undefined && { zone }),
  };
}

/**
 * Converts an endpoint from v1 to v1beta1. A hostname in `deprecatedTopology` takes precedence over the name of the
 * node.
 */
export function endpointToBeta(endpoint: JsonObject): JsonObject {
  const { deprecatedTopology, zone, ...kept } = endpoint;
  const nodeName = textAt(endpoint, "nodeName");
  const topology: MutableJsonObject = { ...(objectAt(endpoint, "deprecatedTopology") ?? {}) };
  if (zone !== undefined) topology[zoneLabel] = zone;
  if (endpoint["nodeName"] !== undefined && !topology[hostnameLabel]) topology[hostnameLabel] = nodeName;
  return Object.keys(topology).length > 0 ? { ...kept, topology } : kept;
}

/** The slice with each endpoint converted. */
export function withEndpoints<T extends JsonObject>(
  slice: T,
  change: (endpoint: JsonObject) => JsonObject,
): T {
  const { endpoints } = slice;
  if (!Array.isArray(endpoints)) return slice;
  return { ...slice, endpoints: endpoints.filter(isJsonObject).map(change) };
}

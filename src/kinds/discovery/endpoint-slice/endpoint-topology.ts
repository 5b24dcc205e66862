import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../apimachinery/json.ts";

/** The label in the topology of v1beta1 that was the name of the node, by and large. */
export const hostnameLabel = "kubernetes.io/hostname";
const zoneLabel = "topology.kubernetes.io/zone";

/**
 * An endpoint of v1beta1 as v1 has it: the zone is a field of its own, and so is the node. What else the topology says
 * is kept, among it the host's name if it is not that of the node.
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

/** An endpoint of v1 as v1beta1 had it. A host's name that was kept stays, whatever the node is called. */
export function endpointToBeta(endpoint: JsonObject): JsonObject {
  const { deprecatedTopology, zone, ...kept } = endpoint;
  const nodeName = textAt(endpoint, "nodeName");
  const topology: MutableJsonObject = { ...(objectAt(endpoint, "deprecatedTopology") ?? {}) };
  if (zone !== undefined) topology[zoneLabel] = zone;
  if (endpoint["nodeName"] !== undefined && !topology[hostnameLabel]) topology[hostnameLabel] = nodeName;
  return Object.keys(topology).length > 0 ? { ...kept, topology } : kept;
}

/** An object with its endpoints in another version. */
export function withEndpoints<T extends JsonObject>(
  slice: T,
  change: (endpoint: JsonObject) => JsonObject,
): T {
  const { endpoints } = slice;
  if (!Array.isArray(endpoints)) return slice;
  return { ...slice, endpoints: endpoints.filter(isJsonObject).map(change) };
}

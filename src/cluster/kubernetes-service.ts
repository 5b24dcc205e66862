import { listAt, structAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ServerEndpoint } from "./published-server.ts";

/** Whether an object is the Service of the API, its Endpoints or its EndpointSlice. */
export function isOfKubernetesService({ metadata }: KubeObject): boolean {
  return metadata.namespace === "default" && metadata.name === "kubernetes";
}

/**
 * The Service of the API, its Endpoints or its EndpointSlice with the address and port of the server, where `recorded` has
 * those of another server. Upstream: `ReconcileEndpoints` and `CreateOrUpdateMasterServiceIfNeeded`.
 */
export function withEndpoint(recorded: KubeObject, endpoint: ServerEndpoint | undefined): KubeObject {
  if (endpoint === undefined || !isOfKubernetesService(recorded)) return recorded;
  return { ...recorded, ...endpointFields(recorded, endpoint) };
}

function endpointFields(object: KubeObject, { address, port }: ServerEndpoint): JsonObject {
  const ports = (holder: JsonObject) => listAt(holder, "ports").map((each) => ({ ...each, port }));
  switch (object.kind) {
    case "Service": {
      const spec = structAt(object, "spec");
      return {
        spec: { ...spec, ports: listAt(spec, "ports").map((each) => ({ ...each, targetPort: port })) },
      };
    }
    case "Endpoints": {
      const withAddress = (subset: JsonObject) => ({
        ...subset,
        addresses: listAt(subset, "addresses").map((each) => ({ ...each, ip: address })),
        ports: ports(subset),
      });
      return { subsets: listAt(object, "subsets").map(withAddress) };
    }
    case "EndpointSlice":
      return {
        addressType: address.includes(":") ? "IPv6" : "IPv4",
        endpoints: listAt(object, "endpoints").map((each) => ({ ...each, addresses: [address] })),
        ports: ports(object),
      };
    default:
      return {};
  }
}

/**
 * The stored object with the address and port of `wanted`; undefined if it has them already. The server writes it to the store
 * directly: validation refuses addresses of the loopback, where the port of a test double usually is.
 */
export function readdressed(stored: KubeObject, wanted: KubeObject, time: string): KubeObject | undefined {
  const changed = { ...stored, ...addressFields(stored, wanted) };
  if (jsonEqual(changed, stored)) return undefined;
  const { managedFields, generation } = stored.metadata;
  const metadata = {
    ...stored.metadata,
    ...(generation !== undefined && { generation: generation + 1 }),
    ...(Array.isArray(managedFields) && {
      managedFields: managedFields
        .filter(isJsonObject)
        .map((entry) => (entry["manager"] === "kube-apiserver" ? { ...entry, time } : entry)),
    }),
  };
  return { ...changed, metadata };
}

/** The fields of `wanted` that name the server. */
function addressFields(stored: KubeObject, wanted: KubeObject): JsonObject {
  if (stored.kind === "Service") {
    return { spec: { ...structAt(stored, "spec"), ports: listAt(wanted, "spec", "ports") } };
  }
  const { metadata: _, kind: _kind, apiVersion: _version, ...fields } = wanted;
  return fields;
}

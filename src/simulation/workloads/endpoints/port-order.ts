import type { JsonObject } from "../../../apimachinery/json.ts";
import { md5 } from "./md5.ts";

type GoPort = (port: JsonObject) => string;

/** The ports of a slice in their order. Upstream: `portsInOrder` (staging/src/k8s.io/endpointslice/util). */
export function slicePorts(ports: readonly JsonObject[]): readonly JsonObject[] {
  return byHash(
    ports,
    ({ name = "", protocol, port, appProtocol }) =>
      `Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} ${appProtocolText(appProtocol)}`,
  );
}

/** The ports of a subset of Endpoints in their order. Upstream: `portsByHash` (pkg/api/v1/endpoints/util.go). */
export function subsetPorts(ports: readonly JsonObject[]): readonly JsonObject[] {
  return byHash(
    ports,
    ({ name = "", protocol, port, appProtocol }) =>
      `Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} ${appProtocolText(appProtocol)}`,
  );
}

function appProtocolText(appProtocol: unknown): string {
  return `AppProtocol:(*string)${appProtocol ?? "<nil>"}`;
}

/** Upstream sorts ports by the hashes of what Go prints of them. */
function byHash(ports: readonly JsonObject[], printed: GoPort): readonly JsonObject[] {
  if (ports.length < 2) return ports;
  const hashed = ports.map((port) => ({ port, hash: md5(`(v1.EndpointPort){${printed(port)}}`) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ port }) => port);
}

import { md5 as md5Of } from "@noble/hashes/legacy.js";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Since } from "../../../apimachinery/release.ts";

/** The ports of a slice in their order. Upstream: `portsInOrder` (staging/src/k8s.io/endpointslice/util). */
export function slicePorts(ports: readonly JsonObject[], since: Since): readonly JsonObject[] {
  return byHash(ports, since, ({ name = "", protocol, port, appProtocol }) => {
    const first = `Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port}`;
    return `${first} ${appProtocolText(appProtocol)}`;
  });
}

/** The ports of a subset of Endpoints in their order. Upstream: `portsByHash` (pkg/api/v1/endpoints/util.go). */
export function subsetPorts(ports: readonly JsonObject[], since: Since): readonly JsonObject[] {
  return byHash(ports, since, ({ name = "", protocol, port, appProtocol }) => {
    const first = `Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol}`;
    return `${first} ${appProtocolText(appProtocol)}`;
  });
}

function appProtocolText(appProtocol: unknown): string {
  return `AppProtocol:(*string)${appProtocol ?? "<nil>"}`;
}

/** Upstream sorts ports by the hashes of what Go prints of them. */
function byHash(
  ports: readonly JsonObject[],
  since: Since,
  printed: (port: JsonObject) => string,
): readonly JsonObject[] {
  if (ports.length < 2) return ports;
  const hash = since("1.35") ? fnv128a : md5;
  const hashed = ports.map((port) => ({ port, hash: hash(`(v1.EndpointPort){${printed(port)}}`) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ port }) => port);
}

/** With a character for each byte. */
function md5(text: string): string {
  return String.fromCharCode(...md5Of(new TextEncoder().encode(text)));
}

const fnvOffset = 0x6c62272e07bb014262b821756295c58dn;
const fnvPrime = 0x1000000000000000000013bn;

/** The hash FNV-1a with 128 bits, as hexadecimal digits. */
function fnv128a(text: string): string {
  let hash = fnvOffset;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * fnvPrime);
  return hash.toString(16).padStart(32, "0");
}

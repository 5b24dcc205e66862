import { md5 as md5Of } from "@noble/hashes/legacy.js";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Since } from "../../../apimachinery/release.ts";

/** The ports of a slice in their order. Upstream: `portsInOrder` (staging/src/k8s.io/endpointslice/util). */
export function slicePorts(ports: readonly JsonObject[], since: Since): readonly JsonObject[] {
  return byHash(ports, since, ({ name = "", protocol, port, appProtocol }) => {
    const first = `Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port}`;
    return `(v1.EndpointPort){${first} AppProtocol:(*string)${appProtocol ?? "<nil>"}}`;
  });
}

/** Upstream sorts by the hashes of what Go prints, with the types of fields. */
export function byHash(
  values: readonly JsonObject[],
  since: Since,
  printed: (value: JsonObject) => string,
): readonly JsonObject[] {
  if (values.length < 2) return values;
  const hashOf = since("1.35") ? fnv128a : md5;
  const hashed = values.map((value) => ({ value, hash: hashOf(printed(value)) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ value }) => value);
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

import fc from "fast-check";
import { expect, test } from "vitest";
import { concatenate } from "../../apimachinery/bytes.ts";
import { type Catalog, catalogOf } from "../../catalog/catalog.ts";
import { encodeCbor } from "../../codec/cbor/cbor.ts";
import { encodeProtobuf } from "../../codec/protobuf/protobuf.ts";
import { encodeWatchFrame } from "../../codec/protobuf/watch-frame.ts";
import { encodeCborWatchFrame, encodeJsonWatchFrame } from "../../codec/watch-frames.ts";
import { readResponseBody } from "../../request/plain-request.ts";
import { formatOf, renamedBody } from "./renamed-body.ts";
import { toClient } from "./renaming.ts";

const catalog: Catalog = catalogOf({ release: "1.32", runtimeConfig: new Map() });
const lease = {
  kind: "Lease",
  apiVersion: "coordination.k8s.io/v1",
  metadata: { name: "kube-scheduler", namespace: "kube-system" },
};
const maskedLease = {
  kind: "Lease",
  apiVersion: "coordination.svc.io/v1",
  metadata: { name: "svc-scheduler", namespace: "svc-system" },
};

function documentOf(object: typeof lease): Uint8Array {
  const schema = catalog.kind({ group: "coordination.k8s.io", version: "v1", kind: "Lease" });
  if (schema === undefined) throw new Error("the catalog has no Lease");
  return encodeProtobuf(schema, { ...object, spec: {} });
}

const json = (object: object) => new TextEncoder().encode(JSON.stringify(object));

const streams: readonly (readonly [type: string, sent: Uint8Array, expected: Uint8Array])[] = [
  [
    "application/json",
    encodeJsonWatchFrame("ADDED", json(lease)),
    encodeJsonWatchFrame("ADDED", json(maskedLease)),
  ],
  [
    "application/vnd.kubernetes.protobuf;stream=watch",
    encodeWatchFrame("ADDED", documentOf(lease)),
    encodeWatchFrame("ADDED", documentOf(maskedLease)),
  ],
  [
    "application/cbor-seq",
    encodeCborWatchFrame("ADDED", encodeCbor(lease)),
    encodeCborWatchFrame("ADDED", encodeCbor(maskedLease)),
  ],
  ["text/plain", json({ log: "kubelet ü started" }), json({ log: "svclet ü started" })],
];

test.each(streams)("%s is renamed wherever its pieces end", async (type, sent, expected) => {
  const twice = concatenate([sent, sent]);
  const format = await formatOf(type, toClient, catalog);
  if (format === undefined) throw new Error(`${type} is not renamed`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(twice.length), { maxLength: 6 }), async (cuts) => {
      const body = renamedBody(inPieces(twice, cuts), format);
      expect(await readResponseBody(body)).toEqual(concatenate([expected, expected]));
    }),
  );
});

test.each(streams)("a stream of %s comes in pieces as small as before", async (type, sent) => {
  const format = await formatOf(type, toClient, catalog);
  if (format === undefined) throw new Error(`${type} is not renamed`);
  const lengths = async (cuts: readonly number[]) => {
    const body = renamedBody(inPieces(sent, cuts), format);
    const found: number[] = [];
    if (body !== undefined && Symbol.asyncIterator in body)
      for await (const { length } of body) found.push(length);
    return found;
  };
  expect(Math.max(...(await lengths(Array.from(sent, (_, at) => at))))).toBe(1);
  expect(await lengths([])).toHaveLength(1);
});

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(start, cut);
    start = cut;
  }
}

test("the data of CBOR stays", async () => {
  // Tag 22, and six bytes that spell a name.
  const item = Uint8Array.of(
    0xd6,
    0x44,
    ...new TextEncoder().encode("kube"),
    0x44,
    ...new TextEncoder().encode("kube"),
  );
  const format = await formatOf("application/cbor", toClient, catalog);
  expect(format?.renamedWhole(item)).toEqual(
    Uint8Array.of(0xd6, 0x44, ...new TextEncoder().encode("kube"), 0x43, ...new TextEncoder().encode("svc")),
  );
});

test.each([
  ["application/vnd.kubernetes.protobuf", Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x0a, 0xff)],
  ["application/cbor", Uint8Array.of(0x5b, 0xff, 0xff)],
  ["application/json", Uint8Array.of(0xff, 0xfe)],
])("malformed %s stays for the server to refuse", async (type, body) => {
  const format = await formatOf(type, toClient, catalog);
  expect(format?.renamedWhole(body)).toEqual(body);
});

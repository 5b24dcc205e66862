import { expect, test } from "vitest";
import { decodeCbor, decodeCborSequence, encodeCbor } from "../../src/codec/cbor.ts";
import { createCluster } from "../../src/index.ts";

const collection = "https://cluster.test/api/v1/namespaces/default/configmaps";
const cbor = { accept: "application/cbor", "content-type": "application/cbor" };
const gates = new Map([["CBORServingAndStorage", true]]);

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

test("CBOR goes in and out behind its gate", async () => {
  await using cluster = createCluster({ featureGates: gates, controllers: [] });
  const body = new Uint8Array(encodeCbor({ metadata: { name: "a" }, binaryData: { b: "AAE=" } }));
  const created = await cluster.fetch(collection, { method: "POST", headers: cbor, body });
  expect(created.headers.get("content-type")).toBe("application/cbor");
  expect(decodeCbor(await bytesOf(created))).toMatchObject({ kind: "ConfigMap", binaryData: { b: "AAE=" } });
  const listed = await cluster.fetch(collection, { headers: cbor });
  expect(decodeCbor(await bytesOf(listed))).toMatchObject({ items: [{ metadata: { name: "a" } }] });
});

test("a watch in CBOR is a sequence", async () => {
  await using cluster = createCluster({ featureGates: gates, controllers: [] });
  await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } });
  const watch = `${collection}?watch=1&timeoutSeconds=1`;
  const response = await cluster.fetch(watch, { headers: cbor });
  expect(response.headers.get("content-type")).toBe("application/cbor-seq");
  const events = [...decodeCborSequence(await bytesOf(response))];
  expect(events).toMatchObject([{ type: "ADDED", object: { metadata: { name: "a" } } }]);
});

test("without the gate nobody knows of CBOR", async () => {
  await using cluster = createCluster();
  const accepted = await cluster.fetch(collection, { headers: { accept: "application/cbor" } });
  expect(accepted.status).toBe(406);
  const sent = {
    method: "POST",
    headers: { "content-type": "application/cbor" },
    body: new Uint8Array([0xa0]),
  };
  expect((await cluster.fetch(collection, sent)).status).toBe(415);
});

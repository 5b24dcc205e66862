import { describe, expect, test } from "vitest";
import { decodeCbor, decodeCborSequence, encodeCbor } from "../../src/codec/cbor/cbor.ts";
import { createCluster } from "../../src/index.ts";
import { as, json, objectNames, streamNames } from "./media-types.ts";
import { blueprintOf, OpenWatch, type WatchedEvent } from "./open-watch.ts";
import { QuietServer } from "./quiet-server.ts";

const collection = "https://cluster.test/api/v1/namespaces/default/configmaps";
const cbor = { accept: "application/cbor", "content-type": "application/cbor" };
const gates = new Map([["CBORServingAndStorage", true]]);

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

test("with its feature gate, CBOR is accepted and returned", async () => {
  await using cluster = createCluster({ featureGates: gates, controllers: [] });
  const body = new Uint8Array(encodeCbor({ metadata: { name: "a" }, binaryData: { b: "AAE=" } }));
  const created = await cluster.fetch(collection, { method: "POST", headers: cbor, body });
  expect(created.headers.get("content-type")).toBe("application/cbor");
  expect(decodeCbor(await bytesOf(created))).toMatchObject({ kind: "ConfigMap", binaryData: { b: "AAE=" } });
  const listed = await cluster.fetch(collection, { headers: cbor });
  expect(decodeCbor(await bytesOf(listed))).toMatchObject({ items: [{ metadata: { name: "a" } }] });
});

test("without its feature gate, CBOR is not supported", async () => {
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

describe("CBOR with its feature gate", () => {
  const open = new QuietServer({ featureGates: gates });
  const path = "/api/v1/namespaces/kube-system/configmaps";
  const ask = (target: string, accept: string) => open.ask({ method: "GET", target, headers: { accept } });

  test.each([
    ["application/cbor", "application/cbor"],
    ["text/html, application/cbor", "application/cbor"],
    ["application/cbor;q=0.5, application/json", "application/json"],
    ["*/*", "application/json"],
  ])("for %j: %s", async (accept, contentType) => {
    expect((await ask(path, accept)).headers.get("content-type")).toBe(contentType);
  });

  test("contains the same as JSON", async () => {
    const objects = JSON.parse((await ask(path, json)).text);
    expect(decodeCbor((await ask(path, "application/cbor")).bytes)).toEqual(objects);
    const shape = as("PartialObjectMetadataList", "application/cbor");
    expect(decodeCbor((await ask(path, shape)).bytes)).toMatchObject({ kind: "PartialObjectMetadataList" });
    const refusal = await ask(`${path}/nobody`, "application/cbor");
    expect([refusal.headers.get("content-type"), decodeCbor(refusal.bytes)]).toEqual([
      "application/cbor",
      expect.objectContaining({ kind: "Status", code: 404 }),
    ]);
  });

  test("is a sequence for a watch, if the client accepts CBOR", async () => {
    const opened = await OpenWatch.open(open, `${path}?watch=1&allowWatchBookmarks=1`, {
      accept: "application/cbor",
    });
    expect(opened.headers.get("content-type")).toBe("application/cbor-seq");
    const events = [...decodeCborSequence(await opened.bytes())] as unknown as readonly WatchedEvent[];
    opened.leave();
    expect(events.map(({ type }) => type)).toEqual([...Array(events.length - 1).fill("ADDED"), "BOOKMARK"]);
    const blueprint = decodeCbor(Buffer.from(blueprintOf(events.at(-1)), "base64"));
    expect(blueprint).toEqual({ kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: null });
  });

  test("is listed in 406 responses; a client cannot request the sequence", async () => {
    const { status, text } = await ask(`${path}?watch=1`, "application/cbor-seq");
    expect([status, JSON.parse(text).message]).toEqual([
      406,
      `only the following media types are accepted: ${objectNames}, application/cbor`,
    ]);
    const router = JSON.parse((await ask(path, "text/html")).text).message;
    expect(router).toContain(`${objectNames}, application/cbor, ${streamNames}, application/cbor-seq`);
  });
});

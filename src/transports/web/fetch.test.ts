import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { cancelingFetchClient, fetchClient } from "../../../test/transports/clients.ts";
import { encode, FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { cancelFact, transportFacts } from "../../../test/transports/transport-facts.ts";
import { BodyTooLargeError } from "../../request/handler.ts";
import { createFetch } from "./fetch.ts";

const base = "https://cluster.test";
// fetch forbids these methods, and joins repeated headers.
const limits = { refuses: ["TRACE"], joinsHeaders: true };

transportFacts("fetch", (cluster) => fetchClient(createFetch(cluster.handler), base), limits);

cancelFact((cluster) => cancelingFetchClient(createFetch(cluster.handler), base));

test.each([
  ["an Error", new Error("enough")],
  ["a string", "enough"],
])("an abort with %s rejects with it, before and after the response", async (_title, reason) => {
  const fetch = createFetch(new FakeCluster().handler);
  const abort = new AbortController();
  const pending = fetch(`${base}/hang`, { signal: abort.signal });
  const { body } = await fetch(`${base}/feed`, { signal: abort.signal });
  const reading = body?.getReader().read();
  abort.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(fetch(`${base}/echo`, { signal: abort.signal })).rejects.toBe(reason);
});

test("a Request, a URL and a string are all accepted", async () => {
  const cluster = new FakeCluster();
  const fetch = createFetch(cluster.handler);
  const request = new Request(`${base}/echo?a=1#b`, { method: "PUT", body: "hello" });
  const response = await fetch(request);
  expect(response.headers.get("X-Method")).toBe("PUT");
  expect(response.headers.get("X-Target")).toBe("/echo?a=1");
  expect(response.url).toBe(`${base}/echo?a=1`);
  expect(cluster.requests[0]?.headers.get("Host")).toBe("cluster.test");
  expect(await response.text()).toBe("hello");
  await expect(fetch(request)).rejects.toThrow(TypeError);
  expect((await fetch(new URL(`${base}/echo`))).status).toBe(200);
  expect((await fetch(new Request(`${base}/echo`), { method: "POST" })).headers.get("X-Method")).toBe("POST");
  await expect(fetch("/echo")).rejects.toThrow(TypeError);
});

test("a compressed response is decompressed", async () => {
  const fetch = createFetch(async () => ({
    status: 200,
    headers: [["Content-Encoding", "gzip"]],
    body: gzipSync("plain"),
  }));
  const response = await fetch(base);
  expect(response.headers.get("Content-Encoding")).toBe("gzip");
  expect(await response.text()).toBe("plain");
});

test("a too large body is not read completely", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(1024));
    },
  });
  const fetch = createFetch(async (request) => {
    await expect(request.body(4096)).rejects.toThrow(BodyTooLargeError);
    return { status: 413, headers: [], body: undefined };
  });
  // The option for streams is missing in the DOM types.
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  expect((await fetch(base, init)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test("a client that modifies a chunk does not change the bytes of other clients", async () => {
  const shared = encode("shared");
  const fetch = createFetch(async () => ({
    status: 200,
    headers: [],
    body: (async function* () {
      yield shared;
    })(),
  }));
  const { value } = (await (await fetch(base)).body?.getReader().read()) ?? {};
  structuredClone(value, { transfer: [value?.buffer as ArrayBuffer] });
  expect(shared).toEqual(encode("shared"));
});

test("the module accesses no globals before the first request", async () => {
  const names = ["fetch", "Request", "Response", "Headers", "ReadableStream", "DecompressionStream"] as const;
  const kept = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const name of names) Reflect.deleteProperty(globalThis, name);
  try {
    // A separate instance of the module, because the first one is evaluated already.
    const module: typeof import("./fetch.ts") = await import(`${"./fetch.ts"}?bare`);
    expect(module.createFetch(new FakeCluster().handler)).toBeTypeOf("function");
  } finally {
    for (const [index, name] of names.entries()) {
      Object.defineProperty(globalThis, name, kept[index] as PropertyDescriptor);
    }
  }
});

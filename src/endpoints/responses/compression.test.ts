import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { featureGates } from "../../catalog/feature-gates.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import { compressed } from "./compression.ts";

const gates = featureGates("1.32");
const large = new Uint8Array(128 * 1024 + 1).fill(7);
const response = (body: EndpointResponse["body"], compression?: "object" | "openapi"): EndpointResponse => ({
  status: 201,
  headers: [["A", "b"]],
  body,
  ...(compression && { compression }),
});

function requestOf(encoding: string | undefined) {
  const headers = new Map(encoding === undefined ? [] : [["accept-encoding", encoding]]);
  return plainRequest({ method: "GET", target: "/", headers });
}

describe("a response", () => {
  test("is compressed beyond 128 KiB, in one piece or in several", async () => {
    for (const body of [large, [large.subarray(0, 9), large.subarray(9)]]) {
      const zipped = await compressed(requestOf("gzip"), response(body, "object"), gates);
      expect(zipped).toMatchObject({
        status: 201,
        headers: [
          ["A", "b"],
          ["Content-Encoding", "gzip"],
          ["Vary", "Accept-Encoding"],
        ],
      });
      // Comparing so many bytes one by one would take long.
      expect(gunzipSync(await readResponseBody(zipped.body)).equals(large)).toBe(true);
    }
  });

  test("with OpenAPI v2 is compressed beyond 1,399 bytes, and varies anyway", async () => {
    const body = large.subarray(0, 1400);
    const { headers } = await compressed(requestOf("gzip"), response(body, "openapi"), gates);
    expect(headers).toEqual([
      ["A", "b"],
      ["Content-Encoding", "gzip"],
    ]);
    const smaller = response(large.subarray(0, 1399), "openapi");
    expect(compressed(requestOf("gzip"), smaller, gates)).toBe(smaller);
  });

  test.each<[title: string, response: EndpointResponse]>([
    ["that is never compressed", response(large)],
    ["up to 128 KiB", response(large.subarray(1), "object")],
    ["without a body", response(undefined, "object")],
    ["that is a stream", response((async function* () {})(), "object")],
  ])("%s stays as it is", (_title, answer) => {
    expect(compressed(requestOf("gzip"), answer, gates)).toBe(answer);
  });

  test("is compressed only while the feature gate is on, except for OpenAPI", async () => {
    const off = featureGates("1.32", new Map([["APIResponseCompression", false]]));
    const answer = response(large, "object");
    expect(compressed(requestOf("gzip"), answer, off)).toBe(answer);
    const openapi = await compressed(requestOf("gzip"), response(large, "openapi"), off);
    expect(openapi.headers).toHaveLength(2);
  });

  test.each<[encoding: string | undefined, isCompressed: boolean]>([
    [undefined, false],
    ["", false],
    ["deflate", false],
    ["gzip;q=1", false],
    ["*", false],
    ["deflate, gzip , br", true],
  ])("is compressed for Accept-Encoding %j: %j", async (encoding, isCompressed) => {
    const answer = response(large, "object");
    expect((await compressed(requestOf(encoding), answer, gates)) !== answer).toBe(isCompressed);
  });

  test("is compressed although others are being compressed", async () => {
    const bodies = Array.from({ length: 11 }, (_, fill) => new Uint8Array(2000).fill(fill));
    const all = await Promise.all(
      bodies.map((body) => compressed(requestOf("gzip"), response(body, "openapi"), gates)),
    );
    const read = await Promise.all(all.map(({ body }) => readResponseBody(body)));
    expect(read.map((zipped) => new Uint8Array(gunzipSync(zipped)))).toEqual(bodies);
  });
});

describe("bodies are compressed", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("four at a time, in each overload", async () => {
    let started = 0;
    vi.stubGlobal(
      "CompressionStream",
      class extends CompressionStream {
        constructor() {
          super("gzip");
          started += 1;
        }
      },
    );
    for (const _overload of [1, 2]) {
      started = 0;
      const all = Array.from({ length: 11 }, () =>
        compressed(requestOf("gzip"), response(large.subarray(0, 1400), "openapi"), gates),
      );
      expect(started).toBe(4);
      await Promise.all(all);
      expect(started).toBe(11);
    }
  });
});

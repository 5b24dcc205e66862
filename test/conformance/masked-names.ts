import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { formatOf, renamedBody } from "../../src/cluster/service-name/renamed-body.ts";
import { fromClient, toClient } from "../../src/cluster/service-name/renaming.ts";
import type { Cluster } from "../../src/index.ts";
import type { ApiRequest, ApiResponse, Handler } from "../../src/request/handler.ts";
import { plainRequest, readResponseBody } from "../../src/request/plain-request.ts";
import { isStreamed } from "../../src/request/response-stream.ts";
import { createFetch, type Fetch } from "../../src/transports/web/fetch.ts";
import type { Client, Received, Sent } from "../transports/clients.ts";

/** The names of the clusters of this run: the project `masked` of the Vitest configuration runs the same tests with masked names. */
export const identifiers: "kubernetes" | "svc" =
  process.env["CONFORMANCE_IDENTIFIERS"] === "svc" ? "svc" : "kubernetes";

/** Formats need only the built-in kinds. */
const catalog = catalogOf({ release: "1.32", runtimeConfig: new Map([["api/all", true]]) });

/** A request with real names, as the test has it, with masks. */
async function maskedRequest(request: ApiRequest): Promise<ApiRequest> {
  const named = request.headers.startingWith("");
  const headers = new Map(named.map(([name, value]) => [toClient(name), toClient(value)]));
  const sent = await request.body(Number.POSITIVE_INFINITY);
  const isZipped = request.headers.get("content-encoding") !== undefined;
  const contentType = request.headers.get("content-type") ?? "application/json";
  const format = isZipped ? undefined : await formatOf(contentType, toClient, catalog);
  const body = format?.renamedWhole(sent) ?? sent;
  return plainRequest({
    method: request.method,
    target: toClient(request.target),
    headers,
    body,
    signal: request.signal,
  });
}

/**
 * A masked answer with the real names, for the expectations of a test. What stands in it must be the mask of the result: then it equals the
 * masked expectation, and no real name is left in it.
 */
export async function realAnswer(answer: ApiResponse): Promise<ApiResponse> {
  const headers = answer.headers.map(([name, value]) => [realText(name), realText(value)] as const);
  const contentType = headerOf(headers, "content-type");
  if (answer.body === undefined) return { ...answer, headers };
  const format = await formatOf(contentType, isProtobuf(contentType) ? realFields : realText, catalog);
  if (format === undefined) return { ...answer, headers };
  if (headerOf(headers, "content-encoding") !== "gzip") {
    return { ...answer, headers, body: renamedBody(answer.body, format) };
  }
  const bytes = await readResponseBody(answer.body);
  // Some clients have decompressed the body, and leave the header as it was.
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const body = format.renamedWhole(isZipped ? gunzipSync(bytes) : bytes);
  return { ...answer, headers, body: isZipped ? gzipSync(body) : body };
}

function headerOf(headers: ApiResponse["headers"], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
}

function isProtobuf(contentType: string): boolean {
  return contentType.startsWith("application/vnd.kubernetes.protobuf");
}

/** The real text for a masked one. */
function realText(text: string): string {
  const real = fromClient(text);
  expect(toClient(real), "an answer has only masked names").toBe(text);
  return real;
}

/** The same for a text whose fields are those of a protobuf document, which have no masks. */
function realFields(text: string): string {
  return realText(text.replace(/"(kubelet(Endpoint|Version|ConfigKey)|kubeProxyVersion)":/g, toClient));
}

/** A handler that takes and returns real names, in front of one with masks. */
export function behindMasks(handler: Handler): Handler {
  return async (request, peer) => realAnswer(await handler(await maskedRequest(request), peer));
}

/** The fetch of a cluster with the names of this run, as a test sees it: with real names. */
export function fetchOf(cluster: Cluster): Fetch {
  return identifiers === "svc" ? createFetch(behindMasks(cluster.handler)) : cluster.fetch;
}

/** A client that takes and returns real names, of a cluster with masks. */
export function clientBehindMasks(client: Client): Client {
  return {
    ...client,
    open: async (sent) => {
      const masked = await maskedRequest(requestOf(sent));
      const { target: path, headers } = masked;
      const bytes = sent.body && { body: await masked.body(Number.POSITIVE_INFINITY) };
      const received = await client.open({ ...sent, path, headers: headers.startingWith(""), ...bytes });
      const real = await realAnswer({
        status: received.status,
        headers: received.headers,
        body: pieces(received),
      });
      const reading = partsOfBody(real.body);
      return {
        ...received,
        headers: real.headers,
        next: async () => (await reading.next()).value,
        leave: () => received.leave(),
      };
    },
  };
}

function requestOf({ method = "GET", path, headers = [], body }: Sent): ApiRequest {
  return plainRequest({ method, target: path, headers: new Map(headers), ...(body && { body }) });
}

async function* pieces(received: Received): AsyncGenerator<Uint8Array> {
  for (let piece = await received.next(); piece !== undefined; piece = await received.next()) yield piece;
}

async function* partsOfBody(body: ApiResponse["body"]): AsyncGenerator<Uint8Array, undefined> {
  if (isStreamed(body)) for await (const piece of body) yield piece;
  else yield await readResponseBody(body);
  return undefined;
}

import { concatenate } from "../../apimachinery/bytes.ts";
import type { RemoteResponse } from "../aggregated/remote-server.ts";
import { withLinks } from "./html-links.ts";

/** As long as a page may be whose links change, uncompressed. */
const longestPage = 64 * 1024 * 1024;

/** The formats of compressed pages by their names in `Content-Encoding`. */
const formats: ReadonlyMap<string, "gzip" | "deflate-raw"> = new Map([
  ["gzip", "gzip"],
  ["deflate", "deflate-raw"],
]);

/** Whether the links of an answer change: it is HTML in an encoding that this server reads. */
export function isPage({ headers }: Pick<RemoteResponse, "headers">): boolean {
  const [type = ""] = headerOf(headers, "content-type").split(";");
  const encoding = headerOf(headers, "content-encoding");
  return type.trim() === "text/html" && (encoding === "" || formats.has(encoding));
}

/**
 * The body of a page with other links, in the encoding of the answer. Upstream: apimachinery, pkg/util/proxy/transport.go, rewriteResponse.
 * @throws {Error} for a body that is not in this encoding, or too long
 */
export async function pageWithLinks(
  { headers, body }: RemoteResponse,
  replaced: (link: string) => string,
): Promise<Uint8Array | undefined> {
  if (body === undefined) return undefined;
  const format = formats.get(headerOf(headers, "content-encoding"));
  const sent = streamOf(body);
  const plain = format === undefined ? sent : sent.pipeThrough(new DecompressionStream(format));
  const page = withLinks(new TextDecoder().decode(await bytesOf(plain)), replaced);
  const changed = new TextEncoder().encode(page);
  if (format === undefined) return changed;
  return bytesOf(streamOf(changed).pipeThrough(new CompressionStream(format)));
}

function headerOf(headers: RemoteResponse["headers"], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
}

function streamOf(body: NonNullable<RemoteResponse["body"]>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = body instanceof Uint8Array ? [body] : body;
  const iterator =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      // No memory here is shared between threads.
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > longestPage) {
      await reader.cancel();
      throw new Error("the page is too long");
    }
    pieces.push(next.value);
  }
  return concatenate(pieces, size);
}

import type { IncomingMessage } from "node:http";
import { badRequest, type Refusal, refusal, unsupportedEncoding, unsupportedVersion } from "./refusal.ts";

/** The bytes that may stand in a Host header. Source: golang.org/x/net/http/httpguts, `ValidHostHeader`. */
const validHost = /^[A-Za-z0-9!$%&()*+,\-.:;='[\]_~]*$/;

/**
 * Why Go's server refuses the head of an HTTP/1.1 request that Node's accepts; undefined if it does not. Source: Go,
 * net/http/server.go, `conn.readRequest`, and transfer.go, `parseTransferEncoding`.
 */
export function refusalOfHead(message: IncomingMessage): Refusal | undefined {
  const { httpVersionMajor, url, headers } = message;
  if (hasMalformedEscape(url)) return badRequest;
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked") return unsupportedEncoding;
  if (httpVersionMajor !== 1) return unsupportedVersion;
  return refusalOfHost(message);
}

function refusalOfHost({
  httpVersionMinor,
  method,
  rawHeaders,
  headers,
}: IncomingMessage): Refusal | undefined {
  const { host } = headers;
  if (host === undefined) {
    const needsNone = httpVersionMinor === 0 || method === "CONNECT";
    return needsNone ? undefined : refusal(400, "Bad Request: missing required Host header");
  }
  if (countOf(rawHeaders, "host") > 1) return refusal(400, "Bad Request: too many Host headers");
  return validHost.test(host) ? undefined : refusal(400, "Bad Request: malformed Host header");
}

/** How often a header was sent: Node keeps only the first Host. */
function countOf(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count++;
  }
  return count;
}

/** Whether the path has a percent sign without two hexadecimal digits. The query may have. */
export function hasMalformedEscape(url: string = ""): boolean {
  if (!url.includes("%")) return false;
  const [path = ""] = url.split("?", 1);
  return /%(?![0-9A-Fa-f]{2})/.test(path);
}

import { expect, test } from "vitest";
import { isPage } from "./page-through-proxy.ts";

// Upstream: apimachinery, pkg/util/proxy/transport.go, RoundTrip and rewriteResponse.
test.each([
  ["text/html", "", true],
  ["text/html; charset=utf-8", "", true],
  ["text/html ;charset=utf-8", "gzip", true],
  ["text/html", "deflate", true],
  ["text/html", "br", false],
  ["text/plain", "", false],
  ["", "", false],
])("an answer of type %j in the encoding %j has links: %s", (type, encoding, expected) => {
  const headers: [string, string][] = [];
  if (type !== "") headers.push(["Content-Type", type]);
  if (encoding !== "") headers.push(["Content-Encoding", encoding]);
  expect(isPage({ headers })).toBe(expected);
});

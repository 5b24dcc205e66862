import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isPage, pageWithLinks } from "./page-through-proxy.ts";

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

describe("a page behind a proxy", () => {
  const page = `<a href="/é">${"text ".repeat(20_000)}</a>`;
  const changed = page.replace("/é", "[/é]");
  const replaced = (link: string) => `[${link}]`;
  const answer = (body: Parameters<typeof pageWithLinks>[0]["body"], encoding = "") => ({
    status: 200,
    headers: encoding === "" ? [] : [["CONTENT-encoding", encoding] as const],
    body,
  });

  /** A body that comes in pieces of this many bytes. */
  async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }

  test.each([
    ["", Buffer.from(page), (bytes: Uint8Array) => bytes],
    ["gzip", gzipSync(page), gunzipSync],
    ["deflate", deflateRawSync(page), inflateRawSync],
  ])("in the encoding %j keeps it, in one piece or in many", async (encoding, sent, read) => {
    for (const body of [sent, inPieces(sent, 50)]) {
      const bytes = await pageWithLinks(answer(body, encoding), replaced);
      expect(Buffer.from(read(bytes ?? new Uint8Array())).toString()).toBe(changed);
    }
  });

  test("may be empty, or have no body", async () => {
    expect(await pageWithLinks(answer(new Uint8Array()), replaced)).toEqual(new Uint8Array());
    expect(await pageWithLinks(answer(undefined), replaced)).toBeUndefined();
  });

  /** Text of this many bytes, and whether its reader has left. */
  function longPage(bytes: number) {
    const seen = { isLeft: false };
    const piece = new Uint8Array(1024 * 1024).fill("a".charCodeAt(0));
    async function* pieces() {
      try {
        for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
      } finally {
        seen.isLeft = true;
      }
    }
    return { body: pieces(), seen };
  }

  test("may have 64 MiB, and a longer one is not read further", async () => {
    const limit = 67_108_864;
    expect(await pageWithLinks(answer(longPage(limit).body), replaced)).toHaveLength(limit);
    await expect(pageWithLinks(answer(longPage(limit + 1).body), replaced)).rejects.toThrow();
    const { body, seen } = longPage(2 * limit);
    await expect(pageWithLinks(answer(body), replaced)).rejects.toThrow("the page is too long");
    expect(seen.isLeft).toBe(true);
  });

  test("is an error if its encoding is damaged", async () => {
    await expect(pageWithLinks(answer(Buffer.from("no gzip"), "gzip"), replaced)).rejects.toThrow();
  });
});

import { describe, expect, test } from "vitest";
import { BodyTooLargeError } from "./handler.ts";
import { plainRequest, readResponseBody } from "./plain-request.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a request without a transport", () => {
  test("has what it is made of", async () => {
    const { signal } = new AbortController();
    const headers = new Map([["accept", "a"]]);
    const parts = { method: "POST", target: "/a?b", headers, body: bytes("body"), signal };
    const request = plainRequest(parts);
    expect([request.method, request.target, request.signal]).toEqual(["POST", "/a?b", signal]);
    expect(request.signal).toBe(signal);
    expect(await request.body(4)).toBe(parts.body);
  });

  test("has no headers, no body, and a signal that stays the same, unless it is given some", async () => {
    const request = plainRequest({ method: "GET", target: "/" });
    expect(await request.body(0)).toHaveLength(0);
    expect(request.headers.get("accept")).toBeUndefined();
    expect(request.signal).toBe(request.signal);
    expect(request.signal.aborted).toBe(false);
  });

  test("has a signal that aborts with the reason for which its client leaves", () => {
    for (const isKnown of [true, false]) {
      const request = plainRequest({ method: "GET", target: "/" });
      if (isKnown) expect(request.signal.aborted).toBe(false);
      request.abort("enough");
      expect([request.signal.aborted, request.signal.reason]).toEqual([true, "enough"]);
    }
  });

  test("reads a body that is not there yet, up to the limit", async () => {
    const read = async (limit: number) => bytes("x".repeat(limit));
    const request = plainRequest({ method: "POST", target: "/", read });
    expect(await request.body(3)).toEqual(bytes("xxx"));
  });

  test("refuses to read a body beyond the limit", async () => {
    const request = plainRequest({ method: "POST", target: "/", body: bytes("body") });
    await expect(request.body(3)).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test("hands a value over, and encodes it only if its bytes are needed", async () => {
    const document = { a: 1 };
    const encoded: unknown[] = [];
    const encode = (value: unknown) => {
      encoded.push(value);
      return bytes(JSON.stringify(value));
    };
    const request = plainRequest({ method: "POST", target: "/", handed: { document, encode } });
    expect([request.document, encoded]).toEqual([document, []]);
    expect(await request.body(7)).toEqual(bytes('{"a":1}'));
    expect(encoded).toEqual([document]);
    await expect(request.body(6)).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test("finds headers in any case, and those with a prefix", () => {
    const headers = new Map([
      ["impersonate-extra-a", "1"],
      ["accept", "x"],
      ["impersonate-extra-b", "2"],
    ]);
    const { headers: lookup } = plainRequest({ method: "GET", target: "/", headers });
    expect([lookup.get("Accept"), lookup.getAll("ACCEPT"), lookup.getAll("none")]).toEqual(["x", ["x"], []]);
    expect(lookup.startingWith("impersonate-extra-")).toEqual([
      ["impersonate-extra-a", "1"],
      ["impersonate-extra-b", "2"],
    ]);
    expect(lookup.startingWith("extra")).toEqual([]);
  });
});

test("the body of a response is read whole, whatever its form", async () => {
  async function* stream() {
    yield bytes("a");
    yield bytes("b");
  }
  const forms = [undefined, bytes("ab"), [bytes("a"), bytes("b")], stream()];
  const read = await Promise.all(forms.map(readResponseBody));
  expect(read.map((body) => new TextDecoder().decode(body))).toEqual(["", "ab", "ab", "ab"]);
});

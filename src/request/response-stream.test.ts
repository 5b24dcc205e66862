import { describe, expect, test } from "vitest";
import { derivedBody, discardBody, isStreamed } from "./response-stream.ts";

const piece = Uint8Array.of(1);

/** A stream of two pieces that records how it ends. */
function recorded(failure?: Error) {
  const ends: string[] = [];
  async function* pieces() {
    try {
      yield piece;
      if (failure !== undefined) throw failure;
      yield piece;
    } finally {
      ends.push("returned");
    }
  }
  const body = derivedBody(pieces(), () => ends.push("released"));
  return { body, ends };
}

test("only an async iterable is streamed", () => {
  expect([undefined, piece, [piece]].map(isStreamed)).toEqual([false, false, false]);
  expect(isStreamed(recorded().body)).toBe(true);
});

describe("a derived body", () => {
  test("releases its source once, at its end", async () => {
    const { body, ends } = recorded();
    const read: Uint8Array[] = [];
    for await (const one of body) {
      read.push(one);
      expect(ends).toEqual([]);
    }
    expect([read, ends]).toEqual([
      [piece, piece],
      ["returned", "released"],
    ]);
    await body.return?.();
    expect(ends).toEqual(["returned", "released"]);
  });

  test("releases its source first if its reader leaves", async () => {
    const { body, ends } = recorded();
    for await (const _ of body) break;
    expect(ends).toEqual(["released", "returned"]);
  });

  test("releases its source if its reader leaves before the first piece", async () => {
    const { body, ends } = recorded();
    expect(await body.return?.()).toMatchObject({ done: true });
    expect(ends).toEqual(["released"]);
    expect(await body.next()).toMatchObject({ done: true });
    expect(ends).toEqual(["released"]);
  });

  test("releases its source if it fails", async () => {
    const { body, ends } = recorded(new Error("broken"));
    await body.next();
    await expect(body.next()).rejects.toThrow("broken");
    expect(ends).toEqual(["returned", "released"]);
  });
});

describe("to discard a body", () => {
  test("ends a stream", () => {
    const { body, ends } = recorded();
    discardBody(body);
    expect(ends).toEqual(["released"]);
  });

  test("does nothing to bytes, and to an iterator that needs no end", () => {
    discardBody(undefined);
    discardBody(piece);
    discardBody({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("read")) }) });
  });

  test("ignores the errors of its cleanup", async () => {
    let isEnded = false;
    const failing = async () => {
      isEnded = true;
      throw new Error("cleanup");
    };
    const next = () => Promise.reject(new Error("read"));
    discardBody({ [Symbol.asyncIterator]: () => ({ next, return: failing }) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isEnded).toBe(true);
  });
});

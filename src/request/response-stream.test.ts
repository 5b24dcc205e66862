import { describe, expect, test } from "vitest";
import { derivedBody, discardBody, isStreamed, partsOf } from "./response-stream.ts";

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

describe("the parts of a stream", () => {
  /** Parts end after a 0; the result says of each whether it is complete. */
  async function parts(...pieces: readonly (readonly number[])[]) {
    async function* body() {
      for (const one of pieces) yield Uint8Array.from(one);
    }
    const endOfPart = (bytes: Uint8Array) => {
      const at = bytes.indexOf(0);
      return at < 0 ? undefined : at + 1;
    };
    const found: (readonly [readonly number[], boolean])[] = [];
    for await (const { bytes, isComplete } of partsOf(body(), endOfPart))
      found.push([[...bytes], isComplete]);
    return found;
  }

  test("are cut wherever the pieces end", async () => {
    const expected = [
      [[1, 0], true],
      [[0], true],
      [[2, 3, 0], true],
    ];
    expect(await parts([1, 0, 0, 2, 3, 0])).toEqual(expected);
    expect(await parts([1], [0], [], [0, 2], [3], [0])).toEqual(expected);
  });

  test("know the longest piece that they come from", async () => {
    async function* body() {
      for (const length of [4, 1, 2, 1, 3]) yield new Uint8Array(length);
    }
    const ends = [4, 2, 3, 2];
    const lengths: number[] = [];
    for await (const { pieceLength } of partsOf(body(), ({ length }) => {
      const end = ends[lengths.length] ?? 0;
      return end > 0 && length >= end ? end : undefined;
    }))
      lengths.push(pieceLength);
    // The bytes: 4 | 1 1 of 2 | 1 of 2, 1, 1 of 3 | 2 of 3.
    expect(lengths).toEqual([4, 2, 3, 3]);
  });

  test("end with what is incomplete", async () => {
    expect(await parts([1, 0, 2])).toEqual([
      [[1, 0], true],
      [[2], false],
    ]);
    expect(await parts([1], [2])).toEqual([[[1, 2], false]]);
    expect(await parts()).toEqual([]);
    expect(await parts([])).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { Pipe } from "./pipe.ts";

const bytes = (length: number) => new Uint8Array(length);

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  return (
    (await Promise.race([
      promise.then(() => true),
      new Promise((resolve) => setImmediate(resolve, false)),
    ])) === true
  );
}

test("a write waits while the limit waits for the reader", async () => {
  const pipe = new Pipe(1000);
  expect(await isSettled(pipe.write(bytes(600)))).toBe(true);
  const second = pipe.write(bytes(600));
  expect(await isSettled(second)).toBe(false);
  await pipe.next();
  expect(await isSettled(second)).toBe(true);
});

test("pieces without bytes fill a pipe, too", async () => {
  const pipe = new Pipe(1000);
  const writes = Array.from({ length: 100 }, () => pipe.write(bytes(0)));
  expect(await isSettled(writes[0] ?? Promise.reject())).toBe(true);
  expect(await isSettled(writes[99] ?? Promise.reject())).toBe(false);
});

test("a reader gets what waits before the end", async () => {
  const pipe = new Pipe();
  void pipe.write(bytes(1));
  pipe.end();
  const sizes: number[] = [];
  for await (const piece of pipe) sizes.push(piece.byteLength);
  expect(sizes).toEqual([1]);
});

test("two readers share the pieces, and both see the end", async () => {
  const pipe = new Pipe();
  const sizes: number[] = [];
  const read = async () => {
    for await (const piece of pipe) sizes.push(piece.byteLength);
  };
  const both = Promise.all([read(), read()]);
  for (const size of [1, 2, 3]) await pipe.write(bytes(size));
  pipe.end();
  await both;
  expect(sizes.toSorted()).toEqual([1, 2, 3]);
});

test("after its reader has left, a writer goes on, and nothing is kept", async () => {
  const pipe = new Pipe(1);
  const waiting = pipe.write(bytes(5));
  await pipe.return();
  await waiting;
  await pipe.write(bytes(5));
  expect(await pipe.next()).toEqual({ done: true, value: undefined });
});

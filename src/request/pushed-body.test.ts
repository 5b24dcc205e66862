import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isPushed, type PushedBody, pulled, pushedBody } from "./pushed-body.ts";

const one = new Uint8Array([1]);
const two = new Uint8Array([2]);
const end = { done: true, value: undefined };

/** The result of a promise that settles without waiting for time, so that a test fails quickly if it does not settle. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const late = turn().then(() => Promise.reject(new Error("nothing happens")));
  return Promise.race([promise, late]);
}

/** A body that a test fills. */
class FilledBody implements PushedBody {
  readonly isUrgent = false;
  readonly pieces: Uint8Array[] = [];
  error: Error | undefined;
  ended = false;
  call: () => void = () => {};

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return pulled(this);
  }

  take(): Uint8Array | undefined {
    if (this.error !== undefined) throw this.error;
    return this.pieces.shift();
  }

  onReady(callback: () => void): void {
    this.call = callback;
  }

  close(): void {
    this.ended = true;
    this.call();
  }
}

test("a stream of Node, which has a method of the same name, does not call its reader", () => {
  expect(isPushed(Object.assign(pulled(new FilledBody()), { take: () => undefined }))).toBe(false);
  expect(isPushed(new FilledBody())).toBe(true);
});

describe("an iterator of a body that calls its reader", () => {
  test("returns what is ready, waits for what is not, and ends", async () => {
    const body = new FilledBody();
    body.pieces.push(one);
    const iterator = pulled(body);
    expect(await soon(iterator.next())).toEqual({ done: false, value: one });
    const second = iterator.next();
    body.call();
    body.pieces.push(two);
    body.call();
    expect(await soon(second)).toEqual({ done: false, value: two });
    const last = iterator.next();
    body.close();
    expect([await soon(last), await soon(iterator.next())]).toEqual([end, end]);
  });

  test("rejects with the error of the body", async () => {
    const body = new FilledBody();
    const iterator = pulled(body);
    const piece = iterator.next();
    body.error = new Error("broken");
    body.call();
    await expect(soon(piece)).rejects.toBe(body.error);
  });

  test("takes nothing while its reader does not ask", async () => {
    const body = new FilledBody();
    const iterator = pulled(body);
    body.pieces.push(one);
    expect(await soon(iterator.next())).toEqual({ done: false, value: one });
    body.pieces.push(two);
    body.call();
    expect(await soon(iterator.next())).toEqual({ done: false, value: two });
    body.error = new Error("broken");
    await expect(soon(iterator.next())).rejects.toBe(body.error);
    body.error = undefined;
    body.pieces.push(one);
    body.call();
    expect(await soon(iterator.next())).toEqual({ done: false, value: one });
  });

  test("is its own iterator", async () => {
    const body = new FilledBody();
    body.pieces.push(one, two);
    const iterator = pulled(body);
    const pieces: Uint8Array[] = [];
    for await (const piece of iterator) if (pieces.push(piece) === 2) break;
    expect(pieces).toEqual([one, two]);
  });

  test("closes the body when its reader stops, which ends a read that waits", async () => {
    const body = new FilledBody();
    const iterator = pulled(body);
    const piece = iterator.next();
    expect(await iterator.return?.()).toEqual(end);
    expect([await soon(piece), body.ended]).toEqual([end, true]);
  });
});

describe("an iteration as a body that calls its reader", () => {
  const calledBack = (body: PushedBody): Promise<void> =>
    soon(new Promise((resolve) => body.onReady(resolve)));

  test("asks for a piece only when the reader comes for one", async () => {
    const asked: number[] = [];
    const body = pushedBody(
      (async function* () {
        asked.push(1);
        yield one;
        asked.push(2);
        yield two;
      })(),
    );
    expect([isPushed(body), asked]).toEqual([true, []]);
    const first = calledBack(body);
    expect(body.take()).toBe(undefined);
    await first;
    expect([body.take(), asked, body.ended]).toEqual([one, [1], false]);
    const second = calledBack(body);
    expect(body.take()).toBe(undefined);
    await soon(second);
    expect([body.take(), asked]).toEqual([two, [1, 2]]);
    const third = calledBack(body);
    body.take();
    await third;
    expect([body.take(), body.ended]).toEqual([undefined, true]);
  });

  test("can be iterated, and is urgent", async () => {
    const body = pushedBody(
      (async function* () {
        yield one;
        yield two;
      })(),
    );
    expect(body.isUrgent).toBe(true);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(pieces).toEqual([one, two]);
  });

  /** An iteration whose answers the test gives. */
  function questions() {
    const asked: {
      readonly resolve: (piece: Uint8Array) => void;
      readonly reject: (error: Error) => void;
    }[] = [];
    const next = () =>
      new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        asked.push({ resolve: (value) => resolve({ done: false, value }), reject });
      });
    return { asked, iteration: { [Symbol.asyncIterator]: () => ({ next }) } };
  }

  test("asks for one piece at a time", async () => {
    const { asked, iteration } = questions();
    const body = pushedBody(iteration);
    expect([body.take(), body.take(), asked.length]).toEqual([undefined, undefined, 1]);
    const called = calledBack(body);
    asked[0]?.resolve(one);
    await called;
    expect([body.take(), asked.length, body.take(), asked.length]).toEqual([one, 1, undefined, 2]);
  });

  test("calls its reader when it is closed, and drops an error that comes later", async () => {
    const { asked, iteration } = questions();
    const body = pushedBody(iteration);
    body.take();
    const closed = calledBack(body);
    body.close();
    await closed;
    const called = calledBack(body);
    asked[0]?.reject(new Error("broken"));
    await called;
    expect([body.take(), body.ended]).toEqual([undefined, true]);
  });

  test("throws the error of the iteration once, and is over", async () => {
    const error = new Error("broken");
    const body = pushedBody(
      // biome-ignore lint/correctness/useYield: it throws instead
      (async function* () {
        throw error;
      })(),
    );
    const called = calledBack(body);
    body.take();
    await called;
    expect(body.ended).toBe(false);
    expect(() => body.take()).toThrow(error);
    expect([body.take(), body.ended]).toEqual([undefined, true]);
  });

  test("returns from the iteration when it is closed, once, and drops a piece that comes later", async () => {
    let returns = 0;
    let answer: (piece: IteratorResult<Uint8Array>) => void = () => {};
    const body = pushedBody({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<Uint8Array>>((resolve) => (answer = resolve)),
        return: async () => {
          returns += 1;
          return { done: true, value: undefined };
        },
      }),
    });
    body.take();
    body.close();
    body.close();
    const called = calledBack(body);
    answer({ done: false, value: one });
    await called;
    expect([returns, body.take(), body.ended]).toEqual([1, undefined, true]);
  });

  test("is a body that already calls its reader as it is", () => {
    const body = new FilledBody();
    expect(pushedBody(body)).toBe(body);
  });
});

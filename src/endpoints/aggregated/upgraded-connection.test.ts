import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { drained, type UpgradedSocket, upgradedConnection } from "./upgraded-connection.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A connection to a server that says this and waits for its end. */
class FakeSocket extends EventEmitter implements UpgradedSocket {
  readonly written: string[] = [];
  /** Whether the server takes more at once. */
  takesMore = true;
  readonly #says: readonly string[];
  /** Settles when the connection is to end. */
  readonly ended = new Promise<void>((resolve) => this.once("ended", resolve));

  constructor(...says: readonly string[]) {
    super();
    this.#says = says;
  }

  write(piece: Uint8Array): boolean {
    this.written.push(new TextDecoder().decode(piece));
    return this.takesMore;
  }

  destroySoon(): void {
    this.emit("ended");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const text of this.#says) yield bytes(text);
    await this.ended;
  }
}

/** What a client sends that stays connected for ever. */
async function* sentBefore(pause: Promise<void>, ...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
  await pause;
}

const forever = new Promise<void>(() => {});

async function read(connection: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const piece of connection) texts.push(new TextDecoder().decode(piece));
  return texts;
}

/** As many pieces as there are, while the connection stays open. */
async function first(connection: AsyncIterable<Uint8Array>, count: number): Promise<readonly string[]> {
  const iterator = connection[Symbol.asyncIterator]();
  const texts: string[] = [];
  while (texts.length < count) texts.push(new TextDecoder().decode((await iterator.next()).value));
  return texts;
}

describe("a connection that a server has taken up", () => {
  test.each([
    ["head ", ["head ", "a", "b"]],
    ["", ["a", "b"]],
  ])("gives what follows the head %j", async (head, expected) => {
    const socket = new FakeSocket("a", "b");
    const connection = upgradedConnection(socket, bytes(head), sentBefore(forever));
    expect(await first(connection, expected.length)).toEqual(expected);
  });

  test("ends when the client does, after what it has sent", async () => {
    const socket = new FakeSocket("a");
    const sent = sentBefore(Promise.resolve(), "1", "2");
    expect(await read(upgradedConnection(socket, bytes(""), sent))).toEqual(["a"]);
    expect(socket.written).toEqual(["1", "2"]);
  });

  test("ends when what the client sends fails", async () => {
    const socket = new FakeSocket("a");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes("1");
      throw new Error("reset");
    }
    expect(await read(upgradedConnection(socket, bytes(""), failing()))).toEqual(["a"]);
  });

  test("ends when its reader leaves", async () => {
    const socket = new FakeSocket("a", "b");
    const connection = upgradedConnection(socket, bytes(""), sentBefore(forever));
    for await (const _ of connection) break;
    await socket.ended;
  });

  test("takes what the client sends no faster than the server", async () => {
    const socket = new FakeSocket();
    socket.takesMore = false;
    const reading = read(upgradedConnection(socket, bytes(""), sentBefore(Promise.resolve(), "1", "2")));
    await untilWaiting(socket);
    expect(socket.written).toEqual(["1"]);
    socket.emit("drain");
    await untilWaiting(socket);
    expect(socket.written).toEqual(["1", "2"]);
    socket.emit("close");
    await reading;
  });

  test("survives an error, which its reader gets", () => {
    const socket = new FakeSocket();
    upgradedConnection(socket, bytes(""), sentBefore(forever));
    expect(() => socket.emit("error", new Error("reset"))).not.toThrow();
  });
});

/** Lets the writer go on until it waits for the server. */
async function untilWaiting(socket: FakeSocket): Promise<void> {
  while (socket.listenerCount("drain") === 0) await new Promise(setImmediate);
}

test.each(["drain", "close"])("a writer goes on after %j, and listens no more", async (event) => {
  const socket = new EventEmitter();
  const waiting = drained(socket);
  expect([socket.listenerCount("drain"), socket.listenerCount("close")]).toEqual([1, 1]);
  socket.emit(event);
  await waiting;
  expect([socket.listenerCount("drain"), socket.listenerCount("close")]).toEqual([0, 0]);
});

import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { Pipe } from "../pipe.ts";
import { HeaderReader, HeaderWriter } from "./header-blocks.ts";
import { headerDictionary } from "./header-dictionary.ts";
import { type AcceptStream, SpdyConnection, type SpdyStream } from "./spdy-connection.ts";
import { controlFrame, dataFrame, finFlag, frameTypes } from "./spdy-frames.ts";

const headers = [
  ["streamType", "error"],
  ["port", "80"],
] as const;

test("the dictionary has the checksum of SPDY/3", () => {
  const { length } = headerDictionary();
  expect(length).toBe(1423);
  // Node's zlib refuses another dictionary than the one that the head names.
  const { inflateSync, constants } = zlib;
  const block = new HeaderWriter().write([]);
  const inflated = inflateSync(block, {
    dictionary: headerDictionary(),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  expect([...inflated]).toEqual([0, 0, 0, 0]);
});

test("headers are read in the order of their frames, since one stream of zlib has them all", async () => {
  const reader = new HeaderReader();
  const writer = new HeaderWriter();
  expect([...(await reader.read(writer.write(headers)))]).toEqual([
    ["streamtype", "error"],
    ["port", "80"],
  ]);
  expect([...(await reader.read(writer.write([["a", "b\0c"]])))]).toEqual([["a", "b"]]);
  reader.close();
});

test.each([
  ["that are not compressed", () => Uint8Array.of(1, 2, 3, 4)],
  ["that are too long", () => new HeaderWriter().write([["a", "b".repeat(40_000)]])],
  ["that end early", () => new HeaderWriter().write([["a", "b"]]).subarray(0, 14)],
])("headers %s are an error", async (_title, block) => {
  const reader = new HeaderReader();
  await expect(reader.read(block())).rejects.toThrow();
  reader.close();
});

describe("a connection", () => {
  function opened(accept: AcceptStream = () => {}) {
    const received = new Pipe();
    const streams: SpdyStream[] = [];
    const connection = new SpdyConnection(received, (stream, replied) => {
      accept(stream, replied);
      streams.push(stream);
    });
    const writer = new HeaderWriter();
    const open = (id: number, flags = 0) => {
      const block = new Uint8Array(2 + 200);
      const written = writer.write(headers);
      block.set(written, 2);
      const frame = controlFrame(frameTypes.synStream, [id, 0], block.subarray(0, 2 + written.length));
      frame[4] = flags;
      return received.write(frame);
    };
    const served = connection.serve();
    const frame = async () => [...((await connection.sent.next()).value ?? [])];
    return { received, streams, connection, open, served, frame };
  }

  test("answers a stream, and hands its data on until its end", async () => {
    const { received, streams, open, frame } = opened();
    await open(1);
    expect((await frame()).slice(0, 12)).toEqual([0x80, 3, 0, 2, 0, 0, 0, 24, 0, 0, 0, 1]);
    const whole = dataFrame(1, Uint8Array.of(7, 8, 9), finFlag);
    // In two pieces, which the stream gets as they come.
    await received.write(whole.subarray(0, 9));
    await received.write(whole.subarray(9));
    const got: number[] = [];
    for await (const piece of streams[0]?.received ?? []) got.push(...piece);
    expect(got).toEqual([7, 8, 9]);
  });

  test("says when it has answered a stream, because clients drop what comes before", async () => {
    const { open, frame } = opened((stream, replied) => {
      void replied.then(() => stream.write(Uint8Array.of(7)));
    });
    await open(1);
    const isReply = async () => (await frame())[0] === 0x80;
    expect([await isReply(), await isReply()]).toEqual([true, false]);
  });

  test("answers pings of the client alone", async () => {
    const { received, frame } = opened();
    await received.write(controlFrame(frameTypes.ping, [2]));
    await received.write(controlFrame(frameTypes.ping, [3]));
    expect((await frame()).slice(8)).toEqual([0, 0, 0, 3]);
  });

  test("refuses a stream that is not accepted", async () => {
    const { open, frame } = opened(() => {
      throw new Error("no");
    });
    await open(1);
    expect(await frame()).toEqual([0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 3]);
  });

  test("resets a stream whose number is not the client's next", async () => {
    const { open, frame } = opened();
    await open(3);
    await frame();
    await open(1);
    expect(await frame()).toEqual([0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test.each([
    ["another version", Uint8Array.of(0x80, 2, 0, 1, 0, 0, 0, 0)],
    ["a control frame that is too long", Uint8Array.of(0x80, 3, 0, 1, 0, 2, 0, 0)],
    ["headers that are none", controlFrame(frameTypes.synStream, [1, 0], new Uint8Array(20).fill(1))],
    ["GOAWAY", controlFrame(frameTypes.goAway, [0, 0])],
  ])("ends with %s", async (_title, bytes) => {
    const { received, streams, open, served } = opened();
    await open(1);
    await received.write(bytes);
    await served;
    expect((await streams[0]?.received.next())?.done).toBe(true);
  });

  test("holds the client up while the reader of a stream does not keep up", async () => {
    const { received, streams, open } = opened();
    await open(1);
    const frame = dataFrame(1, new Uint8Array(1024 * 1024), 0);
    await received.write(frame);
    let isTaken = false;
    const second = received.write(frame).then(() => {
      isTaken = true;
    });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    let size = 0;
    while (size < 2 * 1024 * 1024) size += (await streams[0]?.received.next())?.value?.byteLength ?? 0;
    await second;
    expect(isTaken).toBe(true);
  });
});

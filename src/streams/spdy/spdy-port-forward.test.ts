import { expect, test } from "vitest";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { Pipe } from "../pipe.ts";
import { HeaderWriter } from "./header-blocks.ts";
import { controlFrame, finFlag, frameTypes, readFrameHead, resetStatus } from "./spdy-frames.ts";
import { tunneledPortForward } from "./spdy-port-forward.ts";

/** A request that lasts until the client leaves. A tunnel reads nothing else of it. */
function requestOf(client: AbortController): ApiRequest {
  return { signal: client.signal } as ApiRequest;
}

/** The frame that opens a stream of a connection. */
function opening(writer: HeaderWriter, id: number, type: string, connection: number): Uint8Array {
  const headers = writer.write([
    ["streamtype", type],
    ["port", "80"],
    ["requestid", String(connection)],
  ]);
  return controlFrame(frameTypes.synStream, [id, 0], Uint8Array.of(0, 0, ...headers));
}

test("a client that resets the first streams of its connections has 1,000 that wait for their second", async () => {
  const received = new Pipe();
  const client = new AbortController();
  const frames = tunneledPortForward(async () => undefined, requestOf(client)).messages(received);
  if (!isStreamed(frames)) throw new Error("no stream");
  const sent = frames[Symbol.asyncIterator]();
  const writer = new HeaderWriter();
  const openAndReset = async (number: number) => {
    const id = 2 * number + 1;
    await received.write(opening(writer, id, "error", number));
    await received.write(controlFrame(frameTypes.rstStream, [id, resetStatus.cancel]));
    const answer: Uint8Array = (await sent.next()).value;
    return answer[3];
  };
  for (let number = 0; number < 1000; number++) expect(await openAndReset(number)).toBe(frameTypes.synReply);
  expect(await openAndReset(1000)).toBe(frameTypes.rstStream);
  received.end();
  client.abort();
});

test("what a port says first comes after the reply that opens its stream", async () => {
  const received = new Pipe();
  const conversation = tunneledPortForward(async ({ write }) => {
    await write(utf8Bytes("hello"));
    return undefined;
  }, requestOf(new AbortController()));
  const writer = new HeaderWriter();
  await received.write(opening(writer, 1, "error", 0));
  await received.write(opening(writer, 3, "data", 0));
  const seen: unknown[] = [];
  for await (const bytes of conversation.messages(received)) {
    const head = readFrameHead(bytes);
    if (head?.type !== undefined) seen.push(["reply", bytes[11]]);
    else seen.push([head?.stream, (head?.flags ?? 0) & finFlag ? "end" : head?.length]);
    if (seen.length === 5) break;
  }
  expect(seen).toEqual([
    ["reply", 1],
    ["reply", 3],
    [3, 5],
    [3, "end"],
    [1, "end"],
  ]);
});

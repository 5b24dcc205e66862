import { expect, test } from "vitest";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { Pipe } from "../pipe.ts";
import { HeaderWriter } from "./header-blocks.ts";
import { controlFrame, finFlag, frameTypes, readFrameHead } from "./spdy-frames.ts";
import { tunneledPortForward } from "./spdy-port-forward.ts";

const signal = new AbortController().signal;

function request(): ApiRequest {
  // A tunnel reads nothing else of it.
  return { signal } as ApiRequest;
}

test("what a port says first comes after the reply that opens its stream", async () => {
  const received = new Pipe();
  const conversation = tunneledPortForward(async ({ write }) => {
    await write(utf8Bytes("hello"));
    return undefined;
  }, request());
  const writer = new HeaderWriter();
  const open = (id: number, type: string) => {
    const headers = writer.write([
      ["streamtype", type],
      ["port", "80"],
      ["requestid", "0"],
    ]);
    return received.write(controlFrame(frameTypes.synStream, [id, 0], Uint8Array.of(0, 0, ...headers)));
  };
  await open(1, "error");
  await open(3, "data");
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

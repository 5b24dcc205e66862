import { expect, test } from "vitest";
import type { ApiRequest } from "../../request/handler.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { Pipe } from "../pipe.ts";
import { HeaderWriter } from "./header-blocks.ts";
import { controlFrame, frameTypes, resetStatus } from "./spdy-frames.ts";
import { tunneledPortForward } from "./spdy-port-forward.ts";

test("a client that resets the first streams of its connections has 1,000 that wait for their second", async () => {
  const received = new Pipe();
  const client = new AbortController();
  // What the tunnel uses of a request.
  const request = { signal: client.signal } as ApiRequest;
  const frames = tunneledPortForward(async () => undefined, request).messages(received);
  if (!isStreamed(frames)) throw new Error("no stream");
  const sent = frames[Symbol.asyncIterator]();
  const writer = new HeaderWriter();
  const openAndReset = async (number: number) => {
    const id = 2 * number + 1;
    const headers = writer.write([
      ["streamtype", "error"],
      ["port", "80"],
      ["requestid", String(number)],
    ]);
    const block = new Uint8Array(2 + headers.byteLength);
    block.set(headers, 2);
    await received.write(controlFrame(frameTypes.synStream, [id, 0], block));
    await received.write(controlFrame(frameTypes.rstStream, [id, resetStatus.cancel]));
    const answer: Uint8Array = (await sent.next()).value;
    return answer[3];
  };
  for (let number = 0; number < 1000; number++) expect(await openAndReset(number)).toBe(frameTypes.synReply);
  expect(await openAndReset(1000)).toBe(frameTypes.rstStream);
  received.end();
  client.abort();
});

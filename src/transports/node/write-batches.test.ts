import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAuthority } from "./certificates.ts";
import { type Listener, listen } from "./listen.ts";

/** Pieces of all sizes, small, empty and larger than a batch, whose bytes tell where they belong. */
const pieces = Array.from({ length: 900 }, (_, index) => {
  const size = index === 450 ? 300_000 : (index * 7919) % 3000;
  return new Uint8Array(size).fill(index % 251);
});
const whole = Buffer.concat(pieces);
const issued = createAuthority().issue({ commonName: "test", usage: "server", hosts: ["127.0.0.1"] });
const tls = { key: issued.key, certificate: issued.certificate };

/** A client that reads some bytes, lets the other clients read, and then reads the rest. */
async function slowly(body: Readable, others: Promise<unknown>): Promise<Buffer> {
  const received: Buffer[] = [];
  body.once("data", () => {
    body.pause();
    void others.then(() => body.resume());
  });
  body.on("data", (piece: Buffer) => received.push(piece));
  await once(body, "end");
  return Buffer.concat(received);
}

describe.each([
  ["HTTP/1.1", undefined],
  ["HTTP/1.1 with TLS", tls],
  ["HTTP/2", tls],
])("a large answer in many pieces over %s", (protocol, security) => {
  let listener: Listener;
  let open: () => Promise<Readable>;
  let close = (): void => {};

  beforeEach(async () => {
    const handler = async () => ({ status: 200, headers: [], body: pieces });
    const options = { port: 0, host: "127.0.0.1", tls: security, upgrade: undefined };
    listener = await listen(handler, options);
    const { port } = listener;
    if (protocol === "HTTP/2") {
      const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      close = () => session.close();
      open = async () => session.request({ ":path": "/" });
      return;
    }
    const get = security === undefined ? http.get : https.get;
    const request = { port, host: "127.0.0.1", path: "/", agent: false, rejectUnauthorized: false };
    open = async () => {
      const [response] = await once(get(request), "response");
      return response;
    };
  });
  afterEach(async () => {
    close();
    await listener.close();
  });

  test("reaches several clients whole, of which one stops reading for a while", async () => {
    const slow = await open();
    let readOn = (): void => {};
    const received = slowly(slow, new Promise<void>((resolve) => (readOn = resolve)));
    const others = await Promise.all(
      [1, 2, 3, 4].map(async () => Buffer.concat(await (await open()).toArray())),
    );
    readOn();
    expect([...others, await received].map((answer) => answer.equals(whole))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });
});

import { createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import type { RawRequest } from "../conformance/quiet-server.ts";
import type { Random } from "../conformance/random.ts";
import { mutatedBytes } from "../conformance/random-body.ts";
import { RandomRequests } from "../conformance/random-requests.ts";
import { RawConnection } from "../transports/raw-connection.ts";
import type { Attack } from "./attack.ts";
import { damagedFrames, ordinaryFrames } from "./http2-frames.ts";
import type { Tally } from "./tally.ts";

/** How long to wait for an answer to bytes that may not have one, in milliseconds. */
const patience = 200;
/** How long the server may take to notice that connections have gone, in milliseconds. */
const patienceForClosing = 3000;
const connectionsAtOnce = 10;
const roundsOfConnections = 3;

/** What is written to a connection, piece by piece. */
type Pieces = readonly Uint8Array[];

/** Bytes on the plain port: damaged requests, random headers, requests in pieces, clients that go away. */
export const http1Bytes: Attack = {
  name: "bytes of HTTP/1.1",
  start: (random, tally) => {
    const requests = new RandomRequests(random);
    return onPort(tally, false, random, (token) => slices(random, damagedRequest(random, requests, token)));
  },
};

/** Frames on the TLS port: damaged ones, floods of valid ones, streams that are reset at once. */
export const http2Frames: Attack = {
  name: "frames of HTTP/2",
  start: (random, tally) =>
    onPort(tally, true, random, (token) => slices(random, damagedFrames(random, token))),
};

async function onPort(tally: Tally, isHttp2: boolean, random: Random, piecesOf: (token: string) => Pieces) {
  const cluster = createCluster({ controllers: [] });
  const serving = await serve(cluster, { tls: isHttp2 });
  const token = cluster.adminToken();
  const status = isHttp2 ? statusOfFrames : statusOfText;
  const round = async (): Promise<void> => {
    for (let count = 0; count < roundsOfConnections; count += 1) {
      const all = Array.from({ length: connectionsAtOnce }, () =>
        attack(serving, isHttp2, piecesOf(token), random),
      );
      for (const { received, milliseconds } of await Promise.all(all))
        tally.count(status(received), milliseconds);
    }
    await answers(serving, isHttp2, token, tally);
  };
  const snapshot = cluster.snapshot();
  return {
    round,
    settle: async () => {
      const given = performance.now() + patienceForClosing;
      while (cluster.watches.open.length > 0 && performance.now() < given)
        await new Promise((resolve) => setTimeout(resolve, 10));
      const open = cluster.watches.open.length;
      if (open > 0) tally.found("malformed", `${open} watches are open after their connections`);
      cluster.restore(snapshot);
      cluster.compact();
    },
    close: async () => {
      await serving.close();
      await cluster.close();
    },
  };
}

function open({ port, caCertificate }: Serving, isHttp2: boolean): Promise<RawConnection> {
  const options = { ca: caCertificate, servername: "localhost", ALPNProtocols: ["h2"] };
  return RawConnection.open(port, isHttp2 ? options : undefined);
}

/** Writes the pieces, waits for an answer or for some time, and leaves in some way. */
async function attack(serving: Serving, isHttp2: boolean, pieces: Pieces, random: Random) {
  const leaving = random.below(3);
  const isImpatient = random.chance(10);
  const connection = await open(serving, isHttp2);
  const { socket } = connection;
  const started = performance.now();
  for (const piece of pieces) {
    if (socket.destroyed) break;
    connection.write(piece);
    if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const isOver = () =>
    socket.closed || (isHttp2 ? hasEnded(connection) : statusOfText(connection.received) !== undefined);
  while (!isImpatient && !isOver() && performance.now() - started < patience)
    await new Promise((resolve) => setTimeout(resolve, 2));
  const milliseconds = performance.now() - started;
  // A TLS socket cannot be reset.
  if (leaving === 0 && !isHttp2) socket.resetAndDestroy();
  else if (leaving < 2) socket.destroy();
  else {
    socket.end();
    setTimeout(() => socket.destroy(), patience).unref();
  }
  return { received: connection.received, milliseconds };
}

/** An ordinary request is answered after each round. */
async function answers(serving: Serving, isHttp2: boolean, token: string, tally: Tally): Promise<void> {
  const connection = await open(serving, isHttp2).catch(() => undefined);
  if (connection === undefined) {
    tally.found("crash", "the port refuses connections");
    return;
  }
  const pieces = isHttp2
    ? [ordinaryFrames(token)]
    : [Buffer.from(`GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)];
  for (const piece of pieces) connection.write(piece);
  const waited = new Promise<void>((resolve) => setTimeout(resolve, 30_000));
  const hasAnswer = isHttp2 ? /gitVersion/ : /^HTTP\/1\.1 200[\s\S]*gitVersion/;
  await Promise.race([connection.until(hasAnswer), waited]);
  connection.socket.destroy();
  if (!hasAnswer.test(connection.received))
    tally.found(
      "crash",
      `an ordinary request gets no answer: ${JSON.stringify(connection.received.slice(0, 200))}`,
    );
}

/** The bytes of a request, mostly with something wrong. */
function damagedRequest(random: Random, requests: RandomRequests, token: string): Uint8Array {
  const kind = random.below(100);
  if (kind < 10) return Uint8Array.from({ length: random.below(500) }, () => random.below(256));
  const bytes = bytesOf(random, requests.next(), token);
  if (kind < 30) return bytes;
  if (kind < 40) return bytes.subarray(0, random.below(bytes.length));
  if (kind < 50) return Buffer.concat([bytes, bytesOf(random, requests.next(), token)]);
  return mutatedBytes(random, bytes);
}

const framings = [
  "length",
  "length",
  "chunks",
  "wrong length",
  "both",
  "two lengths",
  "wrong chunks",
] as const;
const oddLines = [
  "Host: ",
  "Host: a, b",
  "Connection: close",
  "Connection: upgrade\r\nUpgrade: websocket",
  "Connection: upgrade\r\nUpgrade: h2c",
  "Expect: 100-continue",
  "Expect: everything",
  "Content-Encoding: gzip",
  "Transfer-Encoding: gzip, chunked",
  "X\u0000Y: 1",
  " folded: 1",
  "no colon",
  ": no name",
  "__proto__: 1",
  "Cookie: a=b",
  "Trailer: x",
  "TE: trailers",
];

function bytesOf(random: Random, request: RawRequest, token: string): Uint8Array {
  const { method, target, headers = {}, body = "" } = request;
  const content = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  const isStranger = random.chance(10) || "authorization" in headers;
  const lines = [
    `${method} ${target} HTTP/${random.chance(95) ? "1.1" : random.pick(["1.0", "0.9", "2.0", "1.1 "])}`,
    ...(random.chance(95) ? ["Host: localhost"] : []),
    ...(isStranger ? [] : [`Authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(random.chance(30) ? [random.pick(oddLines)] : []),
    ...(random.chance(5)
      ? Array.from({ length: random.below(3000) }, (_, index) => `X-${index}: ${index}`)
      : []),
  ];
  const { head, tail } = framed(random.pick(framings), content, random);
  return Buffer.concat([Buffer.from(`${[...lines, ...head].join("\r\n")}\r\n\r\n`, "latin1"), tail]);
}

function framed(framing: (typeof framings)[number], content: Buffer, random: Random) {
  const length = `Content-Length: ${content.length}`;
  const chunk = Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  switch (framing) {
    case "length":
      return { head: content.length === 0 ? [] : [length], tail: content };
    case "chunks":
      return { head: ["Transfer-Encoding: chunked"], tail: chunk };
    case "wrong length":
      return {
        head: [`Content-Length: ${random.pick(["-1", "1e3", "99999999999999999999", "+5", " ", "5, 6"])}`],
        tail: content,
      };
    case "both":
      return { head: [length, "Transfer-Encoding: chunked"], tail: chunk };
    case "two lengths":
      return { head: [length, `Content-Length: ${content.length + 1}`], tail: content };
    case "wrong chunks":
      return { head: ["Transfer-Encoding: chunked"], tail: mutatedBytes(random, chunk) };
  }
}

/** The bytes at once, or in a few pieces. */
function slices(random: Random, bytes: Uint8Array): Pieces {
  if (random.chance(60)) return [bytes];
  const size = 1 + random.below(Math.max(1, bytes.length));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces.length > 50 ? [bytes] : pieces;
}

function statusOfText(received: string): number | undefined {
  const found = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The payload of the first frame of a type. */
function frameOf(received: string, type: number): Uint8Array | undefined {
  const bytes = Buffer.from(received, "latin1");
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === type) return bytes.subarray(at + 9);
  }
  return undefined;
}

/** Whether HEADERS or GOAWAY have come. */
function hasEnded({ received }: RawConnection): boolean {
  return frameOf(received, 1) !== undefined || frameOf(received, 7) !== undefined;
}

/** The status of the first answer, as far as its class; the server may not use a table of headers. */
function statusOfFrames(received: string): number | undefined {
  const block = frameOf(received, 1);
  return block && statusOfBlock(block);
}

/** The statuses that HPACK has in its table, by their byte. */
const indexed: ReadonlyMap<number, number> = new Map([
  [0x88, 200],
  [0x89, 204],
  [0x8a, 206],
  [0x8b, 304],
  [0x8c, 400],
  [0x8d, 404],
  [0x8e, 500],
]);
/** The codes of the first digit in HPACK's Huffman code. */
const digits: ReadonlyMap<number, number> = new Map([
  [0b011001, 300],
  [0b011010, 400],
  [0b011011, 500],
]);

function statusOfBlock(block: Uint8Array): number | undefined {
  // A change of the size of the table precedes the headers.
  const start = (block[0] ?? 0) >> 5 === 1 ? 1 : 0;
  const [name = 0, length = 0, first = 0] = block.subarray(start);
  const known = indexed.get(name);
  if (known !== undefined) return known;
  if (length < 0x80) return Number(String.fromCharCode(first)) * 100;
  return digits.get(first >> 2) ?? 200;
}

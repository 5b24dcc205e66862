import type { Random } from "../conformance/random.ts";
import { mutatedBytes } from "../conformance/random-body.ts";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
};
const endStream = 1;
const endHeaders = 4;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header as HPACK's literal without an index and without Huffman's code. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const prefix = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) prefix.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...prefix, rest]), bytes]);
}

type Header = readonly [name: string, value: string];

function request(stream: number, headers: readonly Header[], body: string | undefined): Buffer {
  const block = Buffer.concat(headers.map(([name, value]) => literal(name, value)));
  if (body === undefined) return frame(types.headers, endHeaders | endStream, stream, block);
  const data = frame(types.data, endStream, stream, Buffer.from(body));
  return Buffer.concat([frame(types.headers, endHeaders, stream, block), data]);
}

/** The beginning of a connection whose answers use no table of headers. */
const opening = Buffer.concat([preface, frame(types.settings, 0, 0, Buffer.from([0, 1, 0, 0, 0, 0]))]);

function ordinary(token: string, path: string, more: readonly Header[] = []): readonly Header[] {
  return [
    [":method", "GET"],
    [":scheme", "https"],
    [":authority", "localhost"],
    [":path", path],
    ["authorization", `Bearer ${token}`],
    ...more,
  ];
}

const configMaps = "/api/v1/namespaces/default/configmaps";

/** The frames of a connection, mostly with something wrong. */
export function damagedFrames(random: Random, token: string): Uint8Array {
  const kind = random.below(100);
  if (kind < 5) return Uint8Array.from({ length: random.below(500) }, () => random.below(256));
  const isPolite = random.chance(40);
  const frames = Array.from({ length: 1 + random.below(5) }, (_, index) =>
    isPolite ? politePiece(random, token, 2 * index + 1) : piece(random, token, 2 * index + 1),
  );
  const bytes = Buffer.concat([opening, ...frames]);
  if (kind < 60) return bytes;
  if (kind < 70) return bytes.subarray(0, random.below(bytes.length));
  // The opening stays, so that the server reads on.
  return Buffer.concat([opening, mutatedBytes(random, Buffer.concat(frames))]);
}

/** An ordinary request on a connection of its own. */
export function ordinaryFrames(token: string): Uint8Array {
  return Buffer.concat([opening, request(1, ordinary(token, "/version"), undefined)]);
}

/** The frames of a request that is allowed. */
function politePiece(random: Random, token: string, stream: number): Buffer {
  if (random.chance(60)) {
    const path = random.pick(["/version", configMaps, "/", "/%zz", "/healthz", `${configMaps}?watch=1`]);
    return request(stream, ordinary(token, path), undefined);
  }
  const headers = ordinary(token, configMaps, [["content-type", "application/json"]]);
  const body = JSON.stringify({
    metadata: { generateName: "h2-" },
    data: { a: "x".repeat(random.below(2000)) },
  });
  return request(stream, [[":method", "POST"], ...headers.slice(1)], body);
}

/** Some frames that begin with a stream. */
function piece(random: Random, token: string, stream: number): Buffer {
  switch (random.below(12)) {
    case 0:
    case 1:
      return politePiece(random, token, stream);
    case 2:
      return request(stream, oddHeaders(random, token), random.chance(50) ? "{}" : undefined);
    case 3:
      // Streams that are reset at once.
      return Buffer.concat(
        Array.from({ length: random.below(100) }, (_, index) => {
          const id = stream + 100 + 2 * index;
          const reset = frame(types.reset, 0, id, Buffer.from([0, 0, 0, 8]));
          return Buffer.concat([request(id, ordinary(token, `${configMaps}?watch=1`), undefined), reset]);
        }),
      );
    case 4:
      return flood(random.below(500), frame(types.ping, 0, 0, Buffer.alloc(8)));
    case 5:
      return flood(random.below(500), frame(types.settings, 0, 0, settings(random)));
    case 6:
      return frame(
        types.window,
        0,
        random.pick([0, stream]),
        Buffer.from(
          random.pick([
            [0, 0, 0, 0],
            [127, 255, 255, 255],
          ]),
        ),
      );
    case 7: {
      // A block that goes on in many small frames, and may not end.
      const head = frame(types.headers, endStream, stream, literal(":method", "GET"));
      return Buffer.concat([
        head,
        flood(random.below(300), frame(types.continuation, 0, stream, literal("a", "b"))),
      ]);
    }
    case 8:
      return frame(types.data, 0, random.below(20), Buffer.alloc(random.below(20_000)));
    case 9:
      return frame(types.push, endHeaders, stream, Buffer.alloc(4));
    case 10:
      return Buffer.concat([
        frame(types.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])),
        request(stream, ordinary(token, "/openapi/v2"), undefined),
      ]);
    default:
      return frame(
        random.below(256),
        random.below(256),
        random.below(2 ** 31),
        Buffer.alloc(random.below(50), random.below(256)),
      );
  }
}

function flood(count: number, one: Buffer): Buffer {
  return Buffer.concat(Array<Buffer>(count).fill(one));
}

function settings(random: Random): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(random.below(9), 0);
  payload.writeUInt32BE(random.pick([0, 1, 100, 16_384, 2 ** 31 - 1, 2 ** 32 - 1]), 2);
  return payload;
}

function oddHeaders(random: Random, token: string): readonly Header[] {
  const odd: readonly Header[] = [
    ["connection", "close"],
    ["transfer-encoding", "chunked"],
    ["Upper", "case"],
    ["content-length", "5"],
    ["content-length", "-1"],
    [":path", "/other"],
    [":status", "200"],
    ["te", "gzip"],
    ["a\0b", "c"],
    ["host", "other"],
    ["accept", ";".repeat(random.below(1000))],
    ["x", "y".repeat(random.below(70_000))],
  ];
  const headers = ordinary(token, configMaps, [random.pick(odd)]);
  return random.chance(50) ? headers : headers.filter(() => random.chance(80));
}

import { once } from "node:events";
import net from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;
/** Less than the output, because every byte of a client is unmasked. */
const inputSize = 256 * mebibyte;
const piece = new Uint8Array(mebibyte);

let cluster: Cluster;
let server: Serving;

beforeAll(async () => {
  const spec = { containers: [{ name: "c", image: "i" }] };
  cluster = createCluster({
    controllers: [],
    objects: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec }],
  });
  server = await serve(cluster, { tls: false });
});

afterAll(async () => {
  await server.close();
  await cluster.close();
});

/** The memory in use after all garbage is gone, in MiB. */
function memory(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / mebibyte;
}

/** A connection on which a command of the pod runs. */
async function execute(query: string): Promise<net.Socket> {
  const socket = net.connect(server.port, "127.0.0.1");
  const lines = [
    `GET /api/v1/namespaces/default/pods/web/exec?command=c&${query} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Authorization: Bearer ${cluster.adminToken()}`,
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: v5.channel.k8s.io",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [head] = await once(socket, "data");
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** A frame of a client whose mask changes nothing, with a message on a channel. */
function frame(channel: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(15);
  head.set([0x82, 0xff]);
  head.writeBigUInt64BE(BigInt(payload.byteLength + 1), 2);
  head[14] = channel;
  return Buffer.concat([head, payload]);
}

test("an output of 1 GiB arrives, and takes no memory", { timeout: 120_000 }, async () => {
  let most = 0;
  using _script = cluster.pod("web").onExec(async ({ stdout }) => {
    for (let written = 0; written < gibibyte; written += piece.byteLength) {
      await stdout.write(piece);
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, (heapUsed + external) / mebibyte);
    }
  });
  const before = memory();
  const socket = await execute("stdout=1");
  let received = 0;
  socket.on("data", (data) => {
    received += data.length;
  });
  await once(socket, "close");
  expect(received).toBeGreaterThan(gibibyte);
  expect(most - before).toBeLessThan(512);
  expect(memory() - before).toBeLessThan(128);
});

test("an input of 256 MiB arrives, and takes no memory", { timeout: 120_000 }, async () => {
  let read = 0;
  using _script = cluster.pod("web").onExec(async ({ stdin }) => {
    for await (const data of stdin) read += data.byteLength;
  });
  const before = memory();
  const socket = await execute("stdin=1&stdout=1");
  const message = frame(0, piece);
  for (let sent = 0; sent < inputSize; sent += piece.byteLength) {
    if (!socket.write(message)) await once(socket, "drain");
  }
  socket.write(frame(255, Uint8Array.of(0)));
  socket.resume();
  await once(socket, "close");
  expect(read).toBe(inputSize);
  expect(memory() - before).toBeLessThan(inputSize / mebibyte / 2);
});

import { describe, expect, test } from "vitest";
import { encode } from "../../../test/transports/fake-cluster.ts";
import { connected as connectedTo } from "../../../test/transports/serving.ts";
import type { Upgrade } from "./upgrade.ts";

const connected = (upgrade?: Upgrade) => connectedTo({ tls: false, ...(upgrade && { upgrade }) });

const upgradeRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Sent: 1\r\n\r\n`;

test("without an upgrade handler, an upgrade request is an ordinary request, and its connection stays open", async () => {
  const { connection } = await connected();
  connection.write(upgradeRequest("/status/400"));
  await connection.until(/\n$/);
  connection.write(upgradeRequest("/status/403"));
  expect(await connection.until(/403 Forbidden[\s\S]*\n$/)).toMatch(
    /^HTTP\/1.1 400 Bad Request[\s\S]* 403 Forbidden/,
  );
});

test("requests with an upgrade that follow each other at once are answered in their order", async () => {
  const { connection } = await connected();
  const statuses = ["400", "403", "404", "409", "410"];
  connection.write(statuses.map((status) => upgradeRequest(`/status/${status}`)).join(""));
  const answers = await connection.until(/ 410 Gone[\s\S]*\n$/);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(statuses);
});

test("many requests with an upgrade leave no listeners on their connection", async () => {
  const { connection } = await connected();
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  connection.write(upgradeRequest("/status/400").repeat(30) + upgradeRequest("/status/410"));
  await connection.until(/ 410 Gone[\s\S]*\n$/);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});

test("a request with an upgrade that follows a stream waits for its end", async () => {
  const { cluster, connection } = await connected();
  connection.write(upgradeRequest("/feed").repeat(100));
  await connection.until(/\r\n\r\n/);
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(cluster.feeds).toHaveLength(1);
  connection.socket.destroy();
});

test("CONNECT gets a response", async () => {
  const { cluster, connection } = await connected();
  connection.write("CONNECT elsewhere:443 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await connection.toEnd()).toMatch(/^HTTP\/1.1 404 Not Found[\s\S]*\r\nConnection: close\r\n/);
  expect(cluster.requests[0]).toMatchObject({ method: "CONNECT", target: "elsewhere:443" });
});

describe("a refused upgrade", () => {
  const decline: Upgrade = async () => false;

  test("is answered like any other request, and then the connection closes", async () => {
    const { connection } = await connected(decline);
    connection.write(upgradeRequest("/echo"));
    expect(await connection.toEnd()).toMatch(
      /^HTTP\/1.1 200 OK[\s\S]*\r\nX-First: 1\r\n[\s\S]*\r\nConnection: close\r\n/,
    );
  });

  test("may be answered with a stream, at the client's pace", async () => {
    const { cluster, connection } = await connected(decline);
    connection.write(upgradeRequest("/feed"));
    await connection.until(/\r\n\r\n/);
    const [feed] = cluster.feeds;
    for (let index = 0; index < 64; index++) feed?.push(new Uint8Array(64 * 1024).fill(0x78));
    feed?.push("end");
    const body = (await connection.toEnd()).split("\r\n\r\n")[1] ?? "";
    expect(body.match(/x/g)?.length).toBe(64 * 64 * 1024);
  });

  test("ends its stream when the client leaves", async () => {
    const { cluster, connection } = await connected(decline);
    connection.write(upgradeRequest("/feed"));
    await connection.until(/\r\n\r\n/);
    connection.socket.destroy();
    await cluster.feeds[0]?.left;
    expect(cluster.feeds[0]?.returns).toBe(1);
  });
});

test("an accepted upgrade has exclusive use of the connection", async () => {
  const seen: unknown[] = [];
  const { cluster, connection } = await connected(async (request, peer, { socket, head }) => {
    seen.push(request.target, request.headers.get("Upgrade"), peer.remoteAddress);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.write(head);
    socket.on("data", (piece) => socket.write(piece));
    return true;
  });
  connection.write(`${upgradeRequest("/exec?command=ls")}early`);
  await connection.until(/early/);
  connection.write(encode("late"));
  expect(await connection.until(/late/)).toMatch(/\r\n\r\nearlylate$/);
  expect(seen).toEqual(["/exec?command=ls", "websocket", "127.0.0.1"]);
  expect(cluster.requests).toEqual([]);
  connection.socket.end();
});

test("the request of an upgrade is aborted when the client leaves", async () => {
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  const { connection } = await connected(async (request, _peer, { socket }) => {
    request.signal.addEventListener("abort", abort);
    socket.resume();
    socket.write("taken");
    return true;
  });
  connection.write(upgradeRequest("/exec"));
  await connection.until(/taken/);
  connection.socket.resetAndDestroy();
  await aborted;
});

test("an upgrade that fails closes the connection", async () => {
  const { connection } = await connected(() => Promise.reject(new Error("a mistake")));
  connection.write(upgradeRequest("/echo"));
  expect(await connection.toEnd()).toBe("");
});

import { Agent, WebSocket } from "undici-7";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { reset } from "../../src/scenario/presets.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { RawConnection } from "./raw-connection.ts";

const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const watchPath = "/api/v1/namespaces/default/configmaps?watch=1&labelSelector=mine";
const mine = (name: string) => ({ ...configMap(name), metadata: { name, labels: { mine: "" } } });

describe.each([
  ["TLS", true],
  ["plain HTTP", false],
])("a watch over a WebSocket on a port with %s", (_what, tls) => {
  let cluster: Cluster;
  let server: Serving;
  beforeEach(async () => {
    cluster = createCluster();
    server = await serve(cluster, { tls, allowedHosts: ["dashboard.test"] });
  });
  afterEach(async () => {
    await cluster.close();
    await server.close();
  });

  function open(path: string, protocols: readonly string[], headers: Record<string, string> = {}): Messages {
    const url = `${server.url.replace(/^http/, "ws")}${path}`;
    const dispatcher = new Agent({ connect: { ca: server.caCertificate } });
    return new Messages(
      new WebSocket(url, {
        protocols: [...protocols],
        headers: { origin: "https://dashboard.test", ...headers },
        dispatcher,
      }),
    );
  }

  const authorization = () => ({ authorization: `Bearer ${cluster.adminToken()}` });

  test("sends each event as one text, also those that happen together", async () => {
    await cluster.create(mine("one"));
    await cluster.create(mine("two"));
    const watch = open(watchPath, [], authorization());
    const events = [await watch.next(), await watch.next()].map((text) => JSON.parse(String(text)));
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ["ADDED", "one"],
      ["ADDED", "two"],
    ]);
    await cluster.delete("v1", "ConfigMap", "one");
    await cluster.delete("v1", "ConfigMap", "two");
    expect(JSON.parse(String(await watch.next())).type).toBe("DELETED");
    watch.close();
  });

  test("misses no event after the handshake", async () => {
    const watch = open(watchPath, [], authorization());
    await watch.opened;
    await cluster.create(mine("brief"));
    await cluster.delete("v1", "ConfigMap", "brief");
    const events = [await watch.next(), await watch.next()].map((text) => JSON.parse(String(text)));
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ["ADDED", "brief"],
      ["DELETED", "brief"],
    ]);
    watch.close();
  });

  test("sends events in Protobuf as bytes without a length", async () => {
    const accept = { accept: "application/vnd.kubernetes.protobuf;stream=watch" };
    const watch = open(watchPath, [], { ...authorization(), ...accept });
    await cluster.create(mine("bytes"));
    const event = await watch.next();
    expect(event).toBeInstanceOf(ArrayBuffer);
    const text = new TextDecoder().decode(event as ArrayBuffer);
    expect(text.slice(2, 7)).toBe("ADDED");
    await cluster.delete("v1", "ConfigMap", "bytes");
    watch.close();
  });

  test("authenticates by the token in a subprotocol and selects the other one", async () => {
    const encoded = btoa(cluster.token("alice")).replaceAll("=", "");
    const protocols = [`base64url.bearer.authorization.k8s.io.${encoded}`, "base64.binary.k8s.io"];
    const watch = open(watchPath, protocols);
    await cluster.create(mine("three"));
    expect(JSON.parse(String(await watch.next())).object.metadata.name).toBe("three");
    expect(watch.protocol).toBe("base64.binary.k8s.io");
    expect(cluster.requests.matching({ verb: "watch", user: "alice" })).toHaveLength(1);
    await cluster.delete("v1", "ConfigMap", "three");
    watch.close();
  });

  test.each([125, 126, 65_535, 65_536])("sends events with %d characters of data", async (length) => {
    const watch = open(watchPath, [], authorization());
    await cluster.create({ ...mine("large"), data: { text: "x".repeat(length) } });
    expect(JSON.parse(String(await watch.next())).object.data.text).toHaveLength(length);
    await cluster.delete("v1", "ConfigMap", "large");
    watch.close();
  });

  test("ends with a normal closure when its time is over", async () => {
    const watch = open(`${watchPath}&timeoutSeconds=1`, [], authorization());
    await cluster.clock.advance("0s");
    expect(await watch.next()).toEqual({ closed: 1000 });
  });

  test("ends at the server when the client leaves", async () => {
    const watch = open(`${watchPath}&resourceVersion=0`, [], authorization());
    await cluster.create(mine("four"));
    await watch.next();
    watch.close();
    expect(await watch.next()).toEqual({ closed: 1000 });
    while (cluster.watches.open.length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(cluster.watches.open).toEqual([]);
    await cluster.delete("v1", "ConfigMap", "four");
  });

  test("breaks off when a fault resets the connection", async () => {
    using _fault = cluster.inject(reset({ verb: "watch" }));
    expect(await open(watchPath, [], authorization()).next()).toEqual({ closed: 1006 });
  });

  const connect = () =>
    RawConnection.open(server.port, tls ? { ca: server.caCertificate, servername: "localhost" } : undefined);
  const handshake = (path: string, ...lines: readonly string[]) =>
    [
      `GET ${path} HTTP/1.1`,
      "Host: localhost",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      ...lines,
      "",
      "",
    ].join("\r\n");
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const origin = "Origin: https://dashboard.test";
  const bearer = () => `Authorization: Bearer ${cluster.adminToken()}`;

  test.each<[string, readonly string[], RegExp]>([
    [
      "with the answer to its key",
      [key, origin],
      /^HTTP\/1.1 101 [\s\S]*Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/,
    ],
    ["without a key", [origin], /^HTTP\/1.1 400 Bad Request\r\n/],
    ["without an origin", [key], /^HTTP\/1.1 403 Forbidden\r\n/],
    [
      "with two subprotocols",
      [key, origin, "Sec-WebSocket-Protocol: a, b"],
      /^HTTP\/1.1 400 Bad Request\r\n/,
    ],
  ])("a handshake %s", async (_what, lines, expected) => {
    const connection = await connect();
    connection.write(handshake(watchPath, bearer(), ...lines));
    expect(await connection.until(/\r\n\r\n/)).toMatch(expected);
    connection.socket.destroy();
  });

  test("without credentials is refused as any other request", async () => {
    const connection = await connect();
    connection.write(handshake(watchPath, key, origin));
    expect(await connection.toEnd()).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n[\s\S]*"reason":"Unauthorized"/);
  });

  test.each([
    ["exec", "pods/web/exec?command=ls"],
    ["attach", "pods/web/attach?stdout=1"],
    ["port-forward", "pods/web/portforward"],
    ["a log that is followed", "pods/web/log?follow=1"],
    ["a list", "pods"],
  ])("%s authenticates by the token in a subprotocol", async (_what, path) => {
    const protocols = (token: string) =>
      `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${btoa(token).replaceAll("=", "")}, v4.channel.k8s.io`;
    const target = `/api/v1/namespaces/default/${path}`;
    for (const token of [cluster.token("alice"), "wrong"]) {
      const connection = await connect();
      connection.write(handshake(target, key, origin, protocols(token)));
      const answer = await connection.until(/\r\n\r\n/);
      if (token === "wrong") expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
      else expect(answer).not.toMatch(/^HTTP\/1.1 401 /);
      expect(cluster.requests.all.at(-1)).toMatchObject({ target, user: token === "wrong" ? "" : "alice" });
      connection.socket.destroy();
    }
  });

  test("any other request for a WebSocket is an ordinary one, and its connection stays open", async () => {
    const connection = await connect();
    connection.write(handshake("/version", bearer(), key, origin));
    await connection.until(/"major"[\s\S]*\}$/);
    connection.write(handshake("/healthz", bearer(), key, origin));
    expect(await connection.until(/\r\n\r\nok$/)).toMatch(
      /^HTTP\/1.1 200 OK[\s\S]*"major"[\s\S]*HTTP\/1.1 200 OK/,
    );
    connection.socket.destroy();
  });
});

/** The messages of a WebSocket, and how it closed. */
class Messages {
  readonly #socket: WebSocket;
  readonly #queue: unknown[] = [];
  /** Resolves after the handshake. */
  readonly opened: Promise<void>;
  #wake = (): void => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.opened = new Promise((resolve) => socket.addEventListener("open", () => resolve()));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => this.#push(data));
    socket.addEventListener("close", ({ code }) => this.#push({ closed: code }));
    socket.addEventListener("error", () => {});
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  async next(): Promise<unknown> {
    while (this.#queue.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#queue.shift();
  }

  close(): void {
    this.#socket.close(1000);
  }

  #push(message: unknown): void {
    this.#queue.push(message);
    this.#wake();
  }
}

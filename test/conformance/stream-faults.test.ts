import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type FaultHandle } from "../../src/index.ts";
import {
  closeStream,
  freezeStream,
  latency,
  noV5,
  outputAfterStatus,
  refuseUpgrade,
  type Scenario,
  stallLog,
} from "../../src/scenario/presets.ts";
import { HeaderWriter } from "../../src/streams/spdy/header-blocks.ts";
import { controlFrame, frameTypes } from "../../src/streams/spdy/spdy-frames.ts";
import { RawConnection } from "../transports/raw-connection.ts";
import { execPath, PodStreams, v4, v5 } from "./pod-stream.ts";

let cluster: Cluster;
let streams: PodStreams;

beforeEach(async () => {
  cluster = createCluster({ controllers: [] });
  streams = await PodStreams.open(cluster);
});

afterEach(async () => {
  await streams.close();
  await cluster.close();
});

const reasons = ({ unaffected }: FaultHandle) => unaffected.map(({ reason }) => reason);

/** Sends the head of a request for another protocol. */
async function upgrade(method: string, headers: readonly string[], path = execPath): Promise<RawConnection> {
  const connection = await RawConnection.open(streams.server.port);
  const token = cluster.adminToken();
  const lines = [`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: Upgrade"];
  connection.write([...lines, `Authorization: Bearer ${token}`, ...headers, "\r\n"].join("\r\n"));
  return connection;
}

const webSocket = (protocol: string) => [
  "Upgrade: websocket",
  "Sec-WebSocket-Key: x",
  "Sec-WebSocket-Version: 13",
  `Sec-WebSocket-Protocol: ${protocol}`,
];

/** A client that runs a command over SPDY: it opens a stream for errors and one for output. */
async function runOverSpdy(): Promise<RawConnection> {
  const connection = await upgrade("POST", [
    "Content-Length: 0",
    "Upgrade: SPDY/3.1",
    `X-Stream-Protocol-Version: ${v4}`,
  ]);
  await connection.until(/101 Switching[\s\S]*\r\n\r\n/);
  const writer = new HeaderWriter();
  for (const [id, type] of [
    [1, "error"],
    [3, "stdout"],
  ] as const) {
    const block = writer.write([["streamtype", type]]);
    connection.write(controlFrame(frameTypes.synStream, [id, 0], Buffer.concat([Buffer.alloc(2), block])));
  }
  return connection;
}

const ping = controlFrame(frameTypes.ping, [1]);

describe("over SPDY", () => {
  test("closeStream ends the connection in place of the next message", async () => {
    const fault = cluster.inject(closeStream({ afterMessages: 1 }));
    const seen = await (await runOverSpdy()).toEnd();
    expect(seen).toContain("hello");
    expect(seen).not.toContain("bye");
    expect(fault.hits).toBe(1);
    const again = await runOverSpdy();
    expect(await again.until(/Success/)).toContain("bye");
    again.socket.destroy();
  });

  test("freezeStream leaves it open, without an answer to pings", async () => {
    const fault = cluster.inject(freezeStream({ afterMessages: 1 }));
    const frozen = await runOverSpdy();
    await frozen.until(/hello/);
    const { length } = frozen.received;
    frozen.write(ping);
    const healthy = await runOverSpdy();
    healthy.write(ping);
    await healthy.until(/Success/);
    expect(frozen.received.slice(length)).not.toContain("bye");
    expect(frozen.received).not.toContain(Buffer.from(ping).toString("latin1"));
    expect(frozen.socket.closed).toBe(false);
    expect(fault.hits).toBe(1);
    for (const { socket } of [frozen, healthy]) socket.destroy();
  });

  test("the others leave it alone, and say why", async () => {
    const faults = [outputAfterStatus(), noV5()].map((scenario) => cluster.inject(scenario));
    const connection = await runOverSpdy();
    await connection.until(/Success/);
    connection.socket.destroy();
    expect(faults.flatMap(reasons)).toEqual([
      "it needs an upgrade of exec, attach to a WebSocket",
      "it needs an upgrade of exec, attach to a WebSocket that offers v5.channel.k8s.io",
    ]);
    expect(() => cluster.faults.check()).toThrow("The fault outputAfterStatus was never used");
  });

  test("a late answer, and a recorded body, keep the connection", async () => {
    cluster.inject(latency({ milliseconds: 1, subresource: "exec" }));
    const connection = await runOverSpdy();
    expect(await connection.until(/Success/)).toContain("hello");
    connection.socket.destroy();
    const recording = createCluster({ controllers: [], auditLevel: "RequestResponse" });
    const others = { cluster, streams };
    [cluster, streams] = [recording, await PodStreams.open(recording)];
    const recorded = await runOverSpdy();
    expect(await recorded.until(/Success/)).toContain("hello");
    recorded.socket.destroy();
    await others.streams.close();
    await others.cluster.close();
  });
});

describe("over a WebSocket", () => {
  test("freezeStream right after the handshake answers no pings", async () => {
    const fault = cluster.inject(freezeStream());
    const frozen = await upgrade("GET", webSocket(v5));
    const handshake = await frozen.until(/\r\n\r\n/);
    await fault.hit();
    // An empty ping, masked with zeros.
    frozen.write(Uint8Array.of(0x89, 0x80, 0, 0, 0, 0));
    expect((await streams.run([v5])).at(-1)).toBe("closed 1000");
    expect(frozen.received).toBe(handshake);
    expect(frozen.socket.closed).toBe(false);
    frozen.socket.destroy();
  });

  test.each([
    ["v5 alone", [v5], ["closed 1006"]],
    ["an older protocol first", [v4, v5], [v4, "1 hello", "1 bye", "3 Success", "closed 1000"]],
  ])("noV5 with %s", async (_title, protocols, expected) => {
    const fault = cluster.inject(noV5());
    expect(await streams.run([v4])).toContain("3 Success");
    expect(fault.hits).toBe(0);
    expect(await streams.run(protocols)).toEqual(expected);
    expect(fault.hits).toBe(1);
  });

  test("noV5 without an older protocol is a refusal of the handshake", async () => {
    cluster.inject(noV5());
    expect(await (await upgrade("GET", webSocket(v5))).toEnd()).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
  });

  test("refuseUpgrade answers with a Status", async () => {
    cluster.inject(refuseUpgrade());
    const answer = await (await upgrade("GET", webSocket(v5))).toEnd();
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toContain('"message":"Upgrade request required","reason":"BadRequest","code":400}');
  });

  test.each([
    ["closeStream", closeStream({ afterMessages: 3 }), "after 3 messages; the fault waits for 4"],
    ["freezeStream", freezeStream({ afterMessages: 4 }), "after 3 messages; the fault waits for 4"],
  ])("%s is a near miss if there are fewer messages", async (_title, scenario, reason) => {
    const fault = cluster.inject(scenario);
    expect(await streams.run([v5])).toEqual([v5, "1 hello", "1 bye", "3 Success", "closed 1000"]);
    expect([fault.hits, reasons(fault)]).toEqual([0, [`its connection ended ${reason}`]]);
  });

  test("outputAfterStatus is a near miss without output", async () => {
    using _script = cluster.pod("web").onExec(async () => 0);
    const fault = cluster.inject(outputAfterStatus());
    expect(await streams.run([v5])).toEqual([v5, "3 Success", "closed 1000"]);
    expect(reasons(fault)).toEqual([
      "its connection ended after 1 message; the fault waits for output and a Status after it",
    ]);
  });

  test("outputAfterStatus reads protocols of text as well", async () => {
    cluster.inject(outputAfterStatus());
    const [, first = "", status = "", second = ""] = await streams.run(["v4.base64.channel.k8s.io"]);
    expect([first, second]).toEqual([`${0x31} ${btoa("hello")}`, `${0x31} ${btoa("bye")}`]);
    expect(status).toMatch(new RegExp(`^${0x33} `));
    cluster.faults.check();
  });

  test("a port ends early, too", async () => {
    using _port = cluster.pod("web").onPortForward(80, async ({ write }) => write("page"));
    cluster.inject(closeStream({ subresource: "portforward", afterMessages: 2 }));
    const path = "/api/v1/namespaces/default/pods/web/portforward?ports=80";
    expect(await streams.run([v4], path)).toEqual([v4, "0 P\0", "1 P\0", "closed 1000"]);
    expect(await streams.run([v4], path)).toContain("0 page");
  });

  test("the scope and the number of the request choose the stream", async () => {
    cluster.inject(closeStream({ name: "web", nth: 2, times: 1 }));
    cluster.inject(refuseUpgrade({ name: "other" }));
    const ends = [await streams.run([v5]), await streams.run([v5]), await streams.run([v5])];
    expect(ends.map(({ length }) => length)).toEqual([5, 2, 5]);
    expect(() => cluster.faults.check()).toThrow(
      /^The fault refuseUpgrade was never used: .*which differs in name: refuseUpgrade\({ name: "web" }\) would/,
    );
  });

  test("a command in a pod that does not exist is a near miss", async () => {
    const fault = cluster.inject(closeStream());
    expect(await streams.run([v5], execPath.replace("web", "none"))).toEqual(["closed 1006"]);
    expect(reasons(fault)).toEqual(["the server refused it with 404 NotFound"]);
  });
});

describe("in process", () => {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    cluster.fetch(`https://cluster.test${path}`, {
      headers: { authorization: `Bearer ${cluster.adminToken()}`, ...headers },
    });

  test.each([
    ["closeStream", closeStream()],
    ["freezeStream", freezeStream()],
    ["outputAfterStatus", outputAfterStatus()],
  ])("%s is a near miss, because no connection is handed over", async (_title, scenario) => {
    const fault = cluster.inject(scenario);
    const upgradeHeaders = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-protocol": v5 };
    expect((await ask(execPath, upgradeHeaders)).status).toBe(500);
    expect(reasons(fault)[0]).toMatch(/^its connection has not been handed over after 0 messages; /);
    expect((await ask(execPath)).status).toBe(400);
    expect(fault.hits).toBe(0);
    expect(reasons(fault).some((reason) => reason.startsWith("it needs an upgrade of exec"))).toBe(true);
  });

  test("stallLog needs a client that follows, and a log with so many lines", async () => {
    cluster.pod("web").log("one\ntwo\nthree");
    const log = "/api/v1/namespaces/default/pods/web/log";
    const fault = cluster.inject(stallLog({ afterLines: 2 }));
    expect(await (await ask(log)).text()).toBe("one\ntwo\nthree");
    expect(reasons(fault)).toEqual(["it needs follow=true in its query"]);
    expect(await (await ask(`${log}?follow=true&limitBytes=5`)).text()).toBe("one\nt");
    expect(reasons(fault)[1]).toBe("the log ended after 1 line; the fault waits for 2");
    const reader = (await ask(`${log}?follow=true`)).body?.getReader();
    let text = "";
    while (text.length < 8) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toBe("one\ntwo\n");
    const next = reader?.read();
    await fault.hit();
    await reader?.cancel();
    expect((await next)?.done).toBe(true);
  });
});

test.each<[title: string, make: () => Scenario, problem: string]>([
  ["an unknown option", () => closeStream(JSON.parse('{"afterMessage":1}')), "afterMessages"],
  ["a negative number", () => freezeStream({ afterMessages: -1 }), "afterMessages"],
  ["a fraction of a line", () => stallLog({ afterLines: 0.5 }), "afterLines"],
  ["another verb", () => noV5({ verb: "list" }), "cannot affect requests with the verb list"],
])("%s is an error", (_title, make, problem) => {
  expect(make).toThrow(problem);
});

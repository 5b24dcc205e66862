import { once } from "node:events";
import net from "node:net";
import { Agent, WebSocket } from "undici-7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type ExecCall } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { RawConnection } from "../transports/raw-connection.ts";

const v5 = "v5.channel.k8s.io";
const v4 = "v4.channel.k8s.io";
const success = '{"metadata":{},"status":"Success"}';
const pods = "/api/v1/namespaces/default/pods";

/** An open WebSocket, with what has come on each channel. */
interface Client {
  readonly socket: WebSocket;
  readonly messages: [channel: number, text: string][];
  readonly closed: Promise<number>;
  send(channel: number, text: string): void;
  /** Resolves when a channel has this text. */
  until(channel: number, text: string): Promise<void>;
}

let cluster: Cluster;
let server: Serving;
const agent = new Agent();

async function served(options: ClusterOptions = {}): Promise<{ cluster: Cluster; server: Serving }> {
  const containers = [{ name: "c", image: "i" }];
  const pod = (name: string, spec: object = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: `uid-of-${name}` },
    spec: { containers, ...spec },
  });
  const several = [...containers, { name: "d", image: "i" }];
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "sim" },
    spec: { providerID: "kubedouble://sim" },
  };
  const objects = [node, pod("web"), pod("two", { containers: several }), pod("plain", { nodeName: "sim" })];
  const created = createCluster({ controllers: [], objects, ...options });
  return { cluster: created, server: await serve(created, { tls: false }) };
}

beforeAll(async () => {
  ({ cluster, server } = await served());
});

afterAll(async () => {
  await server.close();
  await cluster.close();
  await agent.close();
});

function connect(
  path: string,
  protocols: string[],
  at: { cluster: Cluster; server: Serving } = { cluster, server },
): Client {
  const socket = new WebSocket(`${at.server.url.replace(/^http/, "ws")}${pods}/${path}`, {
    protocols,
    headers: { authorization: `Bearer ${at.cluster.adminToken()}` },
    dispatcher: agent,
  });
  socket.binaryType = "arraybuffer";
  const messages: [number, string][] = [];
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
    const [channel = -1] = bytes;
    messages.push([channel, new TextDecoder().decode(bytes.subarray(1))]);
    wake();
  });
  socket.addEventListener("error", () => {});
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => {
      resolve(code);
      wake();
    });
  });
  const textOn = (channel: number) =>
    messages
      .filter(([on]) => on === channel)
      .map(([, text]) => text)
      .join("");
  return {
    socket,
    messages,
    closed,
    send: (channel, text) => socket.send(Uint8Array.of(channel, ...new TextEncoder().encode(text))),
    until: async (channel, text) => {
      const isThere = () => messages.some(([on]) => on === channel) && textOn(channel).includes(text);
      while (!isThere() && socket.readyState < 3) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      expect(textOn(channel)).toContain(text);
    },
  };
}

async function conversation(path: string, protocols: string[], at?: Parameters<typeof connect>[2]) {
  const client = connect(path, protocols, at);
  const code = await client.closed;
  return { protocol: client.socket.protocol, code, messages: client.messages };
}

const play = async ({ command, stdin, stdout, stderr }: ExecCall) => {
  switch (command[0]) {
    case "exit":
      return Number(command[1]);
    case "throw":
      throw new Error("broken");
    case "cat":
      for await (const piece of stdin) await stdout.write(piece);
      return 0;
    default:
      await stdout.write(`${command.join(" ")}\n`);
      await stderr.write("careful\n");
      return undefined;
  }
};

const failure = (message: string, rest: object) => ({ metadata: {}, status: "Failure", message, ...rest });

test("a script that writes on and on after its client has left leaves others alone", async () => {
  let isOver = false;
  using _script = cluster.pod("web").onExec(async ({ stdout }) => {
    while (!isOver) await stdout.write(new Uint8Array(100_000));
  });
  const connection = net.connect(server.port, "127.0.0.1");
  connection.write(upgradeRequest("web/exec?command=yes&stdout=1", "websocket", v4));
  await once(connection, "data");
  connection.resetAndDestroy();
  const client = connect("web/exec?command=yes&stdout=1", [v5]);
  await client.until(1, "");
  client.socket.close();
  using _other = cluster.pod("web").onExec(() => 0);
  const { messages } = await conversation("web/exec?command=c&stdout=1", [v5]);
  expect(messages.at(-1)).toEqual([3, success]);
  isOver = true;
});

test.each([[v5], [v4]])("sizes that no script of %s reads do not hold up its input", async (protocol) => {
  using _script = cluster.pod("web").onExec(async ({ stdin, stdout }) => {
    for await (const piece of stdin) {
      await stdout.write(piece);
      return;
    }
  });
  const client = connect("web/exec?command=c&stdin=1&stdout=1&tty=1", [protocol]);
  await client.until(1, "");
  for (let width = 1; width <= 1000; width++) client.send(4, `{"Width":${width},"Height":24}`);
  client.send(0, "hello");
  await client.until(1, "hello");
});

describe("a command over a WebSocket", () => {
  let script: { remove(): void };
  beforeAll(() => {
    script = cluster.pod("web").onExec(play);
  });
  afterAll(() => script.remove());

  test.each([[v5], [v4]])("of %s has a message first and a Status last", async (protocol) => {
    expect(await conversation("web/exec?command=echo&command=a+b&stdout=1&stderr=1", [protocol])).toEqual({
      protocol,
      code: 1000,
      messages: [
        [1, ""],
        [1, "echo a b\n"],
        [2, "careful\n"],
        [3, success],
      ],
    });
  });

  test.each([
    ["without a protocol", [], ""],
    ["of channel.k8s.io", ["channel.k8s.io"], "channel.k8s.io"],
  ])("%s says nothing about success", async (_title, protocols, protocol) => {
    const said = await conversation("web/exec?command=echo&stdout=1", protocols);
    expect(said).toEqual({
      protocol,
      code: 1000,
      messages: [
        [1, ""],
        [1, "echo\n"],
      ],
    });
  });

  test.each([["v4.base64.channel.k8s.io"], ["base64.channel.k8s.io"]])("of %s is text", async (protocol) => {
    const { messages } = await conversation("web/exec?command=echo&stderr=1&stdout=1", [protocol]);
    expect(messages.slice(0, 3)).toEqual([
      [0x31, ""],
      [0x31, btoa("echo\n")],
      [0x32, btoa("careful\n")],
    ]);
    expect(messages.slice(3)).toEqual(protocol.startsWith("v4") ? [[0x33, btoa(success)]] : []);
  });

  /** Of version 5, kube-apiserver says how the process ended: `StreamTranslatorHandler` (apiserver, pkg/util/proxy/streamtranslator.go). */
  test.each([
    [
      "exit&command=3",
      "command terminated with non-zero exit code: error executing command [exit 3], exit code 3",
      "command terminated with non-zero exit code: command terminated with exit code 3",
      { reason: "NonZeroExitCode", details: { causes: [{ reason: "ExitCode", message: "3" }] } },
    ],
    [
      "throw",
      "Internal error occurred: error executing command in container: broken",
      "Internal error occurred: Internal error occurred: error executing command in container: broken",
      { reason: "InternalError", code: 500 },
    ],
  ])("%s ends with its error", async (command, message, translated, rest) => {
    for (const [protocol, expected] of [
      ["v4.channel.k8s.io", message],
      [v5, translated],
    ] as const) {
      const { messages } = await conversation(`web/exec?command=${command}&stdout=1`, [protocol]);
      expect(messages[0]).toEqual([1, ""]);
      const causes = [{ message: expected.replace("Internal error occurred: ", "") }];
      expect(JSON.parse(messages[1]?.[1] ?? "")).toEqual(failure(expected, { details: { causes }, ...rest }));
    }
    const old = await conversation(`web/exec?command=${command}&stdout=1`, ["channel.k8s.io"]);
    expect(old.messages[1]).toEqual([3, message]);
  });

  test.each([
    ["nothing", undefined, "undefined"],
    ["an object without a text", Object.create(null), "an error without a text"],
  ])("of a script that throws %s ends with an error, too", async (_title, thrown, text) => {
    using _script = cluster.pod("web").onExec(() => {
      throw thrown;
    });
    const { messages } = await conversation("web/exec?command=c&stdout=1", ["channel.k8s.io"]);
    expect(messages.at(-1)?.[1]).toBe(
      `Internal error occurred: error executing command in container: ${text}`,
    );
  });

  test("reads what the client sends, until the client ends it", async () => {
    const client = connect("web/exec?command=cat&stdin=1&stdout=1", [v5]);
    await client.until(1, "");
    client.send(0, "hello ");
    client.send(7, "ignored");
    client.socket.send(new Uint8Array());
    client.send(0, "world");
    await client.until(1, "hello world");
    client.socket.send(Uint8Array.of(255, 0));
    expect(await client.closed).toBe(1000);
    expect(client.messages.at(-1)).toEqual([3, success]);
  });

  test("has the sizes of a terminal, on which errors are output", async () => {
    const sizes: string[] = [];
    using _script = cluster.pod("web").onExec(async ({ resize, stderr, tty }) => {
      await stderr.write(`tty ${tty}\n`);
      for await (const { width, height } of resize) {
        sizes.push(`${width}x${height}`);
        if (sizes.length === 2) return 0;
      }
      return 1;
    });
    const client = connect("web/exec?command=top&stdout=1&stderr=1&tty=1", [v5]);
    await client.until(1, "tty true\n");
    client.send(4, '{"Width":80,"Height":24}\n');
    client.send(4, '{"Width":100,"Height":30}');
    await client.closed;
    expect(sizes).toEqual(["80x24", "100x30"]);
    expect(client.messages.at(-1)).toEqual([3, success]);
  });

  test("of several megabytes arrives whole in both directions", async () => {
    const client = connect("web/exec?command=cat&stdin=1&stdout=1", [v5]);
    await client.until(1, "");
    const sent = 4 * 1024 * 1024;
    client.socket.send(new Uint8Array(sent + 1).fill(0));
    client.socket.send(Uint8Array.of(255, 0));
    await client.closed;
    const got = client.messages
      .filter(([channel]) => channel === 1)
      .reduce((total, [, text]) => total + text.length, 0);
    expect(got).toBe(sent);
  });

  test.each([
    ["an unknown protocol", "web/exec?command=ls&stdout=1", ["v9.channel.k8s.io"]],
    ["no stream", "web/exec?command=ls", [v4]],
    ["a container that the pod does not have", "web/exec?command=ls&stdout=1&container=x", [v5]],
    ["a pod that does not exist", "none/exec?command=ls&stdout=1", [v5]],
  ])("with %s does not open", async (_title, path, protocols) => {
    expect(await conversation(path, protocols)).toEqual({ protocol: "", code: 1006, messages: [] });
  });

  test("in a container that does not run fails as the kubelet says", async () => {
    using _script = cluster.pod("two").onExec(play);
    const containerStatuses = ["c", "d"].map((name) => ({
      name,
      image: "i",
      imageID: "",
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: "x" } },
    }));
    await cluster.patch("v1", "Pod", "two", { status: { containerStatuses } }, { subresource: "status" });
    const { messages } = await conversation("two/exec?command=ls&stdout=1&container=d", [v5]);
    expect(messages[1]?.[1]).toContain('unable to upgrade connection: container not found (\\"d\\")');
    using _life = cluster.pod("two").onAttach(async () => {});
    const attached = await conversation("two/attach?stdout=1&container=d", [v5]);
    expect(attached.messages[1]?.[1]).toContain(
      "unable to upgrade connection: container d not found in pod two_default",
    );
    expect((await conversation("two/exec?command=ls&stdout=1&container=d", [v4])).code).toBe(1006);
  });

  test("learns that its client has left, and other commands go on", async () => {
    let left = () => {};
    const hasLeft = new Promise<void>((resolve) => {
      left = resolve;
    });
    using _script = cluster.pod("web").onExec(async ({ signal, stdout, stdin, command }) => {
      if (command[0] === "cat") {
        await stdout.write(await stdin.text());
        return 0;
      }
      signal.addEventListener("abort", left);
      while (!signal.aborted) await stdout.write(new Uint8Array(64 * 1024));
      return 0;
    });
    const other = connect("web/exec?command=cat&stdin=1&stdout=1", [v5]);
    await other.until(1, "");
    const connection = await RawConnection.open(server.port);
    connection.write(upgradeRequest("web/exec?command=yes&stdout=1", "websocket", v4));
    await connection.until(/101 Switching/);
    connection.socket.destroy();
    await hasLeft;
    other.send(0, "still here");
    other.socket.send(Uint8Array.of(255, 0));
    await other.until(1, "still here");
  });
});

function upgradeRequest(path: string, protocol: string, subprotocol: string): string {
  return [
    `GET ${pods}/${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    `Upgrade: ${protocol}`,
    `Authorization: Bearer ${cluster.adminToken()}`,
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Protocol: ${subprotocol}`,
    "\r\n",
  ].join("\r\n");
}

test("an output that its client does not read waits, and takes no memory", async () => {
  let written = 0;
  using _script = cluster.pod("web").onExec(async ({ stdout, signal }) => {
    const piece = new Uint8Array(1024 * 1024);
    for (; written < 1024 && !signal.aborted; written++) await stdout.write(piece);
    return 0;
  });
  const connection = await RawConnection.open(server.port);
  connection.write(upgradeRequest("web/exec?command=yes&stdout=1", "websocket", v4));
  await connection.until(/101 Switching/);
  connection.socket.pause();
  let last = -1;
  // It stands still once the buffers between the two are full.
  while (last !== written) {
    last = written;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(100);
  connection.socket.destroy();
});

describe("on a simulated node without scripts", () => {
  test("a command fails as in an image without executables", async () => {
    const { messages } = await conversation("plain/exec?command=sh&stdout=1", [v5]);
    const { code, message } = JSON.parse(messages[1]?.[1] ?? "");
    const id = /"[0-9a-f]{64}"/.exec(message)?.[0];
    const problem = `failed to exec in container: failed to start exec ${id}: OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown`;
    expect([code, message]).toEqual([
      500,
      `Internal error occurred: Internal error occurred: error executing command in container: ${problem}`,
    ]);
  });

  test("those who attach get the log as it goes", async () => {
    using _before = cluster.pod("plain").log("before\n");
    const client = connect("plain/attach?stdout=1&stderr=1", [v5]);
    await client.until(1, "");
    using _log = cluster.pod("plain").log("now\n");
    using _error = cluster.pod("plain").log("oops\n", { stream: "Stderr" });
    await client.until(1, "now\n");
    await client.until(2, "oops\n");
    client.socket.close();
    expect(client.messages.map(([, text]) => text).join("")).not.toContain("before");
  });

  test("nothing listens on a port", async () => {
    const client = connect("plain/portforward?ports=80", [v4]);
    expect(await client.closed).toBe(1000);
    expect(client.messages.slice(0, 2)).toEqual([
      [0, "P\0"],
      [1, "P\0"],
    ]);
    expect(client.messages[2]?.[1]).toMatch(
      /^error forwarding port 80 to pod [\w-]+, uid : failed to connect to localhost:80/,
    );
  });
});

describe("a port over a WebSocket", () => {
  test("leads to a function, or to a server", async () => {
    const local = net.createServer((socket) => socket.on("data", (piece) => socket.end(`got ${piece}`)));
    await once(local.listen(0, "127.0.0.1"), "listening");
    const { port } = local.address() as net.AddressInfo;
    const web = cluster.pod("web");
    using _function = web.onPortForward(80, async ({ received, write }) => {
      for await (const piece of received) return write(`heard ${new TextDecoder().decode(piece)}`);
    });
    using _server = web.onPortForward(81, port);
    const client = connect("web/portforward?ports=80,81", [v4]);
    await client.until(3, "Q\0");
    client.send(0, "a");
    client.send(2, "b");
    await client.until(0, "heard a");
    await client.until(2, "got b");
    expect(await client.closed).toBe(1000);
    local.close();
  });

  test.each([
    [
      "that throws",
      () => {
        throw new Error("lost");
      },
      "lost",
    ],
    ["where nothing listens", "127.0.0.1:1", "dial tcp 127.0.0.1:1: connect: connection refused"],
  ])("%s says so on the channel for errors", async (_title, to, problem) => {
    using _script = cluster.pod("web").onPortForward(80, to);
    const client = connect("web/portforward?ports=80", [v4]);
    await client.closed;
    expect(client.messages.at(-1)?.[1]).toContain(`uid : ${problem}`);
  });

  test("of a pod that has ended does not exist", async () => {
    const { cluster: own, server: serving } = await served();
    await own.patch("v1", "Pod", "plain", { status: { phase: "Succeeded" } }, { subresource: "status" });
    const response = await own.fetch(`https://cluster.test${pods}/plain/portforward?ports=80`, {
      headers: { authorization: `Bearer ${own.adminToken()}`, connection: "Upgrade", upgrade: "SPDY/3.1" },
    });
    expect([response.status, await response.text()]).toEqual([500, 'pod not found ("plain_default")\n']);
    await serving.close();
    await own.close();
  });

  test("needs to be named", async () => {
    using _script = cluster.pod("web").onPortForward(80, 1);
    expect((await conversation("web/portforward", [v4])).code).toBe(1006);
  });
});

describe("what a client is connected to ends", () => {
  const running = (restartCount: number) => ({
    status: {
      containerStatuses: [
        { name: "c", image: "i", imageID: "", ready: true, restartCount, state: { running: {} } },
      ],
    },
  });
  const killed = {
    ...failure("command terminated with non-zero exit code: command terminated with exit code 137", {
      reason: "NonZeroExitCode",
    }),
    details: { causes: [{ reason: "ExitCode", message: "137" }] },
  };
  /** Plays a process that does not end by itself. The result is called with whatever it is told. */
  const forever = (started: () => void, aborted: () => void) => (call: { readonly signal: AbortSignal }) => {
    call.signal.addEventListener("abort", aborted);
    started();
    return new Promise<never>(() => {});
  };

  test.each<[string, (own: Cluster) => Promise<unknown>]>([
    ["its pod is deleted", (own) => own.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 })],
    ["its container restarts", (own) => own.patch("v1", "Pod", "web", running(1), { subresource: "status" })],
  ])("when %s: a command is killed, and what attaches ends", async (_title, end) => {
    const own = await served();
    await own.cluster.patch("v1", "Pod", "web", running(0), { subresource: "status" });
    const calls: string[] = [];
    const play = (name: string) =>
      forever(
        () => calls.push(name),
        () => calls.push(`${name} aborted`),
      );
    own.cluster.pod("web").onExec(play("exec"));
    own.cluster.pod("web").onAttach(play("attach"));
    const command = connect("web/exec?command=sleep&stdout=1", [v5], own);
    const attached = connect("web/attach?stdout=1", [v5], own);
    await Promise.all([command.until(1, ""), attached.until(1, "")]);
    await end(own.cluster);
    expect(await command.closed).toBe(1000);
    expect(await attached.closed).toBe(1000);
    expect(JSON.parse(command.messages.at(-1)?.[1] ?? "")).toEqual(killed);
    expect(attached.messages.at(-1)).toEqual([3, success]);
    expect(calls.toSorted()).toEqual(["attach", "attach aborted", "exec", "exec aborted"]);
    await own.server.close();
    await own.cluster.close();
  });

  test("when its pod is deleted: connections to ports close", async () => {
    const own = await served();
    let aborted = 0;
    own.cluster.pod("web").onPortForward(
      80,
      forever(
        () => {},
        () => {
          aborted += 1;
        },
      ),
    );
    const client = connect("web/portforward?ports=80", [v4], own);
    await client.until(1, "P\0");
    await own.cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 });
    expect(await client.closed).toBe(1000);
    expect(client.messages).toHaveLength(2);
    expect(aborted).toBe(1);
    await own.server.close();
    await own.cluster.close();
  });
});

describe("in process, where no connection can be handed over", () => {
  test.each([["websocket"], ["SPDY/3.1"]])("an upgrade to %s is refused", async (upgrade) => {
    using _script = cluster.pod("web").onExec(play);
    const response = await cluster.fetch(`https://cluster.test${pods}/web/exec?command=ls&stdout=1`, {
      headers: { authorization: `Bearer ${cluster.adminToken()}`, connection: "Upgrade", upgrade },
    });
    expect([response.status, await response.text()]).toEqual([
      500,
      "unable to upgrade: unable to hijack response\n",
    ]);
  });

  test("a request without an upgrade is told that it needs one", async () => {
    using _script = cluster.pod("web").onExec(play);
    const response = await cluster.fetch(`https://cluster.test${pods}/web/exec?command=ls&stdout=1`, {
      headers: { authorization: `Bearer ${cluster.adminToken()}` },
    });
    expect([response.status, JSON.parse(await response.text()).message]).toEqual([
      400,
      "Upgrade request required",
    ]);
  });
});

test("SPDY agrees on a version, or refuses", async () => {
  using _script = cluster.pod("web").onExec(play);
  const request = (versions: string) =>
    upgradeRequest("web/exec?command=ls&stdout=1", "SPDY/3.1", "x").replace(
      "\r\n\r\n",
      `\r\nX-Stream-Protocol-Version: ${versions}\r\n\r\n`,
    );
  const first = await RawConnection.open(server.port);
  first.write(request("v9, v4.channel.k8s.io"));
  expect(await first.until(/\r\n\r\n/)).toMatch(
    /^HTTP\/1.1 101 .*\r\n[\s\S]*X-Stream-Protocol-Version: v4.channel.k8s.io/,
  );
  first.socket.destroy();
  const second = await RawConnection.open(server.port);
  second.write(request("v9"));
  expect(await second.toEnd()).toMatch(
    /^HTTP\/1.1 403 [\s\S]*client supports \["v9"\], server accepts \["v4.channel.k8s.io"/,
  );
});

test("before 1.30, the server has no v5", async () => {
  const old = await served({ release: "1.29" });
  old.cluster.pod("web").onExec(play);
  const path = "web/exec?command=echo&stdout=1";
  expect(await conversation(path, [v5], old)).toMatchObject({ code: 1006 });
  expect(await conversation(path, [v5, v4], old)).toMatchObject({ protocol: v4, code: 1000 });
  await old.server.close();
  await old.cluster.close();
});

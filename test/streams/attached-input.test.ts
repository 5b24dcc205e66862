import { Agent, WebSocket } from "undici-7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { running } from "../../src/scenario/presets.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

const stdin = 0;
const close = 255;

let cluster: Cluster;
let server: Serving;
const agent = new Agent();

beforeAll(async () => {
  cluster = createCluster({ simulate: ["kubelets"], seed: 1 });
  server = await serve(cluster, { tls: false });
});

afterAll(async () => {
  await server.close();
  await cluster.close();
  await agent.close();
});

async function attached(name: string, container: object, restartPolicy = "Never"): Promise<WebSocket> {
  const containers = [{ name: "c", image: "busybox", stdin: true, ...container }];
  const spec = { nodeName: "node-1", restartPolicy, containers };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec });
  await cluster.settle();
  const path = `/api/v1/namespaces/default/pods/${name}/attach?stdin=1&stdout=1`;
  const socket = new WebSocket(`${server.url.replace(/^http/, "ws")}${path}`, {
    protocols: ["v5.channel.k8s.io"],
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
    dispatcher: agent,
  });
  await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
  return socket;
}

function ended(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => socket.addEventListener("close", resolve));
}

async function statusOf(name: string) {
  await cluster.settle();
  const pod = await cluster.get("v1", "Pod", name);
  const [container] = pod.status?.containerStatuses ?? [];
  const { state, restartCount } = container ?? {};
  return { phase: pod.status?.phase, exitCode: state?.terminated?.exitCode, restartCount };
}

test("a container that reads from stdin ends when that of its only client does", async () => {
  const socket = await attached("once", { stdinOnce: true });
  expect(await statusOf("once")).toEqual({ phase: "Running", exitCode: undefined, restartCount: 0 });
  socket.send(Uint8Array.of(stdin, 104, 105));
  socket.send(Uint8Array.of(close, stdin));
  await ended(socket);
  expect(await statusOf("once")).toEqual({ phase: "Succeeded", exitCode: 0, restartCount: 0 });
});

test("its next run does not end with the input of the first one", async () => {
  const socket = await attached("again", { stdinOnce: true }, "Always");
  socket.send(Uint8Array.of(close, stdin));
  await ended(socket);
  expect(await statusOf("again")).toEqual({ phase: "Running", exitCode: undefined, restartCount: 1 });
});

test("stdin that stays open for other clients ends the connection only", async () => {
  const socket = await attached("many", {});
  socket.send(Uint8Array.of(close, stdin));
  await ended(socket);
  expect(await statusOf("many")).toEqual({ phase: "Running", exitCode: undefined, restartCount: 0 });
});

test("a terminal ends the input of its reader at a control-D that begins a line", async () => {
  const socket = await attached("shell", { stdinOnce: true, tty: true });
  socket.send(Uint8Array.of(stdin, 108, 115, 4));
  socket.send(Uint8Array.of(stdin, 108, 115, 13));
  expect(await statusOf("shell")).toEqual({ phase: "Running", exitCode: undefined, restartCount: 0 });
  socket.send(Uint8Array.of(stdin, 4));
  await ended(socket);
  expect(await statusOf("shell")).toEqual({ phase: "Succeeded", exitCode: 0, restartCount: 0 });
});

test("a script decides before the input does", async () => {
  using _script = cluster.pods.script({ name: "scripted" }, running());
  const socket = await attached("scripted", { stdinOnce: true });
  socket.send(Uint8Array.of(close, stdin));
  expect(await statusOf("scripted")).toEqual({ phase: "Running", exitCode: undefined, restartCount: 0 });
  const end = ended(socket);
  socket.close();
  await end;
});

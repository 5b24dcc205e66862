import { Agent, WebSocket } from "undici-7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { RawConnection } from "./raw-connection.ts";

const pods = "/api/v1/namespaces/default/pods";
const v5 = "v5.channel.k8s.io";

/** What a client sees of a WebSocket: the selected subprotocol and the messages, or the refusal. */
interface Conversation {
  readonly protocol: string;
  readonly messages: readonly (readonly [channel: number, text: string])[];
  readonly closed: number;
}

/** A port of a cluster with a pod on a node that does not answer, one on a node that is not there, and one on none. */
async function port(release: Release): Promise<{ cluster: Cluster; server: Serving }> {
  const spec = { containers: [{ name: "c", image: "i" }] };
  const pod = (name: string, nodeName: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: nodeName === "" ? spec : { ...spec, nodeName },
  });
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "near" },
    status: { addresses: [{ type: "InternalIP", address: "10.1.1.1" }] },
  };
  const objects = [node, pod("near", "near"), pod("gone", "gone"), pod("waiting", "")];
  const cluster = createCluster({
    release,
    objects,
    controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
  });
  return { cluster, server: await serve(cluster, { tls: false }) };
}

function converse({ cluster, server }: Awaited<ReturnType<typeof port>>, path: string, protocols: string[]) {
  return new Promise<Conversation>((resolve) => {
    const socket = new WebSocket(`${server.url.replace(/^http/, "ws")}${pods}/${path}`, {
      protocols,
      headers: { authorization: `Bearer ${cluster.adminToken()}` },
      dispatcher: new Agent(),
    });
    socket.binaryType = "arraybuffer";
    const messages: (readonly [number, string])[] = [];
    socket.addEventListener("message", ({ data }) => {
      const [channel = -1, ...bytes] = new Uint8Array(data);
      messages.push([channel, new TextDecoder().decode(Uint8Array.from(bytes))]);
    });
    socket.addEventListener("close", ({ code }) =>
      resolve({ protocol: socket.protocol, messages, closed: code }),
    );
    socket.addEventListener("error", () => {});
  });
}

describe("a stream with the protocol that the server translates", () => {
  let opened: Awaited<ReturnType<typeof port>>;
  beforeAll(async () => {
    opened = await port("1.32");
  });
  afterAll(async () => {
    await opened.cluster.close();
    await opened.server.close();
  });

  test.each([
    [
      "exec",
      "near/exec?command=ls&command=a+b*&stdout=true&stderr=true",
      1,
      "exec/default/near/c?command=ls&command=a+b%2A&error=1&output=1",
    ],
    ["attach with an error stream alone", "near/attach?stderr=1", 2, "attach/default/near/c?error=1"],
    ["attach without streams", "near/attach", 3, "attach/default/near/c"],
    ["attach to a terminal", "near/attach?stdin=1&tty=1", 3, "attach/default/near/c?input=1&tty=1"],
  ])(
    "of %s opens, and then says that the kubelet cannot be reached",
    async (_title, path, first, location) => {
      const refused = "dial tcp 10.1.1.1:10250: connect: connection refused";
      const problem = `error sending request: Post "https://10.1.1.1:10250/${location}": ${refused}`;
      const { protocol, messages, closed } = await converse(opened, path, [v5]);
      expect({ protocol, closed }).toEqual({ protocol: v5, closed: 1000 });
      expect(messages).toMatchObject([
        [first, ""],
        [3, expect.stringMatching(/^\{"metadata":\{\},"status":"Failure","message":/)],
      ]);
      expect(JSON.parse(messages[1]?.[1] ?? "")).toEqual({
        metadata: {},
        status: "Failure",
        message: `Internal error occurred: ${problem}`,
        reason: "InternalError",
        details: { causes: [{ message: problem }] },
        code: 500,
      });
    },
  );

  test.each([
    ["to a pod on a missing node", "gone/exec?command=ls", [v5]],
    ["to a pod without a node", "waiting/attach", [v5]],
    ["to a container that the pod does not have", "near/exec?container=z", [v5]],
    ["with a protocol that the kubelet speaks", "near/exec?command=ls", ["v4.channel.k8s.io"]],
    ["of ports", "near/portforward?ports=80", [v5]],
  ])("%s is refused before it opens", async (_title, path, protocols) => {
    const answer = await converse(opened, path, protocols);
    expect(answer).toEqual({ protocol: "", messages: [], closed: 1006 });
  });

  test("selects it among others", async () => {
    expect(await converse(opened, "near/attach", ["v4.channel.k8s.io", v5])).toMatchObject({ protocol: v5 });
  });

  test.each([
    ["without a key", "GET", [], /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*challenge\/response error/],
    [
      "of version 7",
      "GET",
      ["Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 7"],
      /^HTTP\/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n[\s\S]*missing or bad WebSocket Version/,
    ],
    [
      "with POST",
      "POST",
      ["Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"],
      /^HTTP\/1.1 405 Method Not Allowed\r\n[\s\S]*bad method/,
    ],
    [
      "of version 8, which is accepted",
      "GET",
      ["Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 8"],
      /^HTTP\/1.1 101 Switching Protocols\r\n/,
    ],
  ])("a handshake %s", async (_title, method, headers, expected) => {
    const connection = await RawConnection.open(opened.server.port);
    const lines = [
      `${method} ${pods}/near/attach HTTP/1.1`,
      "Host: localhost",
      "Connection: Upgrade",
      "Upgrade: websocket",
      `Authorization: Bearer ${opened.cluster.adminToken()}`,
      `Sec-WebSocket-Protocol: ${v5}`,
      ...headers,
    ];
    connection.write(`${lines.join("\r\n")}\r\n\r\n`);
    expect(await connection.toEnd()).toMatch(expected);
  });
});

test("before 1.30 the server does not translate", async () => {
  const opened = await port("1.29");
  expect(await converse(opened, "near/attach", [v5])).toMatchObject({ messages: [], closed: 1006 });
  await opened.cluster.close();
  await opened.server.close();
});

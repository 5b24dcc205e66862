import { once } from "node:events";
import net from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test, vi } from "vitest";
import { type ClusterOptions, createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";
import { identifiers } from "./masked-names.ts";

/** The statuses of a request without credentials: in process, and on a port. */
async function statusesOf(options: ClusterOptions): Promise<readonly number[]> {
  const cluster = createCluster({ controllers: [], identifiers, ...options });
  const serving = await serve(cluster, { tls: false });
  const inProcess = await cluster.fetch("https://cluster.test/version");
  const onPort = await fetch(`${serving.url}/version`);
  await serving.close();
  await cluster.close();
  return [inProcess.status, onPort.status];
}

test.each<[string, ClusterOptions, readonly number[]]>([
  ["everything is allowed: the port refuses them, as kube-apiserver does", {}, [200, 401]],
  ["anonymous requests are enabled", { anonymousAuth: true }, [200, 200]],
  ["anonymous requests are disabled", { anonymousAuth: false }, [401, 401]],
  ["requests are authorized: the authorizer decides", { authorizationMode: "AlwaysDeny" }, [403, 403]],
])("requests without credentials when %s", async (_title, options, statuses) => {
  expect(await statusesOf(options)).toEqual(statuses);
});

test.each([
  ["plain HTTP", false],
  ["TLS", true],
])(
  "a client without credentials that resets its connection at once changes nothing, %s",
  async (_title, tls) => {
    const cluster = createCluster({ identifiers });
    await cluster.settle();
    const serving = await serve(cluster, { tls });
    const body = '{"metadata":{"name":"intruder"}}';
    const head =
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
    for (let round = 0; round < 20; round++) {
      const raw = net.connect(serving.port, "127.0.0.1");
      raw.on("error", () => {});
      const socket = tls
        ? connectTls({ socket: raw, ca: serving.caCertificate, servername: "localhost" })
        : raw;
      socket.on("error", () => {});
      await once(socket, tls ? "secureConnect" : "connect");
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      raw.resetAndDestroy();
      await once(raw, "close");
    }
    const { requests } = cluster;
    await vi.waitUntil(
      () => requests.all.length > 0 && requests.all.every(({ status }) => status !== undefined),
    );
    expect(new Set(requests.all.map(({ status }) => status))).toEqual(new Set([401]));
    await expect(cluster.get("v1", "ConfigMap", "intruder", { namespace: "default" })).rejects.toThrow(
      'configmaps "intruder" not found',
    );
    await serving.close();
    await cluster.close();
  },
);

test("a port answers a request without credentials with the Status of an unauthorized one", async () => {
  const cluster = createCluster({ controllers: [], identifiers });
  const serving = await serve(cluster, { tls: false });
  const response = await fetch(`${serving.url}/api/v1/pods`);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  });
  await serving.close();
  await cluster.close();
});

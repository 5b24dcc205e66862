import { expect, test } from "vitest";
import { type ClusterOptions, createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

/** The statuses of a request without credentials: in process, and on a port. */
async function statusesOf(options: ClusterOptions): Promise<readonly number[]> {
  const cluster = createCluster({ controllers: [], ...options });
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

test("a port answers a request without credentials with the Status of an unauthorized one", async () => {
  const cluster = createCluster({ controllers: [] });
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

import { beforeAll, describe, expect, test } from "vitest";
import type { Cluster } from "../../../src/index.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

let cluster: Cluster;

beforeAll(async () => {
  cluster = quietCluster();
  const send = testClient(cluster);
  const service = (name: string) =>
    send("POST", "/api/v1/namespaces/default/services", {
      metadata: { name },
      spec: { ports: [{ name: "web", port: 80 }] },
    });
  for (const name of ["lonely", "empty", "served"]) await service(name);
  const endpoints = "/api/v1/namespaces/default/endpoints";
  await send("POST", endpoints, { metadata: { name: "empty" } });
  await send("POST", endpoints, {
    metadata: { name: "served" },
    subsets: [{ addresses: [{ ip: "10.0.0.7" }], ports: [{ name: "web", port: 8080 }] }],
  });
  const node = (name: string, addresses: readonly object[]) =>
    send("POST", "/api/v1/nodes", { metadata: { name }, status: { addresses } });
  await node("near", [{ type: "InternalIP", address: "10.1.1.1" }]);
  await node("named", [{ type: "Hostname", address: "host" }]);
  await node("local", [{ type: "InternalIP", address: "127.0.0.1" }]);
  await node("lost", []);
});

async function reach(method: string, target: string) {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const response = await cluster.fetch(`https://cluster.test${target}`, {
    method,
    headers,
    redirect: "manual",
  });
  const text = await response.text();
  const body = text.startsWith("{") ? JSON.parse(text) : {};
  return { code: response.status, message: body.message, location: response.headers.get("location") };
}

const refused = "connect: connection refused";

/** Upstream: pkg/registry/core/service/storage/storage.go, ResourceLocation. */
describe("a proxy to a service", () => {
  const services = "/api/v1/namespaces/default/services";

  test.each([
    ["nobody/proxy/", 404, 'services "nobody" not found'],
    ["nobody:80/proxy/", 404, 'services "nobody" not found'],
    ["lonely/proxy/", 503, 'no endpoints available for service "lonely"'],
    ["empty:80/proxy/", 503, 'no endpoints available for service "empty"'],
    ["served:81/proxy/", 503, 'no service port 81 found for service "served"'],
    ["served:other/proxy/", 503, 'no endpoints available for service "served:other"'],
    ["served:web/proxy/x", 503, `error trying to reach service: dial tcp 10.0.0.7:8080: ${refused}`],
    ["https:served:80/proxy/x", 503, `error trying to reach service: dial tcp 10.0.0.7:8080: ${refused}`],
    ["a:b:c:d/proxy/", 400, 'invalid service request "a:b:c:d"'],
    ["ftp:served:80/proxy/", 400, 'invalid service request "ftp:served:80"'],
  ])("%s is refused with %i", async (target, code, message) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(await reach(method, `${services}/${target}`)).toMatchObject({ code, message });
    }
  });

  test("redirects reads to a path with a slash", async () => {
    const { code, location } = await reach("GET", `${services}/served:web/proxy`);
    expect([code, location]).toEqual([301, `${services}/served:web/proxy/`]);
  });
});

/** Upstream: pkg/registry/core/node/strategy.go, ResourceLocation. */
describe("a proxy to a node", () => {
  test.each([
    ["nobody/proxy/", 404, 'nodes "nobody" not found'],
    ["near/proxy/pods", 503, `error trying to reach service: dial tcp 10.1.1.1:10250: ${refused}`],
    ["http:near:9100/proxy/", 503, `error trying to reach service: dial tcp 10.1.1.1:9100: ${refused}`],
    ["named/proxy/", 400, "lookup host: no such host"],
    ["local/proxy/", 400, "address not allowed"],
    ["lost/proxy/", 500, "no preferred addresses found; known addresses: []"],
    ["a:b:c:d/proxy/", 400, 'invalid node request "a:b:c:d"'],
  ])("%s is refused with %i", async (target, code, message) => {
    expect(await reach("GET", `/api/v1/nodes/${target}`)).toMatchObject({ code, message });
    expect(await reach("PUT", `/api/v1/nodes/${target}`)).toMatchObject({ code, message });
  });
});

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

let cluster: Cluster;

beforeAll(async () => {
  const containers = [{ name: "c", image: "i", ports: [{ containerPort: 8080 }] }];
  const service = (name: string) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { ports: [{ name: "http", port: 80 }] },
  });
  cluster = createCluster({
    controllers: [],
    objects: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
      service("front"),
      service("given"),
      {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { name: "front" },
        subsets: [
          {
            addresses: [{ ip: "10.0.0.9", targetRef: { kind: "Pod", name: "web" } }],
            ports: [{ name: "http", port: 8080 }],
          },
        ],
      },
    ],
  });
  cluster.pod("web").onProxy(async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/fail") throw new Error("broken");
    if (url.pathname === "/away") return new Response(null, { status: 302, headers: { location: "/home" } });
    if (url.pathname === "/out")
      return new Response(null, { status: 302, headers: { location: "https://example.com/x" } });
    const seen = ["authorization", "x-own", "x-forwarded-uri"].map((name) => request.headers.get(name));
    return Response.json(
      { method: request.method, url: url.href, seen, body: await request.text() },
      { status: 201 },
    );
  });
  cluster.node("n").onProxy((request) => new Response(`node ${new URL(request.url).pathname}`));
});

afterAll(() => cluster.close());

async function reach(path: string, init: RequestInit = {}) {
  const response = await cluster.fetch(`https://cluster.test/api/v1${path}`, {
    redirect: "manual",
    ...init,
    headers: { authorization: `Bearer ${cluster.adminToken()}`, "x-own": "1" },
  });
  const text = await response.text();
  return { code: response.status, location: response.headers.get("location"), text };
}

const pods = "/namespaces/default/pods";
const services = "/namespaces/default/services";

test.each([
  ["a pod", `${pods}/web/proxy/a%20b?c=d`, "http://web:8080/a%20b?c=d", `${pods}/web/proxy/a%20b`],
  ["a port of a pod", `${pods}/https:web:9/proxy/`, "https://web:9/", `${pods}/https:web:9/proxy/`],
  [
    "a service, at the pod of its endpoint",
    `${services}/front:http/proxy/x`,
    "http://10.0.0.9:8080/x",
    `${services}/front:http/proxy/x`,
  ],
])("%s gets the request without the credentials of the client", async (_title, path, url, forwarded) => {
  const { code, text } = await reach(path, { method: "POST", body: "hello" });
  expect(code).toBe(201);
  expect(JSON.parse(text)).toEqual({
    method: "POST",
    url,
    seen: [null, "1", `/api/v1${forwarded}`],
    body: "hello",
  });
});

test("a node answers", async () => {
  expect(await reach("/nodes/n/proxy/healthz")).toMatchObject({ code: 200, text: "node /healthz" });
});

test.each([
  ["/away", "/api/v1/namespaces/default/pods/web/proxy/home"],
  ["/out", "https://example.com/x"],
])("a redirect of %s leads to %s", async (path, location) => {
  expect(await reach(`${pods}/web/proxy${path}`)).toMatchObject({ code: 302, location });
});

test("a path without a slash is redirected", async () => {
  expect(await reach(`${pods}/web/proxy?a=b`)).toMatchObject({
    code: 301,
    location: `/api/v1${pods}/web/proxy/?a=b`,
  });
});

test("a script that throws is a server that cannot be reached", async () => {
  const { code, text } = await reach(`${pods}/web/proxy/fail`);
  expect([code, JSON.parse(text).message]).toEqual([503, "error trying to reach service: broken"]);
});

test("a service leads to the server that the test names", async () => {
  const local = http.createServer((request, response) => response.end(`local ${request.url}`));
  await once(local.listen(0, "127.0.0.1"), "listening");
  const { port } = local.address() as AddressInfo;
  const address = cluster.serviceAt("default/given", `127.0.0.1:${port}`);
  expect(await reach(`${services}/given/proxy/x?y`)).toMatchObject({ code: 200, text: "local /x?y" });
  address.remove();
  expect(await reach(`${services}/given/proxy/x`)).toMatchObject({ code: 503 });
  local.close();
});

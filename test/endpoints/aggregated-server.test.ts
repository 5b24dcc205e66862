import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

const name = "v1beta1.metrics.k8s.io";
const gv = "/apis/metrics.k8s.io/v1beta1";
const service = { namespace: "kube-system", name: "metrics-server" };
const authority = createAuthority();
const proxyAuthority = createAuthority();
const proxy = proxyAuthority.issue({ commonName: "front-proxy", usage: "client" });

let cluster: Cluster;
let port: Serving;
let server: https.Server;
let address = "";
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  const hosts = ["metrics-server.kube-system.svc"];
  const { certificate: cert, key } = authority.issue({ commonName: "metrics", usage: "server", hosts });
  const trust = { requestCert: true, rejectUnauthorized: false, ca: proxyAuthority.certificate };
  server = https.createServer({ cert, key, ...trust }, (request, response) => {
    if (request.url === gv) response.end(JSON.stringify({ kind: "APIResourceList", resources: [] }));
    else if (request.url?.startsWith(gv)) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cluster = createCluster({
    requestheaderClientCa: proxyAuthority.certificate,
    requestheaderUsernameHeaders: ["X-Remote-User"],
    requestheaderGroupHeaders: ["X-Remote-Group"],
    requestheaderExtraHeadersPrefix: ["X-Remote-Extra-"],
    requestheaderAllowedNames: ["front-proxy"],
    proxyClientCert: proxy.certificate,
    proxyClientKey: proxy.key,
  });
  port = await serve(cluster, { tls: false });
  await register(authority.certificate);
  await cluster.apiServer(name, address);
});
afterAll(async () => {
  await port.close();
  await cluster.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function register(trusted: string): Promise<void> {
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
  const caBundle = Buffer.from(trusted).toString("base64");
  const spec = { group: "metrics.k8s.io", version: "v1beta1", service, caBundle, ...priorities };
  await cluster.apply({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec,
  });
  await cluster.settle();
}

async function availability(): Promise<unknown> {
  const { status } = await cluster.get("apiregistration.k8s.io/v1", "APIService", name);
  return status?.conditions?.map(({ reason, message }) => [reason, message]);
}

function send(path: string, init: RequestInit & { readonly duplex?: "half" } = {}): Promise<Response> {
  const authorization = `Bearer ${cluster.token("alice", { groups: ["dev"], uid: "7" })}`;
  return fetch(`${port.url}${gv}${path}`, { ...init, headers: { authorization } });
}

test("the server at an address sees the front proxy and its user", async () => {
  expect(await availability()).toEqual([["Passed", "all checks passed"]]);
  let client: string | readonly string[] | undefined;
  const seen = new Promise<IncomingMessage>((resolve) => {
    answer = (request, response) => {
      // The server has TLS.
      client = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
      resolve(request);
      response.end("{}");
    };
  });
  expect((await send("/nodes?limit=1")).status).toBe(200);
  const { headers, rawHeaders, url } = await seen;
  expect(client).toBe("front-proxy");
  expect(url).toBe(`${gv}/nodes?limit=1`);
  expect(headers).toMatchObject({ host: "metrics-server.kube-system.svc:443", "x-remote-user": "alice" });
  expect(headers).not.toHaveProperty("authorization");
  const groups = rawHeaders.filter((_, index) => rawHeaders[index - 1] === "X-Remote-Group");
  expect(groups).toEqual(["dev", "system:authenticated"]);
});

test("the ConfigMap for extension servers has the authority of the front proxy, and reviews answer them", async () => {
  const { data } = await cluster.get("v1", "ConfigMap", "extension-apiserver-authentication", {
    namespace: "kube-system",
  });
  expect(data).toMatchObject({
    "requestheader-client-ca-file": proxyAuthority.certificate,
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-allowed-names": '["front-proxy"]',
  });
  const token = cluster.token("alice", { groups: ["dev"] });
  const tokenReview = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
  expect(await cluster.create(tokenReview)).toMatchObject({
    status: { authenticated: true, user: { username: "alice" } },
  });
  const resourceAttributes = { group: "metrics.k8s.io", version: "v1beta1", resource: "nodes", verb: "list" };
  const spec = { user: "alice", groups: ["dev"], resourceAttributes };
  const accessReview = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  expect(await cluster.create(accessReview)).toMatchObject({ status: { allowed: true } });
});

test("bodies stream in both directions, and the server learns that a client has left", async () => {
  const size = 8 * 1024 * 1024;
  let received = 0;
  answer = (request, response) => {
    request.on("data", (piece: Uint8Array) => {
      received += piece.byteLength;
    });
    request.on("end", () => response.end(Buffer.alloc(size)));
  };
  // No API of this server takes as much.
  const big = await send("/nodes", { method: "POST", body: new Uint8Array(size) });
  expect([(await big.arrayBuffer()).byteLength, received]).toEqual([size, size]);
  const left = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.write("{}\n");
      response.on("close", resolve);
    };
  });
  const stop = new AbortController();
  const watch = await send("/nodes?watch=1", { signal: stop.signal });
  const first = await watch.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe("{}\n");
  stop.abort();
  await left;
});

test("a server that another authority has certified is not trusted", async () => {
  await register(proxyAuthority.certificate);
  expect(await availability()).toEqual([
    [
      "FailedDiscoveryCheck",
      expect.stringContaining(
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
      ),
    ],
  ]);
  await register(authority.certificate);
  expect(await availability()).toEqual([["Passed", "all checks passed"]]);
});

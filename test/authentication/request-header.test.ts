import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { clients, whoIs } from "./clients.ts";

const users = createAuthority();
const proxies = createAuthority();
const proxy = proxies.issue({ commonName: "front-proxy", usage: "client" });
const options: ClusterOptions = {
  release: "1.33",
  clock: new VirtualClock("2026-01-01T00:00:00Z"),
  authorizationMode: "RBAC",
  clientCa: users.certificate,
  requestheaderClientCa: proxies.certificate,
  requestheaderAllowedNames: ["front-proxy", "other-proxy"],
  requestheaderUsernameHeaders: ["X-Remote-User", "X-Forwarded-User"],
  requestheaderGroupHeaders: ["X-Remote-Group", "X-Team"],
  requestheaderExtraHeadersPrefix: ["X-Remote-Extra-"],
  requestheaderUidHeaders: ["X-Remote-Uid"],
};
const configMap = ["v1", "ConfigMap", "extension-apiserver-authentication", "kube-system"] as const;
const [, ask] = clients[0] ?? clients[1] ?? [];

let cluster: Cluster;
let serving: Serving;
beforeAll(async () => {
  cluster = createCluster(options);
  serving = await serve(cluster);
});
afterAll(async () => {
  await cluster.close();
  await serving.close();
});

describe.each(clients)("over %s, a proxy", (_version, ask) => {
  test("names the user, groups, uid and extras in headers", async () => {
    const headers = {
      "X-Remote-User": "alice",
      "X-Remote-Uid": "u-1",
      "X-Remote-Group": "dev",
      "X-Team": "ops",
      "X-Remote-Extra-Scopes": "read",
      "X-Remote-Extra-Example.com%2fKey": "v",
      "X-Remote-Extra-__proto__": "w",
    };
    expect(await whoIs(ask, serving, { certificate: proxy, headers })).toEqual({
      username: "alice",
      uid: "u-1",
      groups: ["dev", "ops", "system:authenticated"],
      extra: { scopes: ["read"], "example.com/key": ["v"], ["__proto__"]: ["w"] },
    });
  });

  test("without a name in the headers is what its certificate says to the other methods", async () => {
    // The authority of proxies certifies no users.
    expect(await whoIs(ask, serving, { certificate: proxy })).toBe(401);
    const headers = { "X-Remote-Group": "system:masters" };
    expect(await whoIs(ask, serving, { certificate: proxy, headers })).toBe(401);
  });
});

const alice = { "X-Remote-User": "alice" };

test.each([
  ["a name that is not allowed", proxies.issue({ commonName: "stranger", usage: "client" })],
  ["another authority", createAuthority().issue({ commonName: "front-proxy", usage: "client" })],
  ["a usage for servers", proxies.issue({ commonName: "front-proxy", usage: "server" })],
])("headers do not count with a certificate of %s", async (_title, certificate) => {
  expect(await whoIs(ask ?? expect.fail(), serving, { certificate, headers: alice })).toBe(401);
});

test("headers do not count without a certificate of a proxy", async () => {
  const certificate = users.issue({ commonName: "front-proxy", usage: "client" });
  expect(await whoIs(ask ?? expect.fail(), serving, { certificate, headers: alice })).toMatchObject({
    username: "front-proxy",
  });
  const token = cluster.token("bob");
  expect(await whoIs(ask ?? expect.fail(), serving, { token, headers: alice })).toMatchObject({
    username: "bob",
  });
  expect(await whoIs(ask ?? expect.fail(), serving, { headers: alice })).toBe(403);
});

test("the second header counts if the first one is empty", async () => {
  const headers = { "X-Remote-User": "", "X-Forwarded-User": "carol" };
  expect(await whoIs(ask ?? expect.fail(), serving, { certificate: proxy, headers })).toMatchObject({
    username: "carol",
  });
});

test("authentication consumes the headers, so that they do not impersonate", async () => {
  const other = createCluster({
    ...options,
    requestheaderUsernameHeaders: ["Impersonate-User"],
    requestheaderUidHeaders: [],
    requestheaderAllowedNames: [],
  });
  const port = await serve(other);
  const headers = { "Impersonate-User": "alice" };
  const certificate = proxies.issue({ commonName: "any", usage: "client" });
  expect(await whoIs(ask ?? expect.fail(), port, { certificate, headers })).toMatchObject({
    username: "alice",
  });
  // Whoever authenticates, and however: the header is gone.
  const token = other.token("bob", { groups: ["system:masters"] });
  expect(await whoIs(ask ?? expect.fail(), port, { token, headers })).toMatchObject({ username: "bob" });
  await other.close();
  await port.close();
});

test("the ConfigMap tells extension servers about the proxy, and keeps what others wrote", async () => {
  await cluster.settle();
  const [apiVersion, kind, name, namespace] = configMap;
  const { data, ...found } = await cluster.get(apiVersion, kind, name, { namespace });
  const published = {
    "client-ca-file": users.certificate,
    "requestheader-client-ca-file": proxies.certificate,
    "requestheader-allowed-names": '["front-proxy","other-proxy"]',
    "requestheader-username-headers": '["X-Remote-User","X-Forwarded-User"]',
    "requestheader-group-headers": '["X-Remote-Group","X-Team"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
  };
  expect(data).toEqual(published);
  const other = createAuthority().certificate;
  const changed = { "client-ca-file": other, "requestheader-allowed-names": '["theirs"]' };
  await cluster.update({ ...found, kind, apiVersion, data: { ...published, ...changed, junk: "x" } });
  await cluster.settle();
  expect((await cluster.get(apiVersion, kind, name, { namespace }))["data"]).toEqual({
    ...published,
    "client-ca-file": `${other}${users.certificate}`,
    "requestheader-allowed-names": '["theirs","front-proxy","other-proxy"]',
  });
  await cluster.delete(apiVersion, kind, name, { namespace });
  await cluster.settle();
  expect((await cluster.get(apiVersion, kind, name, { namespace }))["data"]).toEqual(published);
});

test("the ConfigMap follows an authority that changes, within a minute, and is absent without one", async () => {
  let pem = users.certificate;
  const other = createCluster({ clientCa: () => pem, clock: new VirtualClock("2026-01-01T00:00:00Z") });
  const [apiVersion, kind, name, namespace] = configMap;
  await other.settle();
  pem = proxies.certificate;
  await other.clock.advance("61s");
  await other.settle();
  expect((await other.get(apiVersion, kind, name, { namespace }))["data"]).toEqual({
    "client-ca-file": `${users.certificate}${proxies.certificate}`,
  });
  await other.close();
  const plain = createCluster();
  await plain.settle();
  await expect(plain.get(apiVersion, kind, name, { namespace })).rejects.toMatchObject({ code: 404 });
  await plain.close();
});

test("an authority leaves the ConfigMap five minutes after its end, and constant ones are not looked at in between", async () => {
  const { validTo } = new X509Certificate(users.certificate);
  const clock = new VirtualClock(Date.parse(validTo) - 30 * 24 * 3600 * 1000);
  const other = createCluster({ clientCa: users.certificate, clock });
  const [apiVersion, kind, name, namespace] = configMap;
  const published = async () => (await other.get(apiVersion, kind, name, { namespace }))["data"];
  await other.clock.advance("720h4m59s");
  expect(await published()).toEqual({ "client-ca-file": users.certificate });
  await other.clock.advance("1s");
  await other.settle();
  expect(await published()).toBeUndefined();
  const metrics = await other
    .fetch("https://kubernetes.default.svc/metrics")
    .then((response) => response.text());
  const adds = /^workqueue_adds_total\{name="cluster_authentication_trust_controller"\} (\d+)$/m.exec(
    metrics,
  );
  expect(Number(adds?.[1])).toBeLessThan(10);
  await other.close();
});

test.each<[ClusterOptions, string]>([
  [
    { requestheaderClientCa: "x" },
    "createCluster: requestheaderClientCa: data does not contain any valid RSA or ECDSA certificates",
  ],
  [
    { requestheaderUsernameHeaders: [" "] },
    'createCluster: requestheaderUsernameHeaders: empty value in "requestheader-username-headers"',
  ],
  [
    { requestheaderGroupHeaders: ["X-Remote-Group"] },
    "createCluster: requestheaderGroupHeaders has no effect without createCluster: requestheaderClientCa",
  ],
  [
    { requestheaderClientCa: proxies.certificate, requestheaderUidHeaders: ["X-Remote-Uid"] },
    'requires the "RemoteRequestHeaderUID" feature to be enabled',
  ],
  [
    {
      release: "1.33",
      requestheaderClientCa: proxies.certificate,
      requestheaderUidHeaders: ["X-Uid"],
    },
    "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work",
  ],
])("options %# that cannot work are refused", (given, message) => {
  expect(() => createCluster(given)).toThrow(message);
});

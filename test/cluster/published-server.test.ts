import { expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

/** What the cluster says about its server: in `/api`, in the Service and its endpoints, and to pods. */
async function published(cluster: Cluster): Promise<unknown> {
  const api = await cluster.fetch("https://cluster.test/api", { headers: { accept: "application/json" } });
  const { serverAddressByClientCIDRs } = (await api.json()) as {
    serverAddressByClientCIDRs: readonly { readonly serverAddress: string }[];
  };
  const [service, endpoints, slice, configMap] = await Promise.all([
    cluster.get("v1", "Service", "kubernetes"),
    cluster.get("v1", "Endpoints", "kubernetes"),
    cluster.get("discovery.k8s.io/v1", "EndpointSlice", "kubernetes"),
    cluster.get("v1", "ConfigMap", "kube-root-ca.crt"),
  ]);
  return {
    api: serverAddressByClientCIDRs[0]?.serverAddress,
    service: service["spec"],
    endpoints: endpoints["subsets"],
    slice: [slice["addressType"], slice["endpoints"], slice["ports"]],
    certificate: configMap["data"],
  };
}

function identity(address: string, port: number, rootCa: string): object {
  const name = address.includes(":") ? `[${address}]` : address;
  return {
    api: `${name}:${port}`,
    service: expect.objectContaining({
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
    }),
    endpoints: [{ addresses: [{ ip: address }], ports: [{ name: "https", port, protocol: "TCP" }] }],
    slice: [
      address.includes(":") ? "IPv6" : "IPv4",
      [{ addresses: [address], conditions: { ready: true } }],
      [{ name: "https", port, protocol: "TCP" }],
    ],
    certificate: { "ca.crt": rootCa },
  };
}

test.each<[string, (cluster: Cluster) => unknown]>([
  ["before the first request", () => undefined],
  ["while it is in use", (cluster) => cluster.list("v1", "Pod")],
  ["after a snapshot", (cluster) => cluster.snapshot()],
])("a port that opens %s is the server of the cluster at once", async (_when, prepare) => {
  await using cluster = createCluster();
  await prepare(cluster);
  const server = await serve(cluster);
  expect(await published(cluster)).toEqual(identity("127.0.0.1", server.port, server.caCertificate));
  await server.close();
});

test("a port that is known before the first request needs no second write", async () => {
  await using cluster = createCluster();
  const server = await serve(cluster);
  const slice = await cluster.get("discovery.k8s.io/v1", "EndpointSlice", "kubernetes");
  expect(slice.metadata.generation).toBe(1);
  await server.close();
});

test("the port that was opened first is published until it closes, then the next one", async () => {
  await using cluster = createCluster();
  const first = await serve(cluster);
  const second = await serve(cluster);
  expect(await published(cluster)).toEqual(identity("127.0.0.1", first.port, first.caCertificate));
  await first.close();
  expect(await published(cluster)).toEqual(identity("127.0.0.1", second.port, second.caCertificate));
  await second.close();
  expect(await published(cluster)).toMatchObject({
    api: "127.0.0.1:6443",
    certificate: { "ca.crt": second.caCertificate },
  });
});

test("each fork publishes its own port", async () => {
  await using cluster = createCluster();
  const server = await serve(cluster);
  await cluster.settle();
  await using fork = cluster.fork();
  const other = await serve(fork);
  expect(await published(fork)).toEqual(identity("127.0.0.1", other.port, other.caCertificate));
  expect(await published(cluster)).toEqual(identity("127.0.0.1", server.port, server.caCertificate));
  await other.close();
  await server.close();
});

test("a restored snapshot gets the port that is open now", async () => {
  await using cluster = createCluster();
  await cluster.settle();
  const snapshot = cluster.snapshot();
  const server = await serve(cluster);
  await cluster.settle();
  cluster.restore(snapshot);
  await cluster.settle();
  expect(await published(cluster)).toEqual(identity("127.0.0.1", server.port, server.caCertificate));
  await server.close();
});

test.each<[string, ClusterOptions]>([
  ["IPv4", { advertiseAddress: "192.0.2.1:8443", rootCa: "PEM" }],
  ["IPv6", { advertiseAddress: "[2001:db8::1]:8443", rootCa: "PEM" }],
])("options with an address of %s win over open ports", async (family, options) => {
  await using cluster = createCluster(options);
  await cluster.settle();
  const server = await serve(cluster);
  const address = family === "IPv4" ? "192.0.2.1" : "2001:db8::1";
  expect(await published(cluster)).toEqual(identity(address, 8443, "PEM"));
  await server.close();
});

test("a port without TLS has no authority to publish", async () => {
  await using cluster = createCluster();
  const server = await serve(cluster, { tls: false });
  expect(await published(cluster)).toEqual(identity("127.0.0.1", server.port, ""));
  await server.close();
});

test("the server corrects the endpoints after a client has changed them", async () => {
  await using cluster = createCluster();
  const server = await serve(cluster);
  await cluster.patch("v1", "Endpoints", "kubernetes", {
    metadata: { labels: { mine: "yes" } },
    subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ port: 1 }] }],
  });
  await cluster.settle();
  const { metadata, subsets } = await cluster.get("v1", "Endpoints", "kubernetes");
  expect(metadata.labels).toMatchObject({ mine: "yes" });
  expect(subsets).toEqual([
    { addresses: [{ ip: "127.0.0.1" }], ports: [{ name: "https", port: server.port, protocol: "TCP" }] },
  ]);
  await server.close();
});

test("endpoints that are recreated have the open port", async () => {
  await using cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z") });
  const server = await serve(cluster);
  await cluster.delete("v1", "Endpoints", "kubernetes");
  await cluster.delete("v1", "Service", "kubernetes");
  await cluster.settle();
  await cluster.clock.advance("10s");
  await cluster.settle();
  expect(await published(cluster)).toEqual(identity("127.0.0.1", server.port, server.caCertificate));
  await server.close();
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { listAt, structAt } from "../../src/apimachinery/fields.ts";
import { type Cluster, createCluster, type JsonObject, StatusError } from "../../src/index.ts";
import { startWebhook, type WebhookServer } from "./webhook-server.ts";

const origin = "https://hooks.example.com";

let server: WebhookServer;
let address: string;
let cluster: Cluster;
beforeAll(async () => {
  server = await startWebhook(["hook.system.svc", "hooks.example.com"]);
  address = new URL(server.url).host;
  server.answer = ({ method, text }, response) => {
    response.setHeader("Content-Type", "application/json");
    if (method === "GET") response.end(JSON.stringify({ kind: "APIResourceList", resources: [] }));
    else response.end(JSON.stringify(answered(JSON.parse(text))));
  };
});
beforeEach(() => {
  cluster = createCluster({ controllers: [] });
});
afterEach(() => cluster.close());
afterAll(() => server.close());

/** Refuses what is admitted, and converts by the version alone. */
function answered(review: JsonObject): JsonObject {
  const request = structAt(review, "request");
  const { uid = "", desiredAPIVersion: apiVersion = "" } = request;
  if (review["kind"] === "AdmissionReview") {
    return { ...review, response: { uid, allowed: false, status: { message: "by the server" } } };
  }
  const convertedObjects = listAt(request, "objects").map((one) => ({ ...one, apiVersion }));
  return { ...review, response: { uid, convertedObjects, result: { status: "Success" } } };
}

const service: JsonObject = { namespace: "system", name: "hook", path: "/x" };
const caBundle = () => btoa(server.authority.certificate);

async function register(clientConfig: JsonObject): Promise<void> {
  await cluster.apply({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "c" },
    webhooks: [
      {
        name: "w.x.io",
        clientConfig: { caBundle: caBundle(), ...clientConfig },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
}

/** What the API server says to the creation of a ConfigMap. */
async function refusal(): Promise<string> {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  try {
    await cluster.create(object);
    return "created";
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message.replace(
      'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: ',
      "",
    );
  }
}

const denied = 'admission webhook "w.x.io" denied the request: by the server';
const unnamed = (problem: string, name: string) =>
  `${problem}; name its address with cluster.serviceAt("${name}", "host:port") or --service-at ${name}=host:port`;

test("a Service with an address answers for admission, conversion and an APIService, in forks as well", async () => {
  const handle = cluster.serviceAt("system/hook", address);
  await register({ service });
  const schema = { openAPIV3Schema: { type: "object" } };
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [
        { name: "v1", served: true, storage: true, schema },
        { name: "v2", served: true, storage: false, schema },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service, caBundle: caBundle() },
        },
      },
    },
  });
  await cluster.create({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: "v1.metrics.test" },
    spec: {
      group: "metrics.test",
      version: "v1",
      service: { namespace: "system", name: "hook" },
      caBundle: caBundle(),
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  });
  await cluster.settle();
  await cluster.create({ apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "a" } });
  const availability = async (one: Cluster) => {
    const { status } = await one.get("apiregistration.k8s.io/v1", "APIService", "v1.metrics.test");
    return status?.conditions?.[0]?.reason;
  };
  expect(await refusal()).toBe(denied);
  expect(await cluster.get("example.com/v2", "Gadget", "a")).toMatchObject({ apiVersion: "example.com/v2" });
  expect(await availability(cluster)).toBe("Passed");
  const fork = cluster.fork();
  handle.remove();
  await cluster.settle();
  expect(await refusal()).toBe('Post "https://hook.system.svc:443/x?timeout=10s": service "hook" not found');
  await expect(cluster.get("example.com/v2", "Gadget", "a")).rejects.toThrow('service "hook" not found');
  expect(await availability(cluster)).toBe("ServiceNotFound");
  expect(await fork.get("example.com/v2", "Gadget", "a")).toMatchObject({ apiVersion: "example.com/v2" });
  await fork.close();
});

test("an origin with an address is called there, under its own name", async () => {
  await register({ url: `${origin}/x` });
  const before = server.received.length;
  const call = `Post "${origin}/x?timeout=10s": `;
  expect(await refusal()).toBe(call + unnamed("dial tcp: lookup hooks.example.com: no such host", origin));
  expect(server.received).toHaveLength(before);
  const handle = cluster.serviceAt(origin, address);
  expect(await refusal()).toBe(denied);
  expect(server.received.at(-1)?.headers.host).toBe("hooks.example.com");
  handle.remove();
  expect(await refusal()).toContain("no such host");
});

test.each<readonly [title: string, spec: () => JsonObject, port: () => number, problem: string]>([
  [
    "an external name of another machine",
    () => ({ type: "ExternalName", externalName: "hooks.example.com" }),
    () => 443,
    unnamed("dial tcp: lookup hooks.example.com: no such host", "system/hook"),
  ],
  [
    "the name of this machine",
    () => ({ type: "ExternalName", externalName: "localhost" }),
    () => Number(new URL(server.url).port),
    denied,
  ],
  [
    "endpoints on other machines",
    () => ({ ports: [{ port: 443 }] }),
    () => 443,
    unnamed("dial tcp 10.1.2.3:8443: connect: no route to host", "system/hook"),
  ],
])("a Service leads to %s", async (_title, spec, port, problem) => {
  const metadata = { name: "hook", namespace: "system" };
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "system" } });
  await cluster.create({ apiVersion: "v1", kind: "Service", metadata, spec: spec() });
  const subsets = [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 8443 }] }];
  await cluster.create({ apiVersion: "v1", kind: "Endpoints", metadata, subsets });
  await register({ service: { ...service, port: port() } });
  const answer = await refusal();
  expect(answer.replace(/^Post "[^"]+": /, "")).toBe(problem);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { structAt } from "../../src/apimachinery/fields.ts";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";
import { startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";

/** A name of Kubernetes at the start of a word. */
const realName = /(?<![A-Za-z0-9])(kubernetes|k8s\b|kube)/i;
const origin = "https://cluster.test";

let server: WebhookServer;
beforeAll(async () => {
  server = await startWebhook();
});
afterAll(() => server.close());

/** Adds a label with a masked name, in base64 as a webhook at an address must. */
function labeled(review: JsonObject): JsonObject {
  const patch = [{ op: "add", path: "/metadata/labels", value: { "app.svc.io/managed-by": "hook" } }];
  const { uid = "" } = structAt(review, "request");
  const { kind = "", apiVersion = "" } = review;
  return {
    kind,
    apiVersion,
    response: { uid, allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) },
  };
}

async function register(cluster: Cluster, clientConfig: JsonObject): Promise<void> {
  await cluster.apply({
    apiVersion: "admissionregistration.svc.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "c" },
    webhooks: [
      {
        name: "labels.svc.io",
        clientConfig,
        rules: [
          {
            apiGroups: ["coordination.svc.io"],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["leases"],
          },
        ],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
}

const lease = (name: string) => ({
  apiVersion: "coordination.svc.io/v1",
  kind: "Lease",
  metadata: { name, namespace: "svc-system" },
});

test("a function in place of an admission webhook gets masked names, and those of its patch are stored as any", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [] });
  await register(cluster, { url: "https://127.0.0.1/x" });
  const received: JsonObject[] = [];
  cluster.webhook("labels.svc.io", (review) => {
    received.push(review);
    return labeled(review);
  });
  const created = await cluster.create(lease("a"));
  expect(created.metadata.labels).toEqual({ "app.svc.io/managed-by": "hook" });
  expect(received).toMatchObject([
    {
      apiVersion: "admission.svc.io/v1",
      request: { namespace: "svc-system", resource: { group: "coordination.svc.io" } },
    },
  ]);
  expect(JSON.stringify(received)).not.toMatch(realName);
  const selected = await cluster.list("coordination.svc.io/v1", "Lease", {
    labelSelector: "app.kubernetes.io/managed-by=hook",
  });
  expect(selected.items).toHaveLength(1);
  await cluster.close();
});

test("a function may answer with a list of operations", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [] });
  await register(cluster, { url: "https://127.0.0.1/x" });
  cluster.webhook("labels.svc.io", () => ({
    allowed: true,
    patch: [{ op: "add", path: "/metadata/annotations", value: { "deployment.svc.io/revision": "7" } }],
  }));
  expect((await cluster.create(lease("a"))).metadata.annotations).toEqual({
    "deployment.svc.io/revision": "7",
  });
  await cluster.close();
});

test("an admission webhook at an address gets masked names in its body and headers", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [] });
  await register(cluster, { url: `${server.url}/x`, caBundle: btoa(server.authority.certificate) });
  const before = server.received.length;
  server.answer = ({ text }, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(labeled(JSON.parse(text))));
  };
  const created = await cluster.create(lease("a"));
  expect(created.metadata.labels).toEqual({ "app.svc.io/managed-by": "hook" });
  const [received] = server.received.slice(before);
  expect(received?.text).toContain('"apiVersion":"admission.svc.io/v1"');
  expect(received?.text).not.toMatch(realName);
  expect(received?.headers["user-agent"]).toBe("svc-apiserver-admission");
  await cluster.close();
});

test("a conversion webhook gets and answers masked names", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [] });
  const schema = { openAPIV3Schema: { type: "object", "x-svc-preserve-unknown-fields": true } };
  await cluster.create({
    apiVersion: "apiextensions.svc.io/v1",
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
        webhook: { clientConfig: { url: "https://127.0.0.1/x" }, conversionReviewVersions: ["v1"] },
      },
    },
  });
  const received: JsonObject[] = [];
  cluster.webhook("gadgets.example.com", (review) => {
    received.push(review);
    const { uid = "", desiredAPIVersion: apiVersion = "", objects = [] } = structAt(review, "request");
    // A review has a list of objects.
    const convertedObjects = (objects as JsonObject[]).map((one) => ({
      ...one,
      apiVersion,
      spec: { finalizer: "converted.svc.io/x" },
    }));
    return { ...review, response: { uid, convertedObjects, result: { status: "Success" } } };
  });
  const metadata = { name: "a", namespace: "svc-public", annotations: { "deployment.svc.io/x": "1" } };
  await cluster.create({ apiVersion: "example.com/v1", kind: "Gadget", metadata });
  const converted = await cluster.get("example.com/v2", "Gadget", "a", { namespace: "svc-public" });
  expect(converted).toMatchObject({ metadata, spec: { finalizer: "converted.svc.io/x" } });
  expect(received).toMatchObject([{ apiVersion: "apiextensions.svc.io/v1" }]);
  expect(JSON.stringify(received)).not.toMatch(realName);
  await cluster.close();
});

test("webhooks of tokens and authorization get and answer masked names", async () => {
  const received: JsonObject[] = [];
  const cluster = createCluster({
    identifiers: "svc",
    controllers: [],
    authorizationMode: "Webhook",
    authorizationWebhookConfig: (review) => {
      received.push(review);
      const attributes = structAt(review, "spec", "resourceAttributes");
      const allowed =
        attributes["group"] === "coordination.svc.io" && attributes["namespace"] === "svc-system";
      return { ...review, status: { allowed } };
    },
    authenticationTokenWebhookConfig: (review) => {
      received.push(review);
      const authenticated = structAt(review, "spec")["token"] === "secret";
      return { ...review, status: { authenticated, user: { username: "system:svc-scheduler" } } };
    },
  });
  const get = async (group: string) => {
    const answer = await cluster.fetch(`${origin}/apis/${group}/v1/namespaces/svc-system/leases`, {
      headers: { authorization: "Bearer secret" },
    });
    return [answer.status, JSON.parse(await answer.text()).message];
  };
  expect(await get("coordination.svc.io")).toEqual([200, undefined]);
  expect(await get("events.svc.io")).toEqual([
    403,
    'leases.events.svc.io is forbidden: User "system:svc-scheduler" cannot list resource "leases" in API group "events.svc.io" in the namespace "svc-system"',
  ]);
  expect(received.map(({ apiVersion }) => apiVersion)).toContain("authentication.svc.io/v1beta1");
  expect(received.map(({ apiVersion }) => apiVersion)).toContain("authorization.svc.io/v1beta1");
  expect(JSON.stringify(received)).not.toMatch(realName);
  expect(cluster.requests.matching({ user: "system:svc-scheduler" })).toHaveLength(2);
  await cluster.close();
});

test("the log of requests shows what clients sent and got", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [], auditLevel: "RequestResponse" });
  const path = "/apis/coordination.svc.io/v1/namespaces/svc-system/leases";
  const answered = cluster.requests.next({ group: "coordination.svc.io" });
  await cluster.fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "svcctl/v1" },
    body: JSON.stringify(lease("logged")),
  });
  const expected = {
    target: path,
    path,
    group: "coordination.svc.io",
    namespace: "svc-system",
    status: 201,
    userAgent: "svcctl/v1",
  };
  expect(await answered).toMatchObject(expected);
  const [logged] = cluster.requests.matching({ namespace: "svc-system", resource: "leases" });
  expect(logged).toMatchObject(expected);
  expect(new TextDecoder().decode(logged?.requestBody)).toBe(JSON.stringify(lease("logged")));
  expect(new TextDecoder().decode(logged?.responseBody)).not.toMatch(realName);
  await cluster.fetch(`${origin}/apis/flow.svc.io/v1/x`);
  expect(cluster.requests.unserved.map(({ target }) => target)).toEqual(["/apis/flow.svc.io/v1/x"]);
  expect(cluster.requests.nearest({ group: "coordination.svc.io", verb: "get" })).toMatchObject({
    request: { group: "coordination.svc.io" },
    missed: ["verb"],
  });
  expect(JSON.stringify(cluster.requests.auditEvents({ resource: "leases" }))).not.toMatch(
    /coordination\.k8s|kube-system/,
  );
  await cluster.close();
});

test("a watch in the log shows when it ended", async () => {
  const cluster = createCluster({ identifiers: "svc", controllers: [] });
  const opened = cluster.requests.next({ verb: "watch" });
  const watch = await cluster.fetch(`${origin}/api/v1/namespaces?watch=true`);
  const logged = await opened;
  expect(logged.endedAt).toBeUndefined();
  await watch.body?.cancel();
  await expect.poll(() => logged.endedAt).toBeDefined();
  await cluster.close();
});

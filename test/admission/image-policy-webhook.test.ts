import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, VirtualClock } from "../../src/index.ts";
import { startWebhook, type WebhookServer, withStatus } from "../webhooks/webhook-server.ts";

let server: WebhookServer;
beforeAll(async () => {
  server = await startWebhook();
});
afterAll(() => server.close());

const clock = () => new VirtualClock("2026-01-01T00:00:00Z");

/** A cluster with the plugin; without a configuration if there is none. */
function clusterWith(imagePolicy: JsonObject | undefined, time = clock()): Cluster {
  const plugins = [{ name: "ImagePolicyWebhook", configuration: { imagePolicy: imagePolicy ?? {} } }];
  const file = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins };
  return createCluster({
    clock: time,
    controllers: [],
    enableAdmissionPlugins: ["ImagePolicyWebhook"],
    disableAdmissionPlugins: ["ServiceAccount"],
    ...(imagePolicy !== undefined && { admissionControlConfigFile: file }),
  });
}

const pod = (name: string, image = "i", metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", ...metadata },
  spec: { containers: [{ name: "c", image }], initContainers: [{ name: "d", image: "init" }] },
});

/** What the creation of a pod answers. */
function answerOf(cluster: Cluster, object = pod("p")): Promise<string> {
  return cluster
    .as("alice")
    .create(object)
    .then(
      () => "created",
      (error: Error) => error.message,
    );
}

test("a function reviews the images of pods, and its answers count for a time by the clock", async () => {
  const time = clock();
  const cluster = clusterWith({ allowTTL: 60, denyTTL: 10 }, time);
  const reviews: JsonObject[] = [];
  const handle = cluster.webhook("imagepolicy", (review) => {
    reviews.push(review);
    const isBad = JSON.stringify(review).includes("bad");
    return { ...review, status: isBad ? { allowed: false, reason: "it is bad" } : { allowed: true } };
  });
  const annotations = {
    "b.image-policy.k8s.io/ticket": "2",
    "a.image-policy.k8s.io/ticket": "1",
    other: "x",
  };
  expect(await answerOf(cluster, pod("good", "i", { annotations }))).toBe("created");
  expect(reviews).toEqual([
    {
      kind: "ImageReview",
      apiVersion: "imagepolicy.k8s.io/v1alpha1",
      metadata: { creationTimestamp: null },
      spec: {
        containers: [{ image: "i" }, { image: "init" }],
        annotations: { "a.image-policy.k8s.io/ticket": "1", "b.image-policy.k8s.io/ticket": "2" },
        namespace: "default",
      },
      status: { allowed: false },
    },
  ]);
  const denied = 'pods "p" is forbidden: image policy webhook backend denied one or more images: it is bad';
  expect(await answerOf(cluster, pod("p", "bad"))).toBe(denied);
  expect(await answerOf(cluster, pod("p", "bad"))).toBe(denied);
  expect(reviews).toHaveLength(2);
  await time.advance("11s");
  handle.remove();
  cluster.webhook("imagepolicy", (review) => ({ ...review, status: { allowed: false } }));
  expect(await answerOf(cluster, pod("p", "bad"))).toBe(
    'pods "p" is forbidden: one or more images rejected by webhook backend',
  );
  expect(await answerOf(cluster, pod("again", "i", { annotations }))).toBe("created");
  await time.advance("50s");
  expect(await answerOf(cluster, pod("late", "i", { annotations }))).toContain("rejected by webhook backend");
});

test("ephemeral containers are reviewed; other subresources and kinds are not", async () => {
  const cluster = clusterWith({});
  const images: unknown[] = [];
  cluster.webhook("imagepolicy", (review) => {
    images.push(review["spec"]);
    return { ...review, status: { allowed: true } };
  });
  const created = await cluster.create(pod("p"));
  await cluster.update({ ...created, status: { phase: "Running" } }, { subresource: "status" });
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } });
  const spec = { ephemeralContainers: [{ name: "e", image: "debug", imagePullPolicy: "Always" }] };
  await cluster.patch("v1", "Pod", "p", { spec }, { subresource: "ephemeralcontainers" });
  expect(images).toMatchObject([{ containers: [{}, {}] }, { containers: [{ image: "debug" }] }]);
});

test("a failing webhook is called five times; defaultAllow admits pods then, with an annotation", async () => {
  for (const defaultAllow of [false, true]) {
    const time = clock();
    const cluster = clusterWith(
      { kubeConfigFile: server.kubeconfig(), retryBackoff: 1000, defaultAllow },
      time,
    );
    const before = server.received.length;
    server.answer = (_request, response) => response.writeHead(500).end("broken");
    const answer = answerOf(cluster);
    let isDone = false;
    const ended = answer.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await time.advance("1s");
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(server.received.length - before).toBe(5);
    const problem = 'an error on the server ("broken") has prevented the request from succeeding';
    expect(await answer).toBe(defaultAllow ? "created" : `pods "p" is forbidden: ${problem}`);
    expect(cluster.requests.all.at(-1)).toMatchObject(
      defaultAllow
        ? {
            annotations: { "imagepolicywebhook.image-policy.k8s.io/failed-open": "true" },
            admission: [{ plugin: "ImagePolicyWebhook", outcome: "failedOpen", message: problem }],
          }
        : { status: 403 },
    );
  }
});

test("a server at the address of the kubeconfig decides, and its audit annotations have a prefix", async () => {
  const cluster = clusterWith({ kubeConfigFile: server.kubeconfig({ user: { token: "t" } }), allowTTL: -1 });
  server.answer = withStatus({ allowed: true, auditAnnotations: { checked: "yes" } });
  const before = server.received.length;
  expect(await answerOf(cluster)).toBe("created");
  expect(await answerOf(cluster, pod("q"))).toBe("created");
  expect(cluster.requests.all[0]).toMatchObject({
    annotations: { "imagepolicywebhook.image-policy.k8s.io/checked": "yes" },
  });
  const calls = server.received.slice(before);
  expect(calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ["/review?timeout=30s", "Bearer t"],
    ["/review?timeout=30s", "Bearer t"],
  ]);
});

test("without a kubeconfig and a function, the webhook fails", async () => {
  expect(await answerOf(clusterWith({}))).toBe(
    'pods "p" is forbidden: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
  );
});

test.each<readonly [title: string, imagePolicy: JsonObject | undefined, message: string]>([
  ["no configuration", undefined, "no config specified"],
  ["a long TTL", { allowTTL: 1801 }, "valid value is between 1s and 30m0s, got 30m1s"],
  ["the least TTL", { denyTTL: 1 }, "valid value is between 1s and 30m0s, got 1s"],
  ["a long pause", { retryBackoff: 300_001 }, "valid value is between 1ns and 5m0s, got 5m0.001s"],
  [
    "a TTL of the wrong type",
    { allowTTL: "30" },
    "json: cannot unmarshal string into Go struct field AdmissionConfig.imagePolicy.allowTTL of type time.Duration",
  ],
  [
    "a kubeconfig without a context",
    { kubeConfigFile: "{}" },
    "kubeConfigFile: line 1: invalid configuration: no",
  ],
])("%s ends the start", async (_title, imagePolicy, message) => {
  await expect(clusterWith(imagePolicy).settle()).rejects.toThrow(
    `couldn't init admission plugin "ImagePolicyWebhook": ${message}`,
  );
});

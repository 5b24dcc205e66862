import { expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

/** A cluster whose scheduler runs, with one node for one pod. Its clock stands. */
async function clusterOf(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler"], ...options });
  await cluster.addNode({ name: "a", capacity: { cpu: "1", memory: "8Gi", pods: "10" } });
  await cluster.patch("v1", "Node", "a", { spec: { taints: [] } });
  return cluster;
}

const container = { name: "web", image: "nginx", resources: { requests: { cpu: "1" } } };

async function create(cluster: Cluster, name: string, spec: object = {}): Promise<void> {
  const metadata = { name, namespace: "default" };
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { containers: [container], ...spec },
  });
  await cluster.settle();
}

async function eventsAbout(cluster: Cluster, name: string) {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items.filter(({ involvedObject }) => involvedObject.name === name);
}

/** Lets the scheduler try all pods again. */
async function retry(cluster: Cluster, turn: number): Promise<void> {
  await cluster.patch("v1", "Node", "a", { metadata: { labels: { turn: String(turn) } } });
  await cluster.settle();
}

test.each([
  ["1.32", "events.k8s.io/v1"],
  ["1.18", "events.k8s.io/v1beta1"],
] as const)("an Event of the scheduler of %s is one of %s", async (release, apiVersion) => {
  await using cluster = await clusterOf({ release });
  await create(cluster, "web");
  const pod = await cluster.get("v1", "Pod", "web");
  const [event] = await eventsAbout(cluster, "web");
  expect(event).toMatchObject({
    metadata: { name: expect.stringMatching(/^web\.[0-9a-f]{16}$/), namespace: "default" },
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "default", name: "web" },
    reason: "Scheduled",
    message: "Successfully assigned default/web to a",
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    type: "Normal",
    eventTime: "2026-01-01T00:00:00.000000Z",
    action: "Binding",
    reportingComponent: "default-scheduler",
    reportingInstance: "default-scheduler-vm",
  });
  expect(event?.involvedObject.uid).toBe(pod.metadata?.uid);
  expect(event).not.toHaveProperty("count");
  expect(event?.metadata.managedFields?.map((entry) => [entry.manager, entry.apiVersion])).toEqual([
    ["kube-scheduler", apiVersion],
  ]);
});

/** Upstream: `NewEventBroadcasterAdapter` (client-go, tools/events/event_broadcaster.go). */
test.each([
  ["1.32", "events.k8s.io/v1"],
  ["1.20", "events.k8s.io/v1"],
  ["1.18", "events.k8s.io/v1beta1"],
] as const)("without %s %s, the Events of the scheduler are of the core group", async (release, version) => {
  await using cluster = await clusterOf({ release, runtimeConfig: { [version]: false } });
  await create(cluster, "full");
  await create(cluster, "web");
  const [scheduled] = await eventsAbout(cluster, "full");
  expect(scheduled).toMatchObject({
    metadata: { name: expect.stringMatching(/^full\.[0-9a-f]{16}$/), namespace: "default" },
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "default", name: "full" },
    reason: "Scheduled",
    message: "Successfully assigned default/full to a",
    source: { component: "default-scheduler" },
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:00Z",
    count: 1,
    type: "Normal",
    eventTime: null,
  });
  expect(scheduled).not.toHaveProperty("action");
  await retry(cluster, 1);
  await retry(cluster, 2);
  const counts = (await eventsAbout(cluster, "web")).map(({ reason, count }) => [reason, count]);
  expect(counts).toEqual([["FailedScheduling", 3]]);
});

test("a pod that waits for long has a series of Events, which are written now and then", async () => {
  await using cluster = await clusterOf();
  await create(cluster, "full");
  await create(cluster, "web");
  const series = async () =>
    (await eventsAbout(cluster, "web")).map((event) => [event.reason, event.series?.count]);
  expect(await series()).toEqual([["FailedScheduling", undefined]]);
  // The first Event is about the pod without the condition, which is another resourceVersion.
  await retry(cluster, 1);
  await retry(cluster, 2);
  expect(await series()).toEqual([
    ["FailedScheduling", undefined],
    ["FailedScheduling", 2],
  ]);
  await retry(cluster, 3);
  expect((await series())[1]).toEqual(["FailedScheduling", 2]);
  for (let turn = 4; turn < 12; turn++) {
    await cluster.clock.advance("5m");
    await retry(cluster, turn);
  }
  expect((await series())[1]).toEqual(["FailedScheduling", 9]);
  // One that was deleted is created again.
  const { name = "" } = (await eventsAbout(cluster, "web"))[1]?.metadata ?? {};
  await cluster.delete("v1", "Event", name);
  for (let turn = 20; turn < 26; turn++) {
    await cluster.clock.advance("6m");
    await retry(cluster, turn);
  }
  expect(await eventsAbout(cluster, "web")).toMatchObject([
    {
      metadata: { name },
      message: expect.stringContaining("1 Insufficient cpu"),
      eventTime: "2026-01-01T00:00:00.000000Z",
      series: { count: 15 },
    },
  ]);
  await cluster.clock.advance("7m");
  await retry(cluster, 12);
  expect(await series()).toHaveLength(2);
});

test.each([
  ["1.32", (uid: string) => `Preempted by pod ${uid} on node a`],
  ["1.28", () => "Preempted by a pod on node a"],
  ["1.23", () => "Preempted by default/great on node a"],
] as const)("a victim of %s has an Event about the pod that takes its place", async (release, message) => {
  await using cluster = await clusterOf({ release });
  await cluster.create({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "high" },
    value: 1000,
  });
  await create(cluster, "small");
  await create(cluster, "great", { priorityClassName: "high" });
  const { metadata } = await cluster.get("v1", "Pod", "great");
  const events = await eventsAbout(cluster, "small");
  expect(events.find(({ reason }) => reason === "Preempted")).toMatchObject({
    message: message(metadata?.uid ?? ""),
    action: "Preempting",
    related: { kind: "Pod", namespace: "default", name: "great", uid: metadata?.uid },
  });
});

test("a note has at most 1,024 bytes, the condition has all", async () => {
  await using cluster = await clusterOf();
  for (let index = 0; index < 40; index++) {
    const name = `node-with-a-taint-${index}`;
    await cluster.addNode({ name });
    const taints = [{ key: `example.com/taint-${index}`, effect: "NoSchedule" }];
    await cluster.patch("v1", "Node", name, { spec: { taints } });
  }
  await create(cluster, "full");
  await create(cluster, "web");
  const [event] = await eventsAbout(cluster, "web");
  const { status } = await cluster.get("v1", "Pod", "web");
  const condition = status?.conditions?.find(({ type }) => type === "PodScheduled")?.message ?? "";
  expect(condition.length).toBeGreaterThan(1024);
  expect(event?.message).toBe(`${condition.slice(0, 1020)} ...`);
});

/** Upstream: `handleSchedulingFailure`, and the words of each release. */
test.each([
  ["1.32", 'running Bind plugin "DefaultBinder": '],
  ["1.26", 'binding rejected: running Bind plugin "DefaultBinder": '],
  ["1.19", 'binding rejected: plugin "DefaultBinder" failed to bind pod "default/web": '],
  ["1.17", 'Binding rejected: bind plugin "DefaultBinder" failed to bind pod "default/web": '],
] as const)("the scheduler of %s says that a binding is refused, and tries again", async (release, words) => {
  await using cluster = await clusterOf({ release });
  let isAllowed = false;
  const message = "not today";
  const deny = () => (isAllowed ? { allowed: true } : { allowed: false, status: { message } });
  cluster.webhook("gate.example.com", deny);
  const rules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/binding"] },
  ];
  const webhook = {
    name: "gate.example.com",
    clientConfig: { url: "https://gate.example.com" },
    rules,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "gate" },
    webhooks: [webhook],
  });
  await create(cluster, "web");
  await cluster.clock.advance("2s");
  const refusal = `${words}admission webhook "gate.example.com" denied the request: ${message}`;
  const found = async () => {
    const { spec, status } = await cluster.get("v1", "Pod", "web");
    const { reason, message: said } = status?.conditions?.[0] ?? {};
    return [spec?.nodeName, reason, said];
  };
  expect(await found()).toEqual([undefined, "SchedulerError", refusal]);
  const [event] = await eventsAbout(cluster, "web");
  expect(event).toMatchObject({ reason: "FailedScheduling", message: refusal, action: "Scheduling" });
  isAllowed = true;
  await cluster.clock.advance("1s");
  expect((await found())[0]).toBe("a");
});

/** Upstream: `EventsToRegister` of the plugins; NodeAffinity and VolumeBinding wait for no pods, NodeResourcesFit does. */
test("a pod is tried again when another one goes only if pods are in its way", async () => {
  await using cluster = await clusterOf();
  await create(cluster, "placed");
  await create(cluster, "selective", { nodeSelector: { disk: "ssd" } });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "missing" } }];
  await create(cluster, "claiming", { volumes });
  const large = { ...container, resources: { requests: { cpu: "90" } } };
  await create(cluster, "large", { containers: [large] });
  await cluster.delete("v1", "Pod", "placed", { gracePeriodSeconds: 0 });
  await cluster.settle();
  const tries = async (name: string) => {
    const [first, ...later] = await eventsAbout(cluster, name);
    return later.length + (first === undefined ? 0 : 1);
  };
  expect([await tries("selective"), await tries("claiming"), await tries("large")]).toEqual([1, 1, 2]);
});

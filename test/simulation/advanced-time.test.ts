import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { completes, crashLoop } from "../../src/scenario/presets.ts";

const containers = (image: string) => [{ name: "main", image }];

/** A cluster in which something happens all the time. */
async function busyCluster(): Promise<Cluster> {
  const cluster = createCluster({ simulate: true, seed: 1 });
  cluster.pods.script({ image: "broken" }, crashLoop({ exitCode: 3, after: "5s" }));
  cluster.pods.script({ image: "report" }, completes({ after: "20s" }));
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "broken" },
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 90,
      selector: { matchLabels: { app: "broken" } },
      template: { metadata: { labels: { app: "broken" } }, spec: { containers: containers("broken") } },
    },
  });
  await cluster.settle();
  const template = { spec: { restartPolicy: "Never", containers: containers("report") } };
  await cluster.create({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "report" },
    spec: { schedule: "* * * * *", successfulJobsHistoryLimit: 20, jobTemplate: { spec: { template } } },
  });
  return cluster;
}

async function stateOf(cluster: Cluster): Promise<readonly KubeObject[]> {
  await cluster.settle();
  const lists = await Promise.all([
    cluster.list<KubeObject>("v1", "Pod"),
    cluster.list<KubeObject>("v1", "Event"),
    cluster.list<KubeObject>("batch/v1", "Job"),
    cluster.list<KubeObject>("batch/v1", "CronJob"),
    cluster.list<KubeObject>("apps/v1", "Deployment"),
  ]);
  return lists.flatMap(({ items }) => items);
}

test("the time of a simulated cluster can pass in one step: everything happens at its own time", async () => {
  const [once, often] = [await busyCluster(), await busyCluster()];
  await once.clock.advance("5m");
  for (let seconds = 0; seconds < 300; seconds += 2) {
    await often.settle();
    await often.clock.advance("2s");
  }
  const state = await stateOf(once);
  expect(state).toEqual(await stateOf(often));
  const restarts = state.flatMap(({ status }) =>
    (((status as JsonObject | undefined)?.["containerStatuses"] ?? []) as readonly JsonObject[]).map(
      ({ restartCount }) => restartCount,
    ),
  );
  expect(restarts.filter((count) => count !== 0)).toEqual([5, 5]);
  const jobs = state.filter(({ kind }) => kind === "Job");
  expect(jobs.map(({ status }) => (status as JsonObject)["completionTime"])).toEqual(
    [1, 2, 3, 4].map((minute) => `2026-01-01T00:0${minute}:20Z`),
  );
  for (const cluster of [once, often]) await cluster.close();
});

test("a webhook that does not answer controllers does not stop the time", async () => {
  const cluster = createCluster({ simulate: true, seed: 1 });
  let calls = 0;
  cluster.webhook("silent.example.com", () => {
    calls++;
    return new Promise(() => {});
  });
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "silent" },
    webhooks: [
      {
        name: "silent.example.com",
        clientConfig: { url: "https://silent.example.com" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        failurePolicy: "Ignore",
        timeoutSeconds: 7,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const labels = { app: "web" };
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: containers("nginx") } },
    },
  });
  await cluster.clock.advance("1m");
  const { items } = await cluster.list<KubeObject>("v1", "Pod");
  expect(calls).toBe(1);
  expect(items.map(({ status }) => (status as JsonObject)["startTime"])).toEqual(["2026-01-01T00:00:07Z"]);
  await cluster.close();
});

test("timers run while a cluster does work without an end", async () => {
  const cluster = createCluster({ simulate: true, seed: 1 });
  await cluster.create({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "endless" },
    spec: {
      parallelism: 10,
      completions: 2 ** 31 - 1,
      template: { spec: { restartPolicy: "Never", containers: containers("done") } },
    },
  });
  let isSettled = false;
  const settled = cluster.settle().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(isSettled).toBe(false);
  await cluster.close();
  await settled;
});

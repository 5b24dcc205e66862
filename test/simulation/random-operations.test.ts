import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cluster, createCluster, type KubeObject, StatusError } from "../../src/index.ts";
import { completes, crashLoop } from "../../src/scenario/presets.ts";
import { clusterOperation } from "./cluster-operations.ts";
import { problemsOf } from "./settled-cluster.ts";
import { deployment, type Operation, workloadOperation } from "./workload-operations.ts";

const operation = fc.oneof(
  { weight: 3, arbitrary: workloadOperation },
  { weight: 2, arbitrary: clusterOperation },
);
const operations = fc.array(operation, { minLength: 10, maxLength: 40, size: "max" });
/** Whose containers work, end and break. */
async function livingCluster(): Promise<Cluster> {
  const cluster = createCluster({ simulate: true, seed: 1 });
  cluster.pods.script({ image: /^task/ }, completes({ after: "5s" }));
  cluster.pods.script({ image: /^broken/ }, crashLoop({ after: "3s" }));
  await cluster.create({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "disks.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await cluster.create({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "important" },
    value: 1000,
  });
  for (const name of ["web-0", "web-1"]) await cluster.create(deployment(name, 3));
  await cluster.settle();
  return cluster;
}

/** After how many operations a fork goes on, and how far its controllers have come by then. */
const forkAt = fc.record({ operations: fc.nat(40), turns: fc.nat(2000) });

/** A webhook that fails is one of the troubles. */
async function attempt(cluster: Cluster, act: Operation): Promise<void> {
  await act(cluster).catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    const { code, message = "" } = error.status;
    if (code === 500 && !message.includes("failed calling webhook")) throw error;
  });
}

/** What users have held up goes on. */
async function release(cluster: Cluster): Promise<void> {
  const goOn: readonly (readonly [apiVersion: string, kind: string, spec: object])[] = [
    ["batch/v1", "Job", { suspend: false, parallelism: 1 }],
    ["apps/v1", "Deployment", { paused: false }],
    ["v1", "Node", { taints: null }],
  ];
  await attempt(cluster, () => cluster.delete("batch/v1", "CronJob", "report"));
  for (const [apiVersion, kind, spec] of goOn) {
    for (const { metadata } of (await cluster.list<KubeObject>(apiVersion, kind)).items)
      await attempt(cluster, () => cluster.patch(apiVersion, kind, metadata.name ?? "", { spec }));
  }
}

/** Until every back-off, grace period and quarantine has ended. */
async function finish(cluster: Cluster): Promise<void> {
  await release(cluster);
  for (let minute = 0; minute < 20; minute++) {
    await cluster.settle();
    await cluster.clock.advance("1m");
  }
  await cluster.settle();
}

/** What is written in a day in which nothing happens. */
async function writesOfADay(cluster: Cluster): Promise<number> {
  await cluster.clock.advance("2h");
  const version = async () => Number((await cluster.list("v1", "Node")).metadata.resourceVersion);
  const before = await version();
  await cluster.clock.advance("22h");
  return (await version()) - before;
}

/** Does everything, and goes on with a fork in between. */
async function finishedAfter(
  all: readonly Operation[],
  fork: { readonly operations: number; readonly turns: number },
): Promise<Cluster> {
  let cluster = await livingCluster();
  for (const [i, act] of all.entries()) {
    await attempt(cluster, act);
    if (i !== fork.operations) continue;
    for (let turn = 0; turn < fork.turns; turn++) await Promise.resolve();
    const forked = cluster.fork();
    await cluster.close();
    cluster = forked;
  }
  await finish(cluster);
  return cluster;
}

const limits = { numRuns: 10, interruptAfterTimeLimit: 90_000 };

test("whatever is done to a simulated cluster, it comes to what its objects say, and so do its forks", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(operations, forkAt, async (all, fork) => {
      await using cluster = await finishedAfter(all, fork);
      expect(await problemsOf(cluster)).toEqual([]);
      expect(await writesOfADay(cluster)).toBe(0);
    }),
    limits,
  );
});

const kinds = ["Pod", "Event", "Node", "Endpoints", "PersistentVolumeClaim", "PersistentVolume"];

/** All that a run has led to, with its names, times and versions. */
async function contentsOf(cluster: Cluster): Promise<readonly unknown[]> {
  const contents = await Promise.all(kinds.map((kind) => cluster.list("v1", kind)));
  return contents.map(({ items }) => items);
}

test("with the same seed, the same operations lead to the same objects", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(operations, forkAt, async (all, fork) => {
      // What is loaded on demand takes turns of its own, once.
      await (await finishedAfter(all, fork)).close();
      await using first = await finishedAfter(all, fork);
      await using second = await finishedAfter(all, fork);
      expect(await contentsOf(second)).toEqual(await contentsOf(first));
    }),
    { ...limits, numRuns: 3 },
  );
});

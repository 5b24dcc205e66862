import { describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { template, Workloads } from "./workloads.ts";

/** The collections to watch, and what a line says about an object of each. */
const collections: readonly (readonly [path: string, line: (object: KubeObject) => string])[] = [
  [
    "apis/apps/v1/deployments",
    (one) => `Deployment ${counts(one)}, ${unavailable(one)} unavailable, ${reasonOf(one, "Progressing")}`,
  ],
  ["apis/apps/v1/replicasets", (one) => `ReplicaSet ${imageOf(one)} ${counts(one)}`],
  ["apis/apps/v1/statefulsets", (one) => `StatefulSet ${counts(one)}`],
  ["apis/apps/v1/controllerrevisions", (one) => `ControllerRevision ${one["revision"]}`],
  ["apis/batch/v1/jobs", (one) => `Job ${jobCounts(one)}`],
  ["api/v1/pods", (one) => `Pod ${podState(one)}`],
  ["api/v1/events", (one) => `Event ${one["reason"]}`],
];

const at = (object: JsonObject, ...path: readonly string[]) => {
  let value: unknown = object;
  for (const key of path) value = (value as JsonObject | undefined)?.[key];
  return value;
};
const imageOf = (one: KubeObject) =>
  (at(one, "spec", "template", "spec", "containers") as readonly JsonObject[])[0]?.["image"];
const counts = (one: KubeObject) =>
  `${at(one, "spec", "replicas")} wanted, ${at(one, "status", "replicas") ?? 0} there, ${at(one, "status", "readyReplicas") ?? 0} ready`;
const unavailable = (one: KubeObject) => at(one, "status", "unavailableReplicas") ?? 0;
const conditionsOf = (one: KubeObject) => (at(one, "status", "conditions") ?? []) as readonly JsonObject[];
const reasonOf = (one: KubeObject, type: string) =>
  conditionsOf(one).find((condition) => condition["type"] === type)?.["reason"] ?? "new";
const jobCounts = (one: KubeObject) => {
  const uncounted = ((at(one, "status", "uncountedTerminatedPods", "succeeded") ?? []) as readonly string[])
    .length;
  const ended = conditionsOf(one).map(({ type }) => ` ${type}`);
  return `${at(one, "status", "active") ?? 0} active, ${uncounted} uncounted, ${at(one, "status", "succeeded") ?? 0} succeeded${ended.join("")}`;
};
const podState = (one: KubeObject) => {
  if (one.metadata.deletionTimestamp) return "terminating";
  const isTracked = one.metadata.finalizers?.includes("batch.kubernetes.io/job-tracking") ?? false;
  const isReady = conditionsOf(one).some(({ type, status }) => type === "Ready" && status === "True");
  return `${at(one, "status", "phase")}${isReady ? " ready" : ""}${isTracked ? " tracked" : ""}`;
};

/** The changes of all objects since a revision, in the order of their writes. */
async function writesSince(w: Workloads, revision: string): Promise<readonly string[]> {
  await w.cluster.settle();
  const query = `watch=true&resourceVersion=${revision}&timeoutSeconds=1`;
  const open = collections.map(async ([path, line]) => {
    const response = await w.cluster.fetch(`https://cluster.test/${path}?${query}`);
    const text = response.text();
    return { text, line };
  });
  const watches = await Promise.all(open);
  await w.cluster.clock.advance("2s");
  const found: { readonly revision: number; readonly text: string }[] = [];
  for (const { text, line } of watches) {
    for (const frame of (await text).split("\n").filter((one) => one !== "")) {
      const { type, object } = JSON.parse(frame) as { readonly type: string; readonly object: KubeObject };
      found.push({ revision: Number(object.metadata.resourceVersion), text: `${type} ${line(object)}` });
    }
  }
  return found.toSorted((a, b) => a.revision - b.revision).map(({ text }) => text);
}

async function revisionOf(w: Workloads): Promise<string> {
  await w.cluster.settle();
  return (await w.cluster.list("v1", "Namespace")).metadata.resourceVersion ?? "";
}

const workload = (kind: string, replicas: number, image: string, spec: JsonObject = {}) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template("web", image), ...spec },
});

describe("the writes and Events of", () => {
  // `rolloutRolling` (pkg/controller/deployment/rolling.go): `getNewReplicaSet` creates the ReplicaSet, records the Event and writes the status with
  // the revision; `syncRolloutStatus` writes the counts. `syncReplicaSet` (pkg/controller/replicaset/replica_set.go): `manageReplicas` creates
  // the pods, then `updateReplicaSetStatus` writes what was there before, and the next look what is there now.
  test("a new Deployment", async () => {
    const w = new Workloads();
    const revision = await revisionOf(w);
    await w.cluster.create(workload("Deployment", 1, "v1"));
    expect(await writesSince(w, revision)).toMatchInlineSnapshot(`
      [
        "ADDED Deployment 1 wanted, 0 there, 0 ready, 0 unavailable, new",
        "ADDED ReplicaSet v1 1 wanted, 0 there, 0 ready",
        "ADDED Event ScalingReplicaSet",
        "MODIFIED Deployment 1 wanted, 0 there, 0 ready, 0 unavailable, NewReplicaSetCreated",
        "MODIFIED Deployment 1 wanted, 0 there, 0 ready, 1 unavailable, NewReplicaSetCreated",
        "ADDED Pod Pending",
        "ADDED Event SuccessfulCreate",
        "MODIFIED ReplicaSet v1 1 wanted, 0 there, 0 ready",
        "MODIFIED ReplicaSet v1 1 wanted, 1 there, 0 ready",
        "MODIFIED Deployment 1 wanted, 1 there, 0 ready, 1 unavailable, ReplicaSetUpdated",
      ]
    `);
    await w.cluster.close();
  });

  // The same functions; once the new pod is available, `reconcileOldReplicaSets` scales the old ReplicaSet down before the status is written.
  test("a rolling update of a Deployment", async () => {
    const w = new Workloads();
    const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await w.cluster.create(workload("Deployment", 1, "v1", { strategy }));
    await w.runAll();
    const revision = await revisionOf(w);
    await w.cluster.patch("apps/v1", "Deployment", "web", { spec: { template: template("web", "v2") } });
    await w.runAll();
    await w.removeTerminating();
    expect(await writesSince(w, revision)).toMatchInlineSnapshot(`
      [
        "MODIFIED Deployment 1 wanted, 1 there, 1 ready, 0 unavailable, NewReplicaSetAvailable",
        "ADDED ReplicaSet v2 1 wanted, 0 there, 0 ready",
        "ADDED Event ScalingReplicaSet",
        "MODIFIED Deployment 1 wanted, 1 there, 1 ready, 0 unavailable, NewReplicaSetCreated",
        "MODIFIED Deployment 1 wanted, 1 there, 1 ready, 1 unavailable, NewReplicaSetCreated",
        "ADDED Pod Pending",
        "ADDED Event SuccessfulCreate",
        "MODIFIED ReplicaSet v2 1 wanted, 0 there, 0 ready",
        "MODIFIED ReplicaSet v2 1 wanted, 1 there, 0 ready",
        "MODIFIED Deployment 1 wanted, 2 there, 1 ready, 1 unavailable, ReplicaSetUpdated",
        "MODIFIED Pod Pending",
        "MODIFIED Pod Running ready",
        "MODIFIED ReplicaSet v2 1 wanted, 1 there, 1 ready",
        "MODIFIED ReplicaSet v1 0 wanted, 1 there, 1 ready",
        "ADDED Event ScalingReplicaSet",
        "MODIFIED Deployment 1 wanted, 2 there, 2 ready, 0 unavailable, ReplicaSetUpdated",
        "MODIFIED Pod terminating",
        "ADDED Event SuccessfulDelete",
        "MODIFIED ReplicaSet v1 0 wanted, 1 there, 1 ready",
        "MODIFIED ReplicaSet v1 0 wanted, 0 there, 0 ready",
        "MODIFIED Deployment 1 wanted, 1 there, 1 ready, 0 unavailable, NewReplicaSetAvailable",
        "MODIFIED Pod terminating",
        "DELETED Pod terminating",
      ]
    `);
    await w.cluster.close();
  });

  // `sync` (pkg/controller/deployment/sync.go) writes the status of the ReplicaSets that it found, then the change of the ReplicaSet leads to the next look.
  test("a Deployment that is scaled", async () => {
    const w = new Workloads();
    await w.cluster.create(workload("Deployment", 1, "v1"));
    await w.runAll();
    const revision = await revisionOf(w);
    await w.cluster.patch("apps/v1", "Deployment", "web", { spec: { replicas: 2 } });
    expect(await writesSince(w, revision)).toMatchInlineSnapshot(`
      [
        "MODIFIED Deployment 2 wanted, 1 there, 1 ready, 0 unavailable, NewReplicaSetAvailable",
        "MODIFIED ReplicaSet v1 2 wanted, 1 there, 1 ready",
        "ADDED Event ScalingReplicaSet",
        "MODIFIED Deployment 2 wanted, 1 there, 1 ready, 0 unavailable, NewReplicaSetAvailable",
        "ADDED Pod Pending",
        "ADDED Event SuccessfulCreate",
        "MODIFIED ReplicaSet v1 2 wanted, 1 there, 1 ready",
        "MODIFIED Deployment 2 wanted, 1 there, 1 ready, 1 unavailable, NewReplicaSetAvailable",
        "MODIFIED ReplicaSet v1 2 wanted, 2 there, 1 ready",
        "MODIFIED Deployment 2 wanted, 2 there, 1 ready, 1 unavailable, NewReplicaSetAvailable",
      ]
    `);
    await w.cluster.close();
  });

  // `performUpdate` (pkg/controller/statefulset/stateful_set_control.go): `getStatefulSetRevisions` creates the revision, `updateStatefulSet`
  // deletes or creates one pod, then `updateStatefulSetStatus` writes what was there before, less the pod of the old revision.
  test("a rolling update of a StatefulSet", async () => {
    const w = new Workloads();
    await w.cluster.create(workload("StatefulSet", 1, "v1", { serviceName: "web" }));
    await w.runAll();
    const revision = await revisionOf(w);
    await w.cluster.patch("apps/v1", "StatefulSet", "web", { spec: { template: template("web", "v2") } });
    await w.removeTerminating();
    await w.runAll();
    expect(await writesSince(w, revision)).toMatchInlineSnapshot(`
      [
        "MODIFIED StatefulSet 1 wanted, 1 there, 1 ready",
        "ADDED ControllerRevision 2",
        "MODIFIED Pod terminating",
        "ADDED Event SuccessfulDelete",
        "MODIFIED StatefulSet 1 wanted, 1 there, 1 ready",
        "MODIFIED Pod terminating",
        "DELETED Pod terminating",
        "ADDED Pod Pending",
        "MODIFIED Event SuccessfulCreate",
        "MODIFIED StatefulSet 1 wanted, 0 there, 0 ready",
        "MODIFIED StatefulSet 1 wanted, 1 there, 0 ready",
        "MODIFIED Pod Pending",
        "MODIFIED Pod Running ready",
        "MODIFIED StatefulSet 1 wanted, 1 there, 1 ready",
      ]
    `);
    await w.cluster.close();
  });

  // `syncJob` (pkg/controller/job/job_controller.go): `manageJob` creates the pods; `trackJobStatusAndRemoveFinalizers` writes the uncounted pods and
  // SuccessCriteriaMet, removes the finalizers, and writes the counts with the condition of the end; `recordJobFinished` records the Event.
  test("a Job", async () => {
    const w = new Workloads();
    const revision = await revisionOf(w);
    const pod = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] } };
    await w.cluster.create({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "sum" },
      spec: { template: pod },
    });
    for (const one of await w.pods()) await w.finish(one, "Succeeded");
    expect(await writesSince(w, revision)).toMatchInlineSnapshot(`
      [
        "ADDED Job 0 active, 0 uncounted, 0 succeeded",
        "ADDED Pod Pending tracked",
        "ADDED Event SuccessfulCreate",
        "MODIFIED Job 1 active, 0 uncounted, 0 succeeded",
        "MODIFIED Pod Succeeded tracked",
        "MODIFIED Job 0 active, 1 uncounted, 0 succeeded SuccessCriteriaMet",
        "MODIFIED Pod Succeeded",
        "MODIFIED Job 0 active, 0 uncounted, 1 succeeded SuccessCriteriaMet Complete",
        "ADDED Event Completed",
      ]
    `);
    await w.cluster.close();
  });
});

test("`controllers: []` runs no workload controller", async () => {
  const w = new Workloads({ controllers: [] });
  await w.cluster.create(workload("Deployment", 1, "v1"));
  expect(await w.pods()).toEqual([]);
  await w.cluster.close();
});

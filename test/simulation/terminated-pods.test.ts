import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type KubeObject } from "../../src/index.ts";
import { crashLoop, evicted, imagePullBackOff } from "../../src/scenario/presets.ts";

/** A cluster with a standing clock. */
const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, simulate: ["scheduler", "kubelets"], ...options });

const containers = [{ name: "web", image: "nginx:1" }];

async function run(cluster: Cluster, spec: object = {}): Promise<void> {
  const metadata = { name: "web", namespace: "default" };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } });
  await cluster.settle();
}

/** The last state of a pod that is deleted. */
async function lastState(cluster: Cluster): Promise<KubeObject> {
  const watch = cluster.watch("v1", "Pod");
  const seen = (async () => {
    for await (const { type, object } of watch) if (type === "DELETED") return object;
    throw new Error("the watch has ended");
  })();
  await cluster.delete("v1", "Pod", "web");
  await cluster.settle();
  // The types of pods are those of the objects.
  return (await seen) as unknown as KubeObject;
}

const unknown = {
  exitCode: 137,
  reason: "ContainerStatusUnknown",
  message: "The container could not be located when the pod was terminated",
  startedAt: null,
  finishedAt: null,
};

/** Upstream: the cases of `TestTerminatePod_DefaultUnknownStatus` in pkg/kubelet/status/status_manager_test.go. */
describe("a pod that is deleted before its container has run", () => {
  test.each([
    ["1.32", "Failed", { terminated: unknown }],
    ["1.26", "Pending", { terminated: unknown }],
    ["1.21", "Pending", { waiting: { reason: "ContainerCreating" } }],
  ] as const)("ends in %s with the phase %s", async (release, phase, state) => {
    await using cluster = simulated({ release });
    cluster.pods.script({}, imagePullBackOff());
    await run(cluster);
    const { status } = (await lastState(cluster)) as { status?: { [field: string]: unknown } };
    expect(status).toMatchObject({ phase, containerStatuses: [{ state, ready: false }] });
    expect(status).not.toHaveProperty("reason");
    expect(status?.["conditions"]).toContainEqual(
      expect.objectContaining({ type: "ContainersReady", status: "False", reason: "ContainersNotReady" }),
    );
  });

  test("leaves those after its init container waiting", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "first" }, imagePullBackOff());
    const initContainers = ["first", "second"].map((name) => ({ name, image: "busybox" }));
    await run(cluster, { initContainers });
    const waiting = { waiting: { reason: "PodInitializing" } };
    expect(await lastState(cluster)).toMatchObject({
      status: {
        phase: "Failed",
        initContainerStatuses: [{ state: { terminated: unknown } }, { state: waiting }],
        containerStatuses: [{ state: waiting }],
      },
    });
  });
});

test("a pod that is deleted while a container waits for its restart says how that has ended", async () => {
  await using cluster = simulated();
  cluster.pods.script({}, crashLoop({ exitCode: 3 }));
  await run(cluster);
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe("CrashLoopBackOff");
  expect(await lastState(cluster)).toMatchObject({
    status: {
      phase: "Failed",
      containerStatuses: [
        {
          state: { terminated: { exitCode: 3, reason: "Error" } },
          lastState: { terminated: { exitCode: 3 } },
        },
      ],
    },
  });
});

test.each([
  ["its deadline is over", { activeDeadlineSeconds: 5 }, imagePullBackOff(), "DeadlineExceeded"],
  ["it is evicted", {}, evicted(), "Evicted"],
] as const)("a container that never ran has an unknown end if %s", async (_title, spec, life, reason) => {
  await using cluster = simulated();
  cluster.pods.script({}, life);
  await run(cluster, spec);
  await cluster.clock.advance("5s");
  await cluster.settle();
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status).toMatchObject({
    phase: "Failed",
    reason,
    containerStatuses: [{ state: { terminated: unknown } }],
  });
  const conditions = status?.conditions?.map(({ type, status: is, reason: why }) => [type, is, why]);
  expect(conditions).toContainEqual(["ContainersReady", "False", "PodFailed"]);
  expect(conditions).toContainEqual(["PodReadyToStartContainers", "False", undefined]);
});

test.each([
  ["1.32", true],
  ["1.27", undefined],
] as const)("an init container that runs has started in %s: %s", async (release, started) => {
  await using cluster = simulated({ release });
  cluster.pods.script({ container: "init" }, { ...crashLoop({ after: "5s" }) });
  await run(cluster, { initContainers: [{ name: "init", image: "busybox" }] });
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.initContainerStatuses?.[0]?.state).toHaveProperty("running");
  expect(status?.initContainerStatuses?.[0]?.started).toBe(started);
  expect(status?.containerStatuses?.[0]?.started).toBe(false);
});

import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { completes, crashLoop, running, slowTermination } from "../../src/scenario/presets.ts";

const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, release: "1.36", simulate: ["scheduler", "kubelets"], ...options });

const rules = [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }];
const source = { name: "source", image: "web", restartPolicy: "Never", restartPolicyRules: rules };
const regular = { name: "regular", image: "web", restartPolicy: "Always" };
const sidecar = { name: "sidecar", image: "web", restartPolicy: "Always" };

async function run(cluster: Cluster, spec: object): Promise<void> {
  const metadata = { name: "web" };
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { restartPolicy: "Never", ...spec },
  });
  await cluster.settle();
}

async function advance(cluster: Cluster, duration: string): Promise<void> {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

async function statusOf(cluster: Cluster) {
  return (await cluster.get("v1", "Pod", "web")).status ?? {};
}

/** The phase, and each container with the number of its restarts and why it ended the time before. */
function shown(status: Awaited<ReturnType<typeof statusOf>>): string {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const states = all.map(({ name, state = {}, lastState = {}, restartCount }) => {
    const now = state.waiting?.reason ?? state.terminated?.reason ?? "Running";
    const before = lastState.terminated ? ` after ${lastState.terminated.reason}` : "";
    return `${name} ${now} ${restartCount}${before}`;
  });
  return [status.phase, ...states].join(", ");
}

function conditionOf(status: Awaited<ReturnType<typeof statusOf>>, type: string) {
  return status.conditions?.find((condition) => condition.type === type);
}

/** The statuses of the pod since a version of it, without those that only say when something happened. */
async function statusesSince(cluster: Cluster, resourceVersion: string): Promise<readonly string[]> {
  const latest = (await cluster.get("v1", "Pod", "web")).metadata?.resourceVersion;
  const seen: string[] = [];
  for await (const { object } of cluster.watch("v1", "Pod", { resourceVersion })) {
    const restarting = conditionOf(object.status ?? {}, "AllContainersRestarting");
    seen.push(`${shown(object.status ?? {})}, restarting ${restarting?.status}`);
    if (object.metadata?.resourceVersion === latest) break;
  }
  return seen;
}

async function versionOf(cluster: Cluster): Promise<string> {
  return (await cluster.get("v1", "Pod", "web")).metadata?.resourceVersion ?? "";
}

async function eventsOf(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items.map(({ reason, message, count, involvedObject }) => {
    const container = involvedObject.fieldPath?.replace(/.*[{](.*)[}]/, " of $1") ?? "";
    return `${count} ${reason}${container}: ${message}`;
  });
}

/** Upstream: test/e2e/common/node/container_restart_policy.go. */
describe("all containers of a pod restart", () => {
  test("if a regular container ends, from the first init container on, with the same address", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, running());
    const broken = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
    const init = { name: "init", image: "web" };
    await run(cluster, { initContainers: [init, sidecar], containers: [regular, source] });
    const before = await statusOf(cluster);
    expect(conditionOf(before, "AllContainersRestarting")).toMatchObject({ status: "False" });
    const version = await versionOf(cluster);
    await advance(cluster, "5s");
    broken.remove();
    expect(conditionOf(await statusOf(cluster), "AllContainersRestarting")).toMatchObject({
      status: "True",
      reason: "RestartAllContainersStarted",
      message: "container exited with restart policy rule",
    });
    await advance(cluster, "1s");
    expect(await statusesSince(cluster, version)).toMatchInlineSnapshot(`
      [
        "Running, init Completed 0, sidecar Running 0, regular Running 0, source Error 0, restarting True",
        "Running, init RestartingAllContainers 1 after RestartingAllContainers, sidecar RestartingAllContainers 1 after RestartingAllContainers, regular RestartingAllContainers 1 after RestartingAllContainers, source RestartingAllContainers 1 after RestartingAllContainers, restarting False",
        "Running, init Completed 1 after RestartingAllContainers, sidecar Running 1 after RestartingAllContainers, regular Running 1 after RestartingAllContainers, source Running 1 after RestartingAllContainers, restarting False",
      ]
    `);
    const after = await statusOf(cluster);
    expect([after.podIP, conditionOf(after, "Initialized")?.status]).toEqual([before.podIP, "True"]);
    expect(after.containerStatuses?.[0]?.lastState?.terminated).toEqual({
      exitCode: 137,
      reason: "RestartingAllContainers",
      message: "The container is removed because RestartAllContainers in place",
      startedAt: null,
      finishedAt: null,
    });
    const killed = (await eventsOf(cluster)).filter((said) => said.includes("Killing"));
    expect(killed).toEqual(["1 Killing of regular: killing", "1 Killing of sidecar: killing"]);
  });

  test("if a sidecar or an init container ends", async () => {
    for (const [initContainers, expected] of [
      [
        [sidecar, { ...source, restartPolicy: "Always" }],
        "Running, sidecar Running 1 after RestartingAllContainers, source Running 1 after RestartingAllContainers, regular Running 1 after RestartingAllContainers",
      ],
      [
        [sidecar, source],
        "Running, sidecar Running 1 after RestartingAllContainers, source Completed 1 after RestartingAllContainers, regular Running 0",
      ],
    ] as const) {
      await using cluster = simulated();
      cluster.pods.script({}, running());
      const broken = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
      await run(cluster, { initContainers, containers: [regular] });
      await advance(cluster, "5s");
      broken.remove();
      if (initContainers[1].restartPolicy === "Never")
        cluster.pods.script({ container: "source" }, completes());
      await advance(cluster, "1s");
      expect(shown(await statusOf(cluster))).toBe(expected);
    }
  });

  test("again and again, without a back-off, for the same exit code", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, running());
    cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42 }));
    await run(cluster, { containers: [{ ...regular, restartPolicyRules: rules }, source] });
    for (let second = 0; second < 3; second++) await advance(cluster, "1s");
    const again = "after RestartingAllContainers";
    expect(shown(await statusOf(cluster))).toBe(
      `Running, regular Running 3 ${again}, source Error 3 ${again}`,
    );
  });

  test("with the restarts that they have had before", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, running());
    const crashing = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 1, after: "5s" }));
    await run(cluster, { containers: [{ ...source, restartPolicy: "Always" }, regular] });
    await advance(cluster, "5s");
    crashing.remove();
    expect(shown(await statusOf(cluster))).toBe("Running, regular Running 0, source Running 1 after Error");
    const broken = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
    await advance(cluster, "5s");
    broken.remove();
    await advance(cluster, "1s");
    const again = "after RestartingAllContainers";
    expect(shown(await statusOf(cluster))).toBe(
      `Running, regular Running 1 ${again}, source Running 2 ${again}`,
    );
  });

  test("one after the other, of which each has two seconds to stop and no hook", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, slowTermination({ takes: "10s" }));
    const broken = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
    const lifecycle = { preStop: { sleep: { seconds: 5 } } };
    const containers = [source, { ...regular, lifecycle }, { ...regular, name: "second" }];
    await run(cluster, { containers });
    await advance(cluster, "5s");
    broken.remove();
    for (const step of ["1s", "2s", "1s"]) await advance(cluster, step);
    expect(shown(await statusOf(cluster))).toBe(
      "Running, regular Running 0, second Running 0, source Error 0",
    );
    expect(conditionOf(await statusOf(cluster), "AllContainersRestarting")?.status).toBe("True");
    await advance(cluster, "1s");
    const again = "Running 1 after RestartingAllContainers";
    expect(shown(await statusOf(cluster))).toBe(
      `Running, regular ${again}, second ${again}, source ${again}`,
    );
  });

  test("in 1.35 with the gate, where their last state is not that of the action", async () => {
    const featureGates = {
      RestartAllContainersOnContainerExits: true,
      NodeDeclaredFeatures: true,
    };
    await using cluster = simulated({ release: "1.35", featureGates });
    cluster.pods.script({}, running());
    const broken = cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
    await run(cluster, { containers: [regular, source] });
    await advance(cluster, "5s");
    broken.remove();
    await advance(cluster, "1s");
    expect(shown(await statusOf(cluster))).toBe("Running, regular Running 1, source Running 1");
  });

  test("unless the pod is deleted meanwhile", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, running());
    cluster.pods.script({ container: "source" }, crashLoop({ exitCode: 42, after: "5s" }));
    await run(cluster, { containers: [regular, source] });
    await advance(cluster, "5s");
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    await expect(cluster.get("v1", "Pod", "web")).rejects.toThrow("not found");
  });
});

test("the end of a pod whose containers may all restart is no restart", async () => {
  await using cluster = simulated();
  cluster.pods.script({}, completes());
  await run(cluster, { containers: [source] });
  const status = await statusOf(cluster);
  expect([status.phase, conditionOf(status, "AllContainersRestarting")]).toMatchObject([
    "Succeeded",
    { status: "False", reason: "PodCompleted" },
  ]);
});

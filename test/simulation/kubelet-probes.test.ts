import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  neverReady,
  running,
  slowTermination,
  unhealthy,
} from "../../src/scenario/presets.ts";

const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, simulate: ["scheduler", "kubelets"], ...options });

const http = { httpGet: { path: "/", port: 80 } };

async function run(cluster: Cluster, container: object, spec: object = {}): Promise<void> {
  const containers = [{ name: "web", image: "nginx", ...container }];
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: { containers, ...spec },
  });
  await cluster.settle();
}

async function advance(cluster: Cluster, duration: string): Promise<void> {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

/** The phase, and each container: whether it is started, ready, and how often it was restarted. */
async function state(cluster: Cluster): Promise<string> {
  const { status = {} } = await cluster.get("v1", "Pod", "web");
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const shown = all.map(({ state, started, ready, restartCount }) => {
    const { waiting, terminated } = state ?? {};
    const isUp = started ? "started" : "starting";
    const what = waiting?.reason ?? terminated?.reason ?? (ready ? "ready" : isUp);
    return `${what} ${restartCount}`;
  });
  return [status.phase, ...shown].join(", ");
}

/** The Events about probes, with their counts. */
async function said(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const found = items.filter(({ reason }) => /Unhealthy|Killing|BackOff/.test(reason ?? ""));
  return found.map(({ type, reason, message, count }) => `${type} ${reason} ${count}: ${message}`);
}

describe("a probe that fails", () => {
  test("restarts the container if it is about liveness, with a back-off from the second time on", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy({ after: "5s" }));
    await run(cluster, { livenessProbe: { ...http, periodSeconds: 2, failureThreshold: 2 } });
    await advance(cluster, "6s");
    expect(await state(cluster)).toBe("Running, ready 0");
    await advance(cluster, "2s");
    expect(await state(cluster)).toBe("Running, ready 1");
    expect(await said(cluster)).toEqual([
      "Warning Unhealthy 2: Liveness probe failed: HTTP probe failed with statuscode: 500",
      "Normal Killing 1: Container web failed liveness probe, will be restarted",
    ]);
    await advance(cluster, "8s");
    expect(await state(cluster)).toBe("Running, CrashLoopBackOff 1");
    await advance(cluster, "10s");
    expect(await state(cluster)).toBe("Running, ready 2");
  });

  test("restarts a container that never starts", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy({ probe: "startup" }));
    const startupProbe = { tcpSocket: { port: 8080 }, initialDelaySeconds: 1, periodSeconds: 1 };
    await run(cluster, { startupProbe, livenessProbe: http });
    await advance(cluster, "2s");
    expect(await state(cluster)).toBe("Running, starting 0");
    await advance(cluster, "1s");
    expect(await state(cluster)).toBe("Running, starting 1");
    const { podIP } = (await cluster.get("v1", "Pod", "web")).status ?? {};
    expect(await said(cluster)).toEqual([
      `Warning Unhealthy 3: Startup probe failed: dial tcp ${podIP}:8080: connect: connection refused`,
      "Normal Killing 1: Container web failed startup probe, will be restarted",
    ]);
  });

  /** Upstream: pkg/probe/http, pkg/probe/tcp, pkg/probe/grpc, and `ResolveContainerPort` in pkg/probe/util.go. */
  test.each([
    ["over HTTP", http, "HTTP probe failed with statuscode: 500"],
    ["to a port", { tcpSocket: { port: 80 } }, "dial tcp ADDRESS:80: connect: connection refused"],
    ["to a named port", { tcpSocket: { port: "web" } }, "dial tcp ADDRESS:8080: connect: connection refused"],
    [
      "to a port of a host",
      { tcpSocket: { host: "10.0.0.9", port: 90 } },
      "dial tcp 10.0.0.9:90: connect: connection refused",
    ],
    [
      "to a port of a host with IPv6",
      { tcpSocket: { host: "fd00::1", port: 90 } },
      "dial tcp [fd00::1]:90: connect: connection refused",
    ],
    ["over gRPC", { grpc: { port: 90 } }, 'service unhealthy (responded with "NOT_SERVING")'],
    ["by a command", { exec: { command: ["ok"] } }, ""],
  ] as const)("%s says what it has met", async (_title, handler, expected) => {
    for (const script of [neverReady(), unhealthy({ probe: "readiness" })]) {
      await using cluster = simulated();
      cluster.pods.script({ name: "web" }, script);
      const ports = [{ name: "web", containerPort: 8080 }];
      await run(cluster, { ports, readinessProbe: handler });
      const { status } = await cluster.get("v1", "Pod", "web");
      const message = expected.replace("ADDRESS", status?.podIP ?? "none");
      expect(await said(cluster)).toEqual([`Warning Unhealthy 1: Readiness probe failed: ${message}`]);
    }
  });

  test("after the start is no failure of the start", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy({ probe: "startup", after: "5s" }));
    await run(cluster, { startupProbe: http });
    await advance(cluster, "1m");
    expect([await state(cluster), await said(cluster)]).toEqual(["Running, ready 0", []]);
  });

  test.each<[after: string, atFirst: string]>([
    ["0s", "Running, started 0"],
    ["15s", "Running, ready 0"],
  ])("takes the container out of service if it is about readiness, after %s", async (after, atFirst) => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy({ probe: "readiness", after, message: "busy" }));
    await run(cluster, { readinessProbe: http });
    expect(await state(cluster)).toBe(atFirst);
    await advance(cluster, "1m");
    expect(await state(cluster)).toBe("Running, started 0");
    expect(await said(cluster)).toEqual(["Warning Unhealthy 3: Readiness probe failed: busy"]);
  });

  test("takes the pod out of its conditions, and comes back with the end of the script", async () => {
    await using cluster = simulated();
    const script = cluster.pods.script({ name: "web" }, unhealthy({ probe: "readiness" }));
    await run(cluster, { readinessProbe: http });
    await advance(cluster, "1m");
    const ready = async () => {
      const { status } = await cluster.get("v1", "Pod", "web");
      return status?.conditions?.find(({ type }) => type === "Ready")?.status;
    };
    expect(await ready()).toBe("False");
    script.remove();
    await cluster.settle();
    expect(await ready()).toBe("True");
  });

  test("changes nothing without the probe", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy());
    await run(cluster, { readinessProbe: http });
    await advance(cluster, "5m");
    expect([await state(cluster), await said(cluster)]).toEqual(["Running, ready 0", []]);
  });

  test.each<[policy: string, ends: string, killing: string]>([
    ["OnFailure", "Running, ready 1", "Container web failed liveness probe, will be restarted"],
    ["Never", "Succeeded, Completed 0", "Container web failed liveness probe"],
  ])("with the policy %s", async (restartPolicy, ends, killing) => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, unhealthy());
    await run(cluster, { stdin: true, livenessProbe: { exec: { command: ["ok"] } } }, { restartPolicy });
    await advance(cluster, "20s");
    expect([await state(cluster), (await said(cluster)).at(-1)]).toEqual([
      ends,
      `Normal Killing 1: ${killing}`,
    ]);
  });

  test("ends a container that does not listen when the grace period of the probe is over", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, { ...unhealthy(), ...slowTermination(), name: "stuck" });
    await run(cluster, { livenessProbe: { ...http, failureThreshold: 1, terminationGracePeriodSeconds: 5 } });
    await advance(cluster, "4s");
    expect(await state(cluster)).toBe("Running, ready 0");
    await advance(cluster, "1s");
    const { status } = await cluster.get("v1", "Pod", "web");
    expect(status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 137 });
  });
});

describe("sidecars", () => {
  const initContainers = ["first", "second"].map((name) => ({ name, image: name, restartPolicy: "Always" }));

  test("of a deleted pod end after the others, the last one first", async () => {
    await using cluster = simulated();
    cluster.pods.script({ name: "web" }, slowTermination({ takes: "5s" }));
    cluster.pods.script({ container: /first|second/ }, slowTermination({ takes: "1s" }));
    await run(cluster, {}, { initContainers });
    await cluster.delete("v1", "Pod", "web");
    const seen: string[] = [];
    for (const step of ["0s", "5s", "1s"]) {
      await advance(cluster, step);
      seen.push(await state(cluster));
    }
    expect(seen).toEqual([
      "Running, ready 0, ready 0, ready 0",
      "Running, ready 0, ready 0, Completed 0",
      "Running, ready 0, Completed 0, Completed 0",
    ]);
    await advance(cluster, "1s");
    await expect(cluster.get("v1", "Pod", "web")).rejects.toThrow("not found");
  });

  test("of a pod whose work is done end in their time", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "second" }, slowTermination({ takes: "3s" }));
    await run(cluster, {}, { initContainers, restartPolicy: "Never" });
    expect(await state(cluster)).toBe("Running, ready 0, ready 0, Completed 0");
    await advance(cluster, "3s");
    expect(await state(cluster)).toBe("Succeeded, Completed 0, Completed 0, Completed 0");
  });

  test("of a pod whose work is done are not restarted while others terminate", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "web" }, completes({ after: "5s" }));
    cluster.pods.script({ container: /first|second/ }, slowTermination({ takes: "2s" }));
    await run(cluster, {}, { initContainers, restartPolicy: "Never" });
    const seen: string[] = [];
    for (const step of ["5s", "2s", "2s"]) {
      await advance(cluster, step);
      seen.push(await state(cluster));
    }
    expect(seen).toEqual([
      "Running, ready 0, ready 0, Completed 0",
      "Running, ready 0, Completed 0, Completed 0",
      "Succeeded, Completed 0, Completed 0, Completed 0",
    ]);
  });

  test("that are unhealthy are restarted, and keep no other container from its restart", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "first" }, unhealthy({ after: "5s" }));
    cluster.pods.script({ container: "web" }, crashLoop({ after: "22s" }));
    const [first, second] = initContainers;
    const livenessProbe = { ...http, failureThreshold: 1 };
    await run(cluster, {}, { initContainers: [{ ...first, livenessProbe }, second] });
    await advance(cluster, "10s");
    expect(await state(cluster)).toBe("Running, ready 1, ready 0, ready 0");
    await advance(cluster, "12s");
    expect(await state(cluster)).toBe("Running, CrashLoopBackOff 1, ready 0, ready 1");
    expect(await said(cluster)).toContain("Normal Killing 2: Init container first failed liveness probe");
  });
});

test("the readiness of a pod that terminates is probed, and nothing else", async () => {
  await using cluster = simulated();
  const [ready, live] = (["readiness", "liveness"] as const).map((probe) => ({
    ...unhealthy({ probe, after: "5s" }),
    ...slowTermination({ takes: "20s" }),
    name: "stuck",
  }));
  if (ready) cluster.pods.script({ container: "web" }, ready);
  if (live) cluster.pods.script({ container: "other" }, live);
  const probe = { ...http, periodSeconds: 1 };
  const other = { name: "other", image: "nginx", livenessProbe: probe };
  await run(cluster, {}, { containers: [{ name: "web", image: "nginx", readinessProbe: probe }, other] });
  await cluster.delete("v1", "Pod", "web");
  await advance(cluster, "10s");
  expect(await state(cluster)).toBe("Running, ready 0, started 0");
  expect(await said(cluster)).toEqual([
    "Normal Killing 1: Stopping container web",
    "Normal Killing 1: Stopping container other",
    "Warning Unhealthy 3: Readiness probe failed: HTTP probe failed with statuscode: 500",
  ]);
});

test("a pod whose deadline is over is Failed once its containers have ended", async () => {
  await using cluster = simulated();
  cluster.pods.script({ name: "web" }, slowTermination({ takes: "4s" }));
  await run(cluster, {}, { activeDeadlineSeconds: 10 });
  await advance(cluster, "10s");
  expect(await state(cluster)).toBe("Running, ready 0");
  await advance(cluster, "4s");
  expect(await state(cluster)).toBe("Failed, Completed 0");
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.reason).toBe("DeadlineExceeded");
});

describe("the user of a container", () => {
  const securityContext = { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000] };

  test.each([
    ["1.32", {}, {}, undefined],
    ["1.33", {}, {}, { uid: 0, gid: 0, supplementalGroups: [0] }],
    ["1.33", { securityContext }, {}, { uid: 1000, gid: 3000, supplementalGroups: [3000, 2000, 4000] }],
    [
      "1.35",
      { securityContext },
      { securityContext: { runAsUser: 5, runAsGroup: 6 } },
      { uid: 5, gid: 6, supplementalGroups: [6, 2000, 4000] },
    ],
  ] as const)("in %s of %j and %j", async (release, spec, container, linux) => {
    await using cluster = simulated({ release });
    cluster.pods.script({}, running());
    await run(cluster, container, spec);
    const { status } = await cluster.get("v1", "Pod", "web");
    expect(status?.containerStatuses?.[0]?.user).toEqual(linux && { linux });
    const node = await cluster.get("v1", "Node", "node-1");
    expect(node.status?.features).toEqual(linux && { supplementalGroupsPolicy: true });
  });
});

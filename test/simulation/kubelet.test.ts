import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  evicted,
  imagePullBackOff,
  neverReady,
  nodeLost,
  oomKilled,
  running,
  slowTermination,
} from "../../src/scenario/presets.ts";

/** A cluster with a standing clock. */
const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, simulate: ["scheduler", "kubelets"], ...options });

function pod(name: string, spec: object = {}, labels = {}): object {
  const containers = [{ name: "web", image: "nginx:1" }];
  const metadata = { name, namespace: "default", labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } };
}

async function run(cluster: Cluster, ...manifests: readonly object[]): Promise<void> {
  for (const manifest of manifests) await cluster.create(manifest);
  await cluster.settle();
}

async function advance(cluster: Cluster, duration: string): Promise<void> {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

/** The phase, and the state of each container: a reason, or how it runs. */
async function state(cluster: Cluster, name = "web"): Promise<readonly unknown[]> {
  const { status } = await cluster.get("v1", "Pod", name);
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return [
    status?.phase,
    ...all.map(({ state, ready, restartCount }) => {
      const { waiting, terminated } = state ?? {};
      const what = waiting?.reason ?? terminated?.reason ?? (ready ? "ready" : "running");
      return restartCount === 0 ? what : `${what} after ${restartCount}`;
    }),
  ];
}

/** The condition of a type: its status and reason. */
async function condition(cluster: Cluster, type: string, name = "web"): Promise<string> {
  const { status } = await cluster.get("v1", "Pod", name);
  const found = status?.conditions?.find((one) => one.type === type);
  return [found?.status, found?.reason, found?.message].filter(Boolean).join(" ");
}

async function events(cluster: Cluster, name = "web"): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const ofPod = items.filter(({ involvedObject }) => involvedObject.name === name);
  return ofPod.map(({ reason, message }) => `${reason}: ${message}`);
}

test("a pod is created, then running and ready, with the events of a kubelet", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const phases: unknown[] = [];
  const watch = cluster.watch("v1", "Pod");
  const seen = (async () => {
    for await (const { object } of watch) {
      phases.push([object.status?.phase, object.status?.containerStatuses?.[0]?.state?.waiting?.reason]);
      if (object.status?.phase === "Running") return;
    }
  })();
  await run(cluster, pod("web"));
  await seen;
  expect(phases).toEqual([
    ["Pending", undefined],
    ["Pending", undefined],
    ["Pending", "ContainerCreating"],
    ["Running", undefined],
  ]);
  expect(await events(cluster)).toEqual([
    expect.stringMatching(/^Scheduled: Successfully assigned default\/web to node-\d$/),
    'Pulling: Pulling image "nginx:1"',
    expect.stringMatching(
      /^Pulled: Successfully pulled image "nginx:1" in 0s \(0s including waiting\)\. Image size: \d+ bytes\.$/,
    ),
    expect.stringMatching(/^Created: Created container:? web$/),
    "Started: Started container web",
  ]);
  const { status, spec } = await cluster.get("v1", "Pod", "web");
  const node = await cluster.get("v1", "Node", spec?.nodeName ?? "");
  expect(status?.hostIP).toBe(node.status?.addresses?.[0]?.address);
  expect(status?.podIP).toBe(node.spec?.podCIDR?.replace("0/24", "2"));
  expect(status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
    "PodReadyToStartContainers True",
    "Initialized True",
    "Ready True",
    "ContainersReady True",
    "PodScheduled True",
  ]);
  expect(status?.containerStatuses?.[0]).toMatchObject({
    name: "web",
    ready: true,
    started: true,
    restartCount: 0,
    image: "docker.io/library/nginx:1",
    imageID: expect.stringMatching(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/),
    containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
    state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
  });
});

test("the second pod on a node finds the image there", async () => {
  await using cluster = simulated();
  const spec = { nodeName: "node-1" };
  await run(cluster, pod("web", spec), pod("second", spec));
  expect((await events(cluster, "second"))[0]).toBe(
    'Pulled: Container image "nginx:1" already present on machine',
  );
});

describe("init containers", () => {
  test("run in order, each until it has ended", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: /^init/ }, completes({ after: "5s" }));
    const initContainers = ["init-a", "init-b"].map((name) => ({ name, image: "busybox" }));
    await run(cluster, pod("web", { initContainers }));
    expect(await state(cluster)).toEqual(["Pending", "running", "PodInitializing", "PodInitializing"]);
    expect(await condition(cluster, "Initialized")).toBe(
      "False ContainersNotInitialized containers with incomplete status: [init-a init-b]",
    );
    await advance(cluster, "5s");
    expect(await state(cluster)).toEqual(["Pending", "Completed", "running", "PodInitializing"]);
    await advance(cluster, "5s");
    expect(await state(cluster)).toEqual(["Running", "Completed", "Completed", "ready"]);
  });

  test("that restart always are sidecars, and stop when the work is done", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "web" }, completes({ after: "5s" }));
    const initContainers = [{ name: "proxy", image: "envoy", restartPolicy: "Always" }];
    await run(cluster, pod("web", { initContainers, restartPolicy: "Never" }));
    expect(await state(cluster)).toEqual(["Running", "ready", "ready"]);
    await advance(cluster, "5s");
    expect(await state(cluster)).toEqual(["Succeeded", "Completed", "Completed"]);
  });

  test("that fail keep the pod pending, or end it if it never restarts", async () => {
    await using cluster = simulated();
    cluster.pods.script({ container: "init" }, crashLoop());
    const initContainers = [{ name: "init", image: "busybox" }];
    await run(
      cluster,
      pod("web", { initContainers }),
      pod("once", { initContainers, restartPolicy: "Never" }),
    );
    expect(await state(cluster)).toEqual(["Pending", "CrashLoopBackOff after 1", "PodInitializing"]);
    expect(await state(cluster, "once")).toEqual(["Failed", "Error", "PodInitializing"]);
  });
});

test("probes delay readiness, and readiness gates wait for their conditions", async () => {
  await using cluster = simulated();
  const readinessProbe = { httpGet: { port: 80 }, initialDelaySeconds: 5 };
  const startupProbe = { httpGet: { port: 80 }, initialDelaySeconds: 3 };
  const containers = [{ name: "web", image: "nginx", readinessProbe, startupProbe }];
  await run(cluster, pod("web", { containers, readinessGates: [{ conditionType: "example.com/gate" }] }));
  expect(await condition(cluster, "Ready")).toBe(
    "False ContainersNotReady containers with unready status: [web]",
  );
  await advance(cluster, "3s");
  expect(await state(cluster)).toEqual(["Running", "running"]);
  await advance(cluster, "5s");
  expect(await state(cluster)).toEqual(["Running", "ready"]);
  expect(await condition(cluster, "Ready")).toBe(
    'False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/gate" does not exist.',
  );
  const { status } = await cluster.get("v1", "Pod", "web");
  const conditions = [...(status?.conditions ?? []), { type: "example.com/gate", status: "True" }];
  await cluster.patch("v1", "Pod", "web", { status: { conditions } }, { subresource: "status" });
  await cluster.settle();
  expect(await condition(cluster, "Ready")).toBe("True");
});

describe("without a script", () => {
  test.each([
    ["stays", {}, ["Running", "ready"]],
    ["ends at once if it never restarts", { restartPolicy: "Never" }, ["Succeeded", "Completed"]],
    ["ends at once if it restarts on failure", { restartPolicy: "OnFailure" }, ["Succeeded", "Completed"]],
    [
      "waits for its input",
      { restartPolicy: "Never", containers: [{ name: "web", image: "busybox", stdin: true }] },
      ["Running", "ready"],
    ],
  ])("a pod %s", async (_title, spec, expected) => {
    await using cluster = simulated();
    await run(cluster, pod("web", spec));
    expect(await state(cluster)).toEqual(expected);
  });
});

describe("a script", () => {
  test("of running pods decides when they are ready", async () => {
    await using cluster = simulated();
    cluster.pods.script({ image: /nginx/ }, running({ readyAfter: "2s", pullTakes: "3s" }));
    await run(cluster, pod("web"));
    expect(await state(cluster)).toEqual(["Pending", "ContainerCreating"]);
    await advance(cluster, "3s");
    expect(await state(cluster)).toEqual(["Running", "running"]);
    await advance(cluster, "2s");
    expect(await state(cluster)).toEqual(["Running", "ready"]);
    expect((await events(cluster))[2]).toContain(
      'Successfully pulled image "nginx:1" in 3s (3s including waiting)',
    );
  });

  test("lets containers crash, with increasing delays", async () => {
    await using cluster = simulated();
    const handle = cluster.pods.script({ labels: { app: "web" } }, crashLoop({ exitCode: 3 }));
    await run(cluster, pod("web", {}, { app: "web" }), pod("other"));
    expect([await state(cluster), await state(cluster, "other")]).toEqual([
      ["Running", "CrashLoopBackOff after 1"],
      ["Running", "ready"],
    ]);
    const { status, metadata } = await cluster.get("v1", "Pod", "web");
    const [{ state: now, lastState } = {}] = status?.containerStatuses ?? [];
    expect(now?.waiting?.message).toBe(
      `back-off 10s restarting failed container=web pod=web_default(${metadata?.uid})`,
    );
    expect(lastState?.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
    expect(await events(cluster)).toContain(
      `BackOff: Back-off restarting failed container web in pod web_default(${metadata?.uid})`,
    );
    await advance(cluster, "9s");
    expect(await state(cluster)).toEqual(["Running", "CrashLoopBackOff after 1"]);
    await advance(cluster, "1s");
    expect(await state(cluster)).toEqual(["Running", "CrashLoopBackOff after 2"]);
    handle.remove();
    await advance(cluster, "20s");
    expect(await state(cluster)).toEqual(["Running", "ready after 3"]);
  });

  test("follows a script that comes while another one is taken in", async () => {
    for (let turns = 0; turns < 12; turns++) {
      await using cluster = simulated();
      cluster.pods.script({}, completes({ after: "7s" }));
      await run(cluster, ...["a", "b", "c"].map((name) => pod(name, { restartPolicy: "Never" })));
      cluster.pods.script({}, running());
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      cluster.pods.script({}, completes({ after: "7s" }));
      await advance(cluster, "7s");
      const { items } = await cluster.list("v1", "Pod");
      expect(items.map(({ status }) => status?.phase)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
    }
  });

  test("repeats Events, also those that were deleted", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, crashLoop());
    await run(cluster, pod("web"));
    const backOffs = async () => {
      const { items } = await cluster.list("v1", "Event", { namespace: "default" });
      return items
        .filter(({ reason }) => reason === "BackOff")
        .map((event) => [event.metadata.name, event.count, event.firstTimestamp]);
    };
    const [[name, , time] = []] = await backOffs();
    await advance(cluster, "10s");
    expect(await backOffs()).toEqual([[name, 2, time]]);
    await cluster.delete("v1", "Event", String(name));
    await advance(cluster, "20s");
    expect(await backOffs()).toEqual([[name, 3, time]]);
  });

  test("lets images be missing in their registry by default", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, imagePullBackOff());
    await run(cluster, pod("web", { containers: [{ name: "web", image: "nginx:nope" }] }));
    const name = "docker.io/library/nginx:nope";
    const missing = `failed to resolve reference "${name}": ${name}: not found`;
    const message = `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": ${missing}`;
    expect(await events(cluster)).toContain(`Failed: Failed to pull image "nginx:nope": ${message}`);
  });

  test("lets images fail, until it ends", async () => {
    await using cluster = simulated();
    const handle = cluster.pods.script({ name: "web" }, imagePullBackOff({ message: "no such image" }));
    await run(cluster, pod("web"));
    expect(await state(cluster)).toEqual(["Pending", "ImagePullBackOff"]);
    expect((await events(cluster)).slice(1)).toEqual([
      'Pulling: Pulling image "nginx:1"',
      'Failed: Failed to pull image "nginx:1": no such image',
      "Failed: Error: ErrImagePull",
      'BackOff: Back-off pulling image "nginx:1"',
      "Failed: Error: ImagePullBackOff",
    ]);
    handle.remove();
    await cluster.settle();
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });

  test("of a missing image tells pods that never pull from others", async () => {
    await using cluster = simulated();
    const handle = cluster.pods.script({ name: "web" }, imagePullBackOff());
    await run(cluster, pod("web", { containers: [{ name: "web", image: "a", imagePullPolicy: "Never" }] }));
    expect(await state(cluster)).toEqual(["Pending", "ErrImageNeverPull"]);
    expect((await events(cluster)).slice(1)).toEqual([
      'ErrImageNeverPull: Container image "a" is not present with pull policy of Never',
      "Failed: Error: ErrImageNeverPull",
    ]);
    handle.remove();
    await cluster.settle();
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });

  test.each([
    ["oomKilled", () => oomKilled(), ["Failed", "OOMKilled"]],
    ["crashLoop of a pod that never restarts", () => crashLoop(), ["Failed", "Error"]],
    ["neverReady", () => neverReady(), ["Running", "running"]],
    ["evicted", () => evicted(), ["Failed", "ContainerStatusUnknown"]],
  ])("%s", async (_title, life, expected) => {
    await using cluster = simulated();
    cluster.pods.script({ annotations: { a: "b" } }, life());
    const manifest = pod("web", { restartPolicy: "Never" }) as { metadata: object };
    await run(cluster, { ...manifest, metadata: { ...manifest.metadata, annotations: { a: "b" } } });
    expect(await state(cluster)).toEqual(expected);
  });

  test("that is added later counts for pods that run, and the latest one counts", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, running());
    await run(cluster, pod("web"));
    {
      using _script = cluster.pods.script({ namespace: "default" }, neverReady());
      await cluster.settle();
      expect(await state(cluster)).toEqual(["Running", "running"]);
    }
    await cluster.settle();
    expect(await state(cluster)).toEqual(["Running", "ready"]);
    cluster.pods.script({ node: /^node-/ }, evicted({ after: "10s", message: "no room" }));
    await advance(cluster, "10s");
    const { status } = await cluster.get("v1", "Pod", "web");
    expect(status).toMatchObject({ phase: "Failed", reason: "Evicted", message: "no room" });
    expect(await condition(cluster, "DisruptionTarget")).toBe("True TerminationByKubelet no room");
  });

  test("with a mistake is an error that names what was meant", () => {
    const cluster = simulated();
    // @ts-expect-error: the compiler sees it too
    expect(() => cluster.pods.script({ imagee: "nginx" }, running())).toThrow('did you mean "image"?');
    // @ts-expect-error: the compiler sees it too
    expect(() => running({ readyafter: "2s" })).toThrow('did you mean "readyAfter"?');
    expect(() => crashLoop({ after: "soon" })).toThrow(
      'crashLoop: after must be milliseconds, or a duration such as "2s"',
    );
    // @ts-expect-error: the compiler sees it too
    expect(() => cluster.pods.script({}, "running")).toThrow("the second argument must be a script");
  });
});

describe("a node that is lost", () => {
  test("is unknown after its grace period, and comes back", async () => {
    await using cluster = simulated();
    const handle = cluster.pods.script({ name: "web" }, nodeLost());
    await run(cluster, pod("web", { nodeName: "node-2" }));
    const ready = async () => {
      const { status, spec } = await cluster.get("v1", "Node", "node-2");
      return [
        status?.conditions?.find(({ type }) => type === "Ready")?.reason,
        ...(spec?.taints ?? []).map(({ effect }) => effect),
      ];
    };
    expect(await ready()).toEqual(["KubeletReady"]);
    await cluster.delete("v1", "Pod", "web");
    await advance(cluster, "50s");
    expect(await ready()).toEqual(["NodeStatusUnknown", "NoSchedule"]);
    expect((await cluster.get("v1", "Pod", "web")).metadata?.deletionTimestamp).toBeDefined();
    await run(cluster, pod("late", { nodeName: "node-2" }));
    expect(await state(cluster, "late")).toEqual(["Pending"]);
    handle.remove();
    await cluster.settle();
    expect(await ready()).toEqual(["KubeletReady"]);
    expect(await state(cluster, "late")).toEqual(["Running", "ready"]);
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const again = items.filter((event) => event.involvedObject.name === "node-2" && event.count === 2);
    expect(again.map(({ reason }) => reason)).toEqual([
      "NodeHasSufficientMemory",
      "NodeHasNoDiskPressure",
      "NodeHasSufficientPID",
      "NodeReady",
    ]);
    await expect(cluster.get("v1", "Pod", "web")).rejects.toThrow("not found");
  });
});

describe("what a pod needs", () => {
  test("is waited for: a key that an object has only of its prototype", async () => {
    await using cluster = simulated();
    const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
    await run(cluster, { ...settings, data: { b: "" } });
    const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "settings", key: "constructor" } } }];
    await run(cluster, pod("web", { containers: [{ name: "constructor", image: "nginx", env }] }));
    expect(await events(cluster)).toContain(
      "Failed: Error: couldn't find key constructor in ConfigMap default/settings",
    );
    await cluster.patch("v1", "ConfigMap", "settings", { data: { constructor: "1" } });
    await cluster.settle();
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });

  test("is waited for: ConfigMaps and Secrets of the environment", async () => {
    await using cluster = simulated();
    const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "settings", key: "a" } } }];
    await run(cluster, pod("web", { containers: [{ name: "web", image: "nginx", env }] }));
    expect(await state(cluster)).toEqual(["Pending", "CreateContainerConfigError"]);
    expect(await events(cluster)).toContain('Failed: Error: configmap "settings" not found');
    const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
    await run(cluster, { ...settings, data: { b: "" } });
    expect(await events(cluster)).toContain(
      "Failed: Error: couldn't find key a in ConfigMap default/settings",
    );
    await cluster.patch("v1", "ConfigMap", "settings", { data: { a: "1" } });
    await cluster.settle();
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });

  test("holds up its container only, whose image is pulled once meanwhile", async () => {
    await using cluster = simulated();
    const envFrom = [{ configMapRef: { name: "settings" } }];
    const containers = [
      { name: "web", image: "nginx", envFrom },
      { name: "side", image: "envoy:1" },
    ];
    await run(cluster, pod("web", { containers }));
    expect(await state(cluster)).toEqual(["Pending", "ready", "CreateContainerConfigError"]);
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const pulls = items.filter(({ message }) => message?.includes('"nginx"'));
    expect(pulls.map(({ reason, count }) => [reason, count])).toEqual([
      ["Pulling", 1],
      ["Pulled", 1],
    ]);
  });

  test("is waited for: volumes", async () => {
    await using cluster = simulated();
    const volumeMounts = [{ name: "keys", mountPath: "/keys" }];
    const containers = [{ name: "web", image: "nginx", volumeMounts }];
    const volumes = [{ name: "keys", secret: { secretName: "keys" } }];
    await run(cluster, pod("web", { containers, volumes }));
    expect(await state(cluster)).toEqual(["Pending", "ContainerCreating"]);
    expect(await events(cluster)).toContain(
      'FailedMount: MountVolume.SetUp failed for volume "keys" : secret "keys" not found',
    );
    await run(cluster, { apiVersion: "v1", kind: "Secret", metadata: { name: "keys" } });
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });

  test("is waited for: a node of kubedouble", async () => {
    await using cluster = simulated();
    await run(cluster, pod("web", { nodeName: "late" }));
    expect(await state(cluster)).toEqual(["Pending"]);
    await cluster.addNode({ name: "late" });
    expect(await state(cluster)).toEqual(["Running", "ready"]);
  });
});

test("a pod whose deadline is over fails", async () => {
  await using cluster = simulated();
  await run(cluster, pod("web", { activeDeadlineSeconds: 30 }));
  await advance(cluster, "30s");
  const { status } = await cluster.get("v1", "Pod", "web");
  const message = "Pod was active on the node longer than the specified deadline";
  expect(status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded", message });
});

describe("a pod that is deleted", () => {
  const isGone = (cluster: Cluster) =>
    cluster.get("v1", "Pod", "web").then(
      () => false,
      () => true,
    );

  test("goes at once, and says so", async () => {
    await using cluster = simulated();
    await run(cluster, pod("web"));
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    expect([await isGone(cluster), (await events(cluster)).at(-1)]).toEqual([
      true,
      "Killing: Stopping container web",
    ]);
  });

  test("without a grace period says so, too, once", async () => {
    await using cluster = simulated();
    await run(cluster, pod("web"), pod("other"));
    await cluster.delete("v1", "Pod", "other");
    await cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 });
    await cluster.settle();
    for (const name of ["web", "other"]) {
      const killing = (await events(cluster, name)).filter((event) => event.startsWith("Killing"));
      expect(killing).toEqual(["Killing: Stopping container web"]);
    }
  });

  test("goes if it is evicted, which are two changes at once", async () => {
    await using cluster = simulated();
    await run(cluster, pod("web"));
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
    await cluster.create(eviction, { subresource: "eviction" });
    await cluster.settle();
    expect([await isGone(cluster), (await events(cluster)).at(-1)]).toEqual([
      true,
      "Killing: Stopping container web",
    ]);
  });

  test("waits for its hook, its containers and its grace period", async () => {
    await using cluster = simulated();
    const lifecycle = { preStop: { sleep: { seconds: 4 } } };
    const containers = [{ name: "web", image: "nginx", lifecycle }];
    await run(cluster, pod("web", { containers }));
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    await advance(cluster, "3s");
    expect(await isGone(cluster)).toBe(false);
    await advance(cluster, "1s");
    expect(await isGone(cluster)).toBe(true);
  });

  test("has a whole grace period again if it is deleted with a shorter one", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, slowTermination());
    await run(cluster, pod("web"));
    await cluster.delete("v1", "Pod", "web");
    await advance(cluster, "5s");
    await cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 7 });
    await advance(cluster, "6s");
    expect(await isGone(cluster)).toBe(false);
    await advance(cluster, "1s");
    expect(await isGone(cluster)).toBe(true);
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    expect(items.find(({ reason }) => reason === "Killing")?.count).toBe(2);
  });

  test("is killed when its grace period is over", async () => {
    await using cluster = simulated();
    cluster.pods.script({}, slowTermination());
    await run(cluster, pod("web", { terminationGracePeriodSeconds: 20 }));
    const deleted: unknown[] = [];
    const { metadata } = await cluster.list("v1", "Pod", { namespace: "default" });
    const watch = cluster.watch("v1", "Pod", { resourceVersion: metadata.resourceVersion ?? "" });
    const seen = (async () => {
      for await (const { type, object } of watch) {
        deleted.push([
          type,
          object.status?.phase,
          object.status?.containerStatuses?.[0]?.state?.terminated?.exitCode,
        ]);
        if (type === "DELETED") return;
      }
    })();
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    await advance(cluster, "20s");
    await seen;
    expect(deleted).toEqual([
      ["MODIFIED", "Running", undefined],
      ["MODIFIED", "Failed", 137],
      // The final delete first sets a grace period of 0.
      ["MODIFIED", "Failed", 137],
      ["DELETED", "Failed", 137],
    ]);
  });
});

test("a fork goes on by itself, in the middle of a start", async () => {
  await using cluster = simulated();
  cluster.pods.script({ image: /nginx/ }, running({ readyAfter: "10s" }));
  await run(cluster, pod("web"));
  await advance(cluster, "4s");
  await using fork = cluster.fork();
  await advance(fork, "6s");
  expect([await state(fork), await state(cluster)]).toEqual([
    ["Running", "ready"],
    ["Running", "running"],
  ]);
  await run(fork, pod("second"));
  await advance(fork, "10s");
  expect(await state(fork, "second")).toEqual(["Running", "ready"]);
});

test("the same seed gives the same pods on the same nodes, with the same identities", async () => {
  const story = async () => {
    await using cluster = simulated();
    await run(cluster, ...["a", "b", "c", "d"].map((name) => pod(name)));
    return (await cluster.list("v1", "Pod")).items;
  };
  expect(await story()).toEqual(await story());
});

test("the scheduler and the kubelets need no more than the rights of their users", async () => {
  await using cluster = simulated({ authorizationMode: ["Node", "RBAC"] });
  await run(cluster, pod("web"), pod("gone"));
  expect([await state(cluster), await events(cluster)]).toMatchObject([["Running", "ready"], { length: 5 }]);
  await cluster.delete("v1", "Pod", "gone");
  await cluster.settle();
  await expect(cluster.get("v1", "Pod", "gone")).rejects.toThrow("not found");
});

test("pods run on under a server of another release, and terminate there", async () => {
  await using cluster = simulated({ release: "1.32" });
  const spec = { nodeName: "node-2" };
  await run(cluster, pod("web", spec));
  const { status } = await cluster.get("v1", "Pod", "web");
  await cluster.upgrade("1.33");
  await run(cluster, pod("second", spec));
  const web = await cluster.get("v1", "Pod", "web");
  const second = await cluster.get("v1", "Pod", "second");
  // The kubelet of 1.33 reports fields that the one of 1.32 does not know.
  expect(web.status?.containerStatuses).toMatchObject(status?.containerStatuses ?? []);
  expect([web.status?.podIP, second.status?.podIP]).toEqual(["10.244.1.2", "10.244.1.3"]);
  await cluster.delete("v1", "Pod", "web");
  await cluster.settle();
  await expect(cluster.get("v1", "Pod", "web")).rejects.toThrow("not found");
});

import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  evicted,
  imagePullBackOff,
  type PodLife,
  slowTermination,
} from "../../src/scenario/presets.ts";

/** A cluster with a standing clock. */
const simulated = (options: ClusterOptions = {}) => createCluster({ seed: 1, simulate: true, ...options });

async function run(cluster: Cluster, name: string, spec: object = {}): Promise<void> {
  const containers = [{ name: "web", image: "nginx:1" }];
  const metadata = { name, namespace: "default" };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } });
  await cluster.settle();
}

async function statusOf(cluster: Cluster, name = "web") {
  return (await cluster.get("v1", "Pod", name)).status;
}

/** Upstream: pkg/kubelet/images/image_manager.go and pkg/kubelet/kuberuntime/kuberuntime_container.go of these releases. */
test.each([
  ["1.29", "in 0s (0s including waiting)", "Created container web", "Started container web", "", ""],
  [
    "1.31",
    "in 0s (0s including waiting). Image size: 50000000 bytes.",
    "Created container web",
    "Started container web",
    "",
    "",
  ],
  [
    "1.32",
    "in 0s (0s including waiting). Image size: 50000000 bytes.",
    "Created container: web",
    "Started container web",
    "",
    ": ErrImagePull: gone",
  ],
  [
    "1.34",
    "in 0s (0s including waiting). Image size: 50000000 bytes.",
    "Created container: web",
    "Started container web",
    "",
    ": ErrImagePull: gone",
  ],
  [
    "1.35",
    "in 0s (0s including waiting). Image size: 50000000 bytes.",
    "Container created",
    "Container started",
    " and can be accessed by the pod",
    ": ErrImagePull: gone",
  ],
] as const)("the texts of the kubelet of %s", async (release, pulled, created, started, access, cause) => {
  await using cluster = simulated({ release });
  cluster.pods.script({ name: "broken" }, imagePullBackOff({ message: "gone" }));
  const spec = { nodeName: "node-1" };
  for (const name of ["first", "second", "broken"]) await run(cluster, name, spec);
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const said = (name: string) =>
    items.filter(({ involvedObject }) => involvedObject.name === name).map(({ message }) => message);
  expect(said("first")).toEqual([
    'Pulling image "nginx:1"',
    `Successfully pulled image "nginx:1" ${pulled}`,
    created,
    started,
  ]);
  expect(said("second")[0]).toBe(`Container image "nginx:1" already present on machine${access}`);
  const broken = await statusOf(cluster, "broken");
  expect(broken?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
    `Back-off pulling image "nginx:1"${cause}`,
  );
});

/** Upstream: `convertToAPIContainerStatuses` (pkg/kubelet/kubelet_pods.go) and pkg/kubelet/status/generate.go. */
test.each([
  ["1.30", ["volumeMounts", "resources", "allocatedResources"], undefined],
  ["1.31", ["resources", "allocatedResources"], undefined],
  ["1.33", [], undefined],
  ["1.34", [], 1],
] as const)("the fields of the kubelet of %s", async (release, missing, generation) => {
  await using cluster = simulated({ release });
  const resources = { requests: { cpu: "100m" }, limits: { memory: "64Mi" } };
  const volumeMounts = [
    { name: "data", mountPath: "/data" },
    { name: "data", mountPath: "/read", readOnly: true },
    { name: "data", mountPath: "/all", readOnly: true, recursiveReadOnly: "IfPossible" },
  ];
  await run(cluster, "web", {
    containers: [{ name: "web", image: "nginx:1", resources, volumeMounts }],
    volumes: [{ name: "data", emptyDir: {} }],
    automountServiceAccountToken: false,
  });
  const status = await statusOf(cluster);
  const reported = {
    allocatedResources: { cpu: "100m", memory: "64Mi" },
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "64Mi" } },
    volumeMounts: [
      { name: "data", mountPath: "/data" },
      { name: "data", mountPath: "/read", readOnly: true, recursiveReadOnly: "Disabled" },
      { name: "data", mountPath: "/all", readOnly: true, recursiveReadOnly: "Enabled" },
    ],
  };
  const expected = Object.entries(reported).filter(([field]) => !missing.some((one) => one === field));
  const [container] = status?.containerStatuses ?? [];
  expect(container).toMatchObject(Object.fromEntries(expected));
  for (const field of missing) expect(container).not.toHaveProperty([field]);
  const generations = status?.conditions?.map((one) => one.observedGeneration);
  expect([status?.observedGeneration, new Set(generations)]).toEqual([generation, new Set([generation])]);
});

/** Upstream: generateAPIPodStatus (pkg/kubelet/kubelet_pods.go). */
test("a pod on the network of its host has its address from the first status on", async () => {
  await using cluster = simulated();
  const watch = cluster.watch("v1", "Pod");
  const seen = (async () => {
    for await (const { object } of watch) {
      const { containerStatuses, hostIP, podIP } = object.status ?? {};
      if (containerStatuses?.[0]?.state?.waiting) return [podIP, hostIP];
    }
    return [];
  })();
  await run(cluster, "web", { hostNetwork: true, nodeName: "node-1" });
  expect(await seen).toEqual(["172.18.0.2", "172.18.0.2"]);
});

/** Upstream: mergePodStatus (pkg/kubelet/status/status_manager.go). */
test.each<[title: string, life: PodLife, spec: object, before: readonly string[], after: readonly string[]]>([
  [
    "is over its deadline is not ready",
    slowTermination({ takes: "4s" }),
    { activeDeadlineSeconds: 5 },
    ["Running", "Ready False PodFailed"],
    ["Failed DeadlineExceeded", "Ready False PodFailed"],
  ],
  [
    "is evicted is as before",
    { ...slowTermination({ takes: "1s" }), ...evicted({ after: "5s", message: "full" }), name: "leaves" },
    {},
    ["Running", "Ready True"],
    ["Failed Evicted", "DisruptionTarget True TerminationByKubelet", "Ready False PodFailed"],
  ],
  [
    "cannot be initialized is not ready",
    slowTermination({ takes: "4s" }),
    {
      restartPolicy: "Never",
      initContainers: [
        { name: "sidecar", image: "nginx:1", restartPolicy: "Always" },
        { name: "init", image: "busybox" },
      ],
    },
    ["Pending", "Ready False PodFailed"],
    ["Failed", "Ready False PodFailed"],
  ],
])("until its containers have ended, a pod that %s", async (_title, life, spec, before, after) => {
  await using cluster = simulated();
  cluster.pods.script({}, life);
  cluster.pods.script({ container: "init" }, crashLoop({ after: "5s" }));
  await run(cluster, "web", spec);
  const shown = async () => {
    const { phase, reason, conditions = [] } = (await statusOf(cluster)) ?? {};
    const found = conditions.filter(({ type }) => type === "Ready" || type === "DisruptionTarget");
    const words = [[phase, reason], ...found.map((one) => [one.type, one.status, one.reason])];
    return words.map((each) => each.filter(Boolean).join(" "));
  };
  await cluster.clock.advance("5s");
  expect(await shown()).toEqual(before);
  await cluster.clock.advance("4s");
  expect(await shown()).toEqual(after);
});

describe("the status of a pod", () => {
  test("has the statuses of its containers by name, those of init containers in their order", async () => {
    await using cluster = simulated();
    const named = (...names: readonly string[]) => names.map((name) => ({ name, image: "nginx:1" }));
    await run(cluster, "web", { initContainers: named("z", "a"), containers: named("web", "app") });
    const status = await statusOf(cluster);
    expect(status?.initContainerStatuses?.map(({ name }) => name)).toEqual(["z", "a"]);
    expect(status?.containerStatuses?.map(({ name }) => name)).toEqual(["app", "web"]);
  });

  test("has the conditions of others first", async () => {
    await using cluster = simulated();
    await run(cluster, "web", { readinessGates: [{ conditionType: "example.com/gate" }] });
    const own = { type: "example.com/gate", status: "True" };
    const { conditions = [] } = (await statusOf(cluster)) ?? {};
    const status = { conditions: [...conditions, own] };
    await cluster.patch("v1", "Pod", "web", { status }, { subresource: "status" });
    await cluster.settle();
    const after = await statusOf(cluster);
    expect(after?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
      "example.com/gate True",
      "PodReadyToStartContainers True",
      "Initialized True",
      "Ready True",
      "ContainersReady True",
      "PodScheduled True",
    ]);
  });

  const both = [
    { name: "web", image: "nginx:1" },
    { name: "other", image: "other:1" },
  ];
  /** Upstream: the cases of `getPhase` in pkg/kubelet/kubelet_pods_test.go. */
  test.each([
    ["one waits for its image", "Always", imagePullBackOff(), "Pending"],
    ["one waits for a restart", "Always", crashLoop(), "Running"],
    ["one has ended for good", "Never", completes(), "Running"],
    ["one has failed for good", "Never", crashLoop(), "Running"],
    ["one is restarted after a failure", "OnFailure", crashLoop(), "Running"],
  ] as const)("has a phase by its containers: %s", async (_title, restartPolicy, life, phase) => {
    await using cluster = simulated();
    cluster.pods.script({ container: "other" }, life);
    const stays = { name: "web", image: "nginx:1", stdin: true };
    await run(cluster, "web", { restartPolicy, containers: [stays, both[1]] });
    expect((await statusOf(cluster))?.phase).toBe(phase);
  });

  test.each([
    ["Never", completes(), "Succeeded"],
    ["Never", crashLoop(), "Failed"],
    ["OnFailure", completes(), "Succeeded"],
    ["OnFailure", crashLoop(), "Running"],
    ["Always", completes(), "Running"],
  ] as const)("has a phase when all containers have ended: %s, %s", async (restartPolicy, life, phase) => {
    await using cluster = simulated();
    cluster.pods.script({}, life);
    await run(cluster, "web", { restartPolicy, containers: both });
    expect((await statusOf(cluster))?.phase).toBe(phase);
  });
});

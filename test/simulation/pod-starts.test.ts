import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  imagePullBackOff,
  running,
  slowTermination,
} from "../../src/scenario/presets.ts";

/** A cluster with a standing clock. */
const simulated = (options: ClusterOptions = {}) =>
  createCluster({ seed: 1, simulate: ["scheduler", "kubelets"], ...options });

async function run(cluster: Cluster, spec: object): Promise<void> {
  const metadata = { name: "web", namespace: "default" };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec });
  await cluster.settle();
}

async function statusOf(cluster: Cluster) {
  return (await cluster.get("v1", "Pod", "web")).status;
}

async function eventsOf(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const ofPod = items.filter(({ involvedObject }) => involvedObject.name === "web");
  return ofPod.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

/** A pod whose container mounts a volume. */
function withFiles(source: object) {
  const volumeMounts = [{ name: "files", mountPath: "/files" }];
  return {
    containers: [{ name: "web", image: "web", volumeMounts }],
    volumes: [{ name: "files", ...source }],
  };
}

test("a container whose image has no valid name waits, until it has one", async () => {
  await using cluster = simulated();
  await run(cluster, { containers: [{ name: "web", image: "Web:1" }] });
  const problem = "invalid reference format: repository name (library/Web) must be lowercase";
  const message = `Failed to apply default image tag "Web:1": couldn't parse image name "Web:1": ${problem}`;
  const status = await statusOf(cluster);
  expect(status?.phase).toBe("Pending");
  expect(status?.containerStatuses?.[0]).toMatchObject({
    state: { waiting: { reason: "InvalidImageName", message } },
    image: "Web:1",
    imageID: "",
  });
  expect((await eventsOf(cluster)).slice(1)).toEqual([
    `Warning InspectFailed: ${message}`,
    "Warning Failed: Error: InvalidImageName",
  ]);
  await cluster.patch("v1", "Pod", "web", [
    { op: "replace", path: "/spec/containers/0/image", value: "web:1" },
  ]);
  await cluster.settle();
  expect((await statusOf(cluster))?.phase).toBe("Running");
});

test.each([
  [
    "a ConfigMap",
    { configMap: { name: "settings", items: [{ key: "b", path: "b" }] } },
    "configmap references non-existent config key: b",
  ],
  [
    "a Secret",
    { secret: { secretName: "settings", items: [{ key: "b", path: "b" }] } },
    "references non-existent secret key: b",
  ],
  [
    "a projected Secret",
    { projected: { sources: [{ secret: { name: "settings", items: [{ key: "b", path: "b" }] } }] } },
    "references non-existent secret key: b",
  ],
] as const)("a volume waits for the keys that it names: those of %s", async (_title, source, problem) => {
  await using cluster = simulated();
  for (const kind of ["ConfigMap", "Secret"])
    await cluster.create({ apiVersion: "v1", kind, metadata: { name: "settings" }, data: { a: "" } });
  await run(cluster, withFiles(source));
  expect((await statusOf(cluster))?.containerStatuses?.[0]?.state?.waiting?.reason).toBe("ContainerCreating");
  expect((await eventsOf(cluster)).slice(1)).toEqual([
    `Warning FailedMount: MountVolume.SetUp failed for volume "files" : ${problem}`,
  ]);
  for (const kind of ["ConfigMap", "Secret"])
    await cluster.patch("v1", kind, "settings", { data: { b: "" } });
  await cluster.settle();
  expect((await statusOf(cluster))?.phase).toBe("Running");
});

describe("the volumes of a pod", () => {
  const missing = {
    a: { configMap: { name: "a" } },
    b: { secret: { secretName: "b" } },
    c: { projected: { sources: [{ configMap: { name: "c" } }, { secret: { name: "d" } }] } },
    e: { persistentVolumeClaim: { claimName: "e" } },
    f: { persistentVolumeClaim: { claimName: "f" } },
  };
  const setUp = "Warning FailedMount: MountVolume.SetUp failed for volume";
  const processed = (name: string) =>
    `error processing PVC default/${name}: failed to fetch PVC from API server: persistentvolumeclaim "${name}" not found`;

  test.each<[title: string, mounted: readonly string[], expected: readonly string[]]>([
    ["are not mounted if no container uses them", [], []],
    [
      "each have an Event",
      ["a", "b", "c"],
      [
        `${setUp} "a" : configmap "a" not found`,
        `${setUp} "b" : secret "b" not found`,
        `${setUp} "c" : [configmap "c" not found, secret "d" not found]`,
      ],
    ],
    [
      "have one Event about all claims",
      ["a", "e", "f"],
      [
        `${setUp} "a" : configmap "a" not found`,
        `Warning FailedMount: Unable to attach or mount volumes: unmounted volumes=[a e f], unattached volumes=[], failed to process volumes=[e f]: ${processed("e")}; ${processed("f")}`,
      ],
    ],
  ])("%s", async (_title, mounted, expected) => {
    await using cluster = simulated();
    const volumeMounts = mounted.map((name) => ({ name, mountPath: `/${name}` }));
    const volumes = Object.entries(missing).map(([name, source]) => ({ name, ...source }));
    await run(cluster, {
      nodeName: "node-1",
      automountServiceAccountToken: false,
      containers: [{ name: "web", image: "web", volumeMounts }],
      volumes,
    });
    expect((await statusOf(cluster))?.phase).toBe(mounted.length === 0 ? "Running" : "Pending");
    expect((await eventsOf(cluster)).filter((event) => event.includes("FailedMount"))).toEqual(expected);
  });

  test("of devices are used, too", async () => {
    await using cluster = simulated();
    const volumeDevices = [{ name: "e", devicePath: "/dev/e" }];
    await run(cluster, {
      nodeName: "node-1",
      containers: [{ name: "web", image: "web", volumeDevices }],
      volumes: [{ name: "e", ...missing.e }],
    });
    expect((await statusOf(cluster))?.phase).toBe("Pending");
  });
});

test("a variable does not come from the binary data of a ConfigMap, as a file does", async () => {
  await using cluster = simulated();
  const metadata = { name: "settings" };
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, binaryData: { a: "AAAA" } });
  const { containers, volumes } = withFiles({
    configMap: { ...metadata, items: [{ key: "a", path: "a" }] },
  });
  const env = [{ name: "A", valueFrom: { configMapKeyRef: { ...metadata, key: "a" } } }];
  await run(cluster, { containers: containers.map((one) => ({ ...one, env })), volumes });
  expect((await statusOf(cluster))?.containerStatuses?.[0]?.state?.waiting).toEqual({
    reason: "CreateContainerConfigError",
    message: "couldn't find key a in ConfigMap default/settings",
  });
});

test.each([
  ["1.27", []],
  [
    "1.28",
    [
      "Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (first, last); attempting to pull the image may not succeed.",
    ],
  ],
] as const)("in %s, a pod whose pull secrets are missing runs", async (release, expected) => {
  await using cluster = simulated({ release });
  await cluster.create({ apiVersion: "v1", kind: "Secret", metadata: { name: "known" } });
  const imagePullSecrets = ["first", "known", "last"].map((name) => ({ name }));
  await run(cluster, { imagePullSecrets, containers: [{ name: "web", image: "web" }] });
  expect((await statusOf(cluster))?.phase).toBe("Running");
  expect((await eventsOf(cluster)).filter((event) => event.includes("Secret"))).toEqual(expected);
});

test("an ephemeral container starts while init containers run", async () => {
  await using cluster = simulated();
  cluster.pods.script({ container: "init" }, running());
  const [init, web] = ["init", "web"].map((name) => ({ name, image: "web" }));
  await run(cluster, { initContainers: [init], containers: [web] });
  const spec = { ephemeralContainers: [{ name: "debugger", image: "busybox" }] };
  await cluster.patch(
    "v1",
    "Pod",
    "web",
    { spec },
    { subresource: "ephemeralcontainers", type: "strategic" },
  );
  await cluster.settle();
  const status = await statusOf(cluster);
  expect([
    status?.phase,
    Object.keys(status?.ephemeralContainerStatuses?.[0]?.state ?? {}),
    status?.containerStatuses?.[0]?.state?.waiting?.reason,
  ]).toEqual(["Pending", ["running"], "PodInitializing"]);
});

test("a volume with an optional source does not wait for keys", async () => {
  await using cluster = simulated();
  const configMap = { name: "settings", optional: true, items: [{ key: "b", path: "b" }] };
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } });
  await run(cluster, withFiles({ configMap }));
  expect((await statusOf(cluster))?.phase).toBe("Running");
});

/** Upstream: the cases of `TestGetPhase_ContainerRestartPolicy` in pkg/kubelet/kubelet_pods_test.go. */
describe("in 1.35, a container that ends with 42", () => {
  const rule = (operator: "In" | "NotIn", ...values: readonly number[]) => ({
    restartPolicyRules: [{ action: "Restart", exitCodes: { operator, values } }],
  });
  test.each([
    ["starts again by its rule", "Never", { restartPolicy: "Never", ...rule("In", 42) }, "Running", 1],
    [
      "starts again by a rule for others",
      "Never",
      { restartPolicy: "Never", ...rule("NotIn", 0) },
      "Running",
      1,
    ],
    ["ends if no rule matches", "Never", { restartPolicy: "Never", ...rule("In", 43) }, "Failed", 0],
    ["starts again by its policy", "Never", { restartPolicy: "OnFailure" }, "Running", 1],
    ["ends by its policy", "Always", { restartPolicy: "Never" }, "Failed", 0],
  ] as const)("%s", async (_title, restartPolicy, own, phase, restarts) => {
    await using cluster = simulated({ release: "1.35" });
    cluster.pods.script({}, crashLoop({ exitCode: 42 }));
    await run(cluster, { restartPolicy, containers: [{ name: "web", image: "web", ...own }] });
    const status = await statusOf(cluster);
    expect([status?.phase, status?.containerStatuses?.[0]?.restartCount]).toEqual([phase, restarts]);
  });

  test("starts again as an init container by its rule, or fails its pod", async () => {
    for (const [own, phase] of [
      [rule("In", 42), "Pending"],
      [rule("In", 1), "Failed"],
    ] as const) {
      await using cluster = simulated({ release: "1.35" });
      cluster.pods.script({ container: "init" }, crashLoop({ exitCode: 42 }));
      await run(cluster, {
        initContainers: [{ name: "init", image: "web", restartPolicy: "Never", ...own }],
        containers: [{ name: "web", image: "web" }],
      });
      expect((await statusOf(cluster))?.phase).toBe(phase);
    }
  });

  test("succeeds with its pod if the others have, too", async () => {
    await using cluster = simulated({ release: "1.35" });
    cluster.pods.script({}, completes());
    const containers = [
      { name: "a", image: "web", restartPolicy: "Never", ...rule("In", 42) },
      { name: "b", image: "web" },
    ];
    await run(cluster, { restartPolicy: "OnFailure", containers });
    expect((await statusOf(cluster))?.phase).toBe("Succeeded");
  });
});

/** Upstream: the key of the back-off in `EnsureImageExists` (pkg/kubelet/images/image_manager.go). */
test("containers of a pod have one back-off for one image", async () => {
  await using cluster = simulated();
  using _script = cluster.pods.script({}, imagePullBackOff({ message: "gone" }));
  const containers = ["a", "b"].map((name) => ({ name, image: "nginx:1" }));
  await run(cluster, { containers });
  const pulls = async () => {
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const found = items.filter(({ reason }) => reason === "Pulling" || reason === "BackOff");
    return found.map(({ reason, involvedObject, count }) => [reason, involvedObject.fieldPath, count]);
  };
  expect(await pulls()).toEqual([
    ["Pulling", "spec.containers{a}", 1],
    ["BackOff", "spec.containers{b}", 1],
    ["BackOff", "spec.containers{a}", 1],
  ]);
  await cluster.clock.advance("10s");
  expect((await pulls())[0]).toEqual(["Pulling", "spec.containers{a}", 2]);
});

describe("a container whose image changes", () => {
  const change = async (cluster: Cluster, image: string) => {
    const path = "/spec/containers/0/image";
    await cluster.patch("v1", "Pod", "web", [{ op: "replace", path, value: image }], { type: "json" });
    await cluster.settle();
    const [status] = (await cluster.get("v1", "Pod", "web")).status?.containerStatuses ?? [];
    return [status?.image, status?.restartCount, Object.keys(status?.state ?? {})[0]];
  };
  const podOf = (restartPolicy: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: { restartPolicy, containers: [{ name: "web", image: "nginx:1", stdin: true }] },
  });

  test.each(["Always", "OnFailure", "Never"])("is replaced with the policy %s", async (policy) => {
    await using cluster = simulated();
    await cluster.create(podOf(policy));
    await cluster.settle();
    expect(await change(cluster, "nginx:2")).toEqual(["docker.io/library/nginx:2", 1, "running"]);
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    expect(items.map(({ message }) => message)).toContain(
      "Container web definition changed, will be restarted",
    );
  });

  test("is started at once if it waits for its next start", async () => {
    await using cluster = simulated();
    using _script = cluster.pods.script({ image: "nginx:1" }, crashLoop());
    await cluster.create(podOf("Always"));
    await cluster.settle();
    expect(await change(cluster, "nginx:2")).toEqual(["docker.io/library/nginx:2", 2, "running"]);
  });

  test("is pulled at once if the pull of the other image is to wait", async () => {
    await using cluster = simulated();
    using _script = cluster.pods.script({}, imagePullBackOff({ message: "gone" }));
    await cluster.create(podOf("Always"));
    await cluster.settle();
    await change(cluster, "nginx:2");
    expect((await eventsOf(cluster)).filter((event) => event.includes("nginx:2"))).toEqual([
      'Normal Pulling: Pulling image "nginx:2"',
      'Warning Failed: Failed to pull image "nginx:2": gone',
      'Normal BackOff: Back-off pulling image "nginx:2"',
    ]);
  });

  test("has its old image until it has terminated", async () => {
    await using cluster = simulated();
    using _script = cluster.pods.script({}, slowTermination({ takes: "3s" }));
    await cluster.create(podOf("Always"));
    await cluster.settle();
    expect(await change(cluster, "nginx:2")).toEqual(["docker.io/library/nginx:1", 0, "running"]);
    await cluster.clock.advance("3s");
    await cluster.settle();
    expect(await change(cluster, "nginx:2")).toEqual(["docker.io/library/nginx:2", 1, "running"]);
  });
});

describe("a container is not created", () => {
  const mount = (subPathExpr: string) => ({
    volumeMounts: [{ name: "files", mountPath: "/files", subPathExpr }],
  });
  const variable = (valueFrom: object) => ({ env: [{ name: "A", valueFrom }] });

  test.each<[message: string, container: object]>([
    ["missing value for B, C", mount("$(C)/$(B)/$(C)")],
    ["missing value for A", { ...mount("$(A)"), env: [{ name: "A", value: "" }] }],
    [
      "missing value for A",
      { ...mount("$(A)"), ...variable({ fieldRef: { fieldPath: "metadata.labels['app']" } }) },
    ],
    [
      "error SubPath `/logs/web` must not be an absolute path",
      { ...mount("$(A)/web"), env: [{ name: "A", value: "/logs" }] },
    ],
    [
      "unable to provision SubPath `../web`: must not contain '..'",
      { ...mount("$(A)/web"), env: [{ name: "A", value: ".." }] },
    ],
    [
      "container other not found",
      variable({ resourceFieldRef: { containerName: "other", resource: "limits.cpu" } }),
    ],
  ])("%s", async (message, container) => {
    await using cluster = simulated();
    await run(cluster, {
      containers: [{ name: "web", image: "web", ...container }],
      volumes: [{ name: "files", emptyDir: {} }],
    });
    const waiting = { reason: "CreateContainerConfigError", message };
    expect((await statusOf(cluster))?.containerStatuses?.[0]?.state?.waiting).toEqual(waiting);
    expect(await eventsOf(cluster)).toContain(`Warning Failed: Error: ${message}`);
  });
});

test.each<[subPathExpr: string, container: object]>([
  ["$(POD)/$(NODE)", { env: [field("POD", "metadata.name"), field("NODE", "spec.nodeName")] }],
  ["$(IP)", { env: [field("IP", "status.podIP")] }],
  [
    "$(A)",
    {
      env: [
        { name: "B", value: "b" },
        { name: "A", value: "$(B)" },
      ],
    },
  ],
  ["$(p_key)", { envFrom: [{ prefix: "p_", configMapRef: { name: "settings" } }] }],
  ["$(A)", { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "login", key: "user" } } }] }],
  ["$(KUBERNETES_SERVICE_HOST)/$(WEB_SERVER_PORT_80_TCP_PORT)", {}],
  ["$$(A)", {}],
])("a sub path may be %s", async (subPathExpr, container) => {
  await using cluster = simulated();
  const metadata = { name: "settings" };
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { key: "value" } });
  await cluster.create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "login" },
    stringData: { user: "me" },
  });
  await cluster.create({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web-server" },
    spec: { ports: [{ port: 80 }] },
  });
  const volumeMounts = [{ name: "files", mountPath: "/files", subPathExpr }];
  await run(cluster, {
    containers: [{ name: "web", image: "web", volumeMounts, ...container }],
    volumes: [{ name: "files", emptyDir: {} }],
  });
  expect((await statusOf(cluster))?.phase).toBe("Running");
});

function field(name: string, fieldPath: string) {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

test.each(["downwardAPI", "projected"])(
  "a %s volume needs the containers whose resources it shows",
  async (type) => {
    await using cluster = simulated();
    const resourceFieldRef = { containerName: "other", resource: "limits.cpu" };
    const content = { items: [{ path: "cpu", resourceFieldRef }] };
    const source = type === "projected" ? { sources: [{ downwardAPI: content }] } : content;
    await run(cluster, withFiles({ [type]: source }));
    expect((await statusOf(cluster))?.phase).toBe("Pending");
    expect(await eventsOf(cluster)).toContain(
      'Warning FailedMount: MountVolume.SetUp failed for volume "files" : container other not found',
    );
  },
);

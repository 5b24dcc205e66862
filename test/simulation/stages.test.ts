import { describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

/** Stages of pods with the features of those that KWOK has: ready, complete, and deleted without finalizers. */
const podStages = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: become-ready }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
    - { key: .metadata.deletionTimestamp, operator: DoesNotExist }
    - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"] }
  delay:
    durationMilliseconds: 1000
    durationFrom: { expressionFrom: '.metadata.annotations["example.com/delay"]' }
  next:
    event: { type: Normal, reason: Started, message: it runs }
    finalizers:
      add: [{ value: example.com/hold }]
    statusTemplate: |
      {{ $now := Now -}}
      {{ $root := . }}
      conditions:
      {{ range $i, $type := list "Initialized" "Ready" "ContainersReady" }}
      - { type: {{ $type | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }} }
      {{ end }}
      containerStatuses:
      {{ range $index, $item := .spec.containers }}
      - image: {{ $item.image | Quote }}
        name: {{ .name | Quote }}
        ready: true
        restartCount: {{ $index }}
        state: { running: { startedAt: {{ $now | Quote }} } }
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      {{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) $root.metadata.uid "" "" }}
      podIP: {{ index . 0 | Quote }}
      podIPs:
      {{ range . }}
      - ip: {{ . | Quote }}
      {{ else }}
      - none
      {{ end }}
      {{ end }}
      phase: Running
      startTime: {{ $now | Quote }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: complete }
spec:
  resourceRef: { kind: Pod }
  selector:
    matchExpressions:
    - { key: .status.phase, operator: In, values: [Running] }
    - { key: ".metadata.ownerReferences.[].kind", operator: In, values: [Job] }
  next:
    statusTemplate: |
      phase: Succeeded
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: release }
spec:
  resourceRef: { kind: Pod }
  selector:
    matchExpressions:
    - jq: { key: .metadata.deletionTimestamp, operator: Exists }
  steps:
  - finalizers: { remove: [{ value: example.com/hold }] }
  - delete: true
`;

/** Stages of nodes: they get ready, and say so again every 20 seconds. */
const nodeStages = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: initialize }
spec:
  resourceRef: { kind: Node }
  selector:
    matchExpressions:
    - { key: .status.phase, operator: DoesNotExist }
    - { key: '.metadata.annotations["kwok.x-k8s.io/node"]', operator: Exists }
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      {{ range NodeConditions }}
      - lastHeartbeatTime: {{ $now | Quote }}
        lastTransitionTime: {{ or .nothing $now | Quote }}
        message: {{ .message | Quote }}
        reason: {{ .reason | Quote }}
        status: {{ .status | Quote }}
        type: {{ .type | Quote }}
      {{ end }}
      {{ $hasAddress := false }}
      {{ range .status.addresses }}{{ if eq .type "InternalIP" }}{{ $hasAddress = true }}{{ end }}{{ end }}
      {{ if not $hasAddress }}
      addresses:
      - { type: InternalIP, address: {{ NodeIP | Quote }} }
      - { type: Hostname, address: {{ NodeName }} }
      {{ end }}
      allocatable:
      {{ with .status.allocatable }}
      {{ YAML . 1 }}
      {{ else }}
        cpu: 1k
        memory: 1Ti
        pods: 1M
      {{ end }}
      nodeInfo: { kubeletVersion: {{ printf "kwok-%s" Version }}, osImage: {{ or .status.nodeInfo.osImage \`""\` }} }
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: heartbeat }
spec:
  resourceRef: { kind: Node }
  selector:
    matchExpressions:
    - { key: .status.phase, operator: In, values: [Running] }
  delay: { durationMilliseconds: 20000 }
  next:
    statusTemplate: |
      conditions:
      - { type: Ready, status: "True", lastHeartbeatTime: {{ Now | Quote }} }
  immediateNextStage: true
`;

const node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "fake-1", annotations: { "kwok.x-k8s.io/node": "fake" } },
};

function pod(name: string, metadata = {}): object {
  const spec = { nodeName: "fake-1", containers: [{ name: "web", image: "nginx" }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", ...metadata }, spec };
}

async function withNode(): Promise<Cluster> {
  const cluster = createCluster({ simulate: true, seed: 1 });
  await cluster.pods.stages([podStages, nodeStages]);
  await cluster.create(node);
  await cluster.settle();
  return cluster;
}

async function advance(cluster: Cluster, duration: string): Promise<void> {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

async function phaseOf(cluster: Cluster, name: string): Promise<string | undefined> {
  const { items } = await cluster.list("v1", "Pod", { fieldSelector: `metadata.name=${name}` });
  return items[0]?.status?.phase;
}

function stage(spec: object, name = "one"): object {
  return { apiVersion: "kwok.x-k8s.io/v1alpha1", kind: "Stage", metadata: { name }, spec };
}

describe("nodes", () => {
  test("become ready by a stage, which also lets the taint go, and have heartbeats", async () => {
    await using cluster = await withNode();
    const ready = async () =>
      (await cluster.get("v1", "Node", "fake-1")).status?.conditions?.find(({ type }) => type === "Ready");
    const first = await ready();
    expect(first).toMatchObject({ status: "True", reason: "KubeletReady" });
    const { spec, status } = await cluster.get("v1", "Node", "fake-1");
    expect(spec?.taints ?? []).toEqual([]);
    expect(status).toMatchObject({
      allocatable: { cpu: "1k", pods: "1M" },
      addresses: [{ type: "InternalIP" }, {}],
    });
    for (let beat = 0; beat < 3; beat++) await advance(cluster, "20s");
    const later = await ready();
    expect(Date.parse(String(later?.lastHeartbeatTime)) - Date.parse(String(first?.lastHeartbeatTime))).toBe(
      60_000,
    );
  });
});

describe("pods", () => {
  test("wait for the delay, become ready, and have an address, an Event and a finalizer", async () => {
    await using cluster = await withNode();
    await cluster.create(pod("web", { annotations: { "example.com/delay": "3s" } }));
    await advance(cluster, "2s");
    expect(await phaseOf(cluster, "web")).toBe("Pending");
    await advance(cluster, "1s");
    const { metadata, status } = await cluster.get("v1", "Pod", "web");
    expect(status).toMatchObject({ phase: "Running", podIPs: [{ ip: status?.podIP }] });
    expect(status?.conditions?.filter((one) => one.status === "True").map(({ type }) => type)).toEqual(
      expect.arrayContaining(["Initialized", "Ready", "ContainersReady"]),
    );
    expect(metadata?.finalizers).toEqual(["example.com/hold"]);
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    expect(items.map(({ reason, source }) => [reason, source?.component])).toContainEqual([
      "Started",
      "kwok_controller",
    ]);
  });

  test("that are deleted lose their finalizers and go", async () => {
    await using cluster = await withNode();
    await cluster.create(pod("web"));
    await advance(cluster, "1s");
    await cluster.delete("v1", "Pod", "web");
    await cluster.settle();
    expect(await phaseOf(cluster, "web")).toBeUndefined();
  });

  test("of Jobs complete, on nodes of the simulation too", async () => {
    await using cluster = createCluster({ simulate: true, seed: 1 });
    await cluster.pods.stages(podStages);
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } };
    await cluster.create({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "work" },
      spec: { completions: 2, parallelism: 2, template },
    });
    await cluster.settle();
    await advance(cluster, "1s");
    const { status } = await cluster.get("batch/v1", "Job", "work");
    expect(status?.succeeded).toBe(2);
    expect(status?.conditions?.map(({ type }) => type)).toContain("Complete");
  });

  test("are the kubelet's again when the stages are removed", async () => {
    await using cluster = createCluster({ simulate: ["scheduler", "kubelets"], seed: 1 });
    const never = stage({ resourceRef: { kind: "Pod" }, selector: { matchLabels: { never: "x" } } });
    const handle = await cluster.pods.stages(never);
    const { spec, ...rest } = pod("web") as { spec: object };
    await cluster.create({ ...rest, spec: { ...spec, nodeName: undefined } });
    await cluster.settle();
    expect(await phaseOf(cluster, "web")).toBe("Pending");
    handle.remove();
    await cluster.settle();
    expect(await phaseOf(cluster, "web")).toBe("Running");
  });

  test("are chosen for by weight, the same way in every cluster of a seed and in its forks", async () => {
    const next = (phase: string) => ({ statusTemplate: `phase: ${phase}` });
    const selector = { matchExpressions: [{ key: ".status.phase", operator: "In", values: ["Pending"] }] };
    const of = (phase: string, weight: number) =>
      stage(
        {
          resourceRef: { kind: "Pod" },
          selector,
          weight,
          next: next(phase),
          delay: { durationMilliseconds: 10, jitterDurationMilliseconds: 500 },
        },
        phase,
      );
    const phases = async (isForked: boolean) => {
      await using cluster = createCluster({ simulate: true, seed: 7 });
      await cluster.pods.stages([of("Running", 1), of("Failed", 1), of("Succeeded", 0), nodeStages]);
      await cluster.create(node);
      for (let i = 0; i < 12; i++) await cluster.create(pod(`p${i}`));
      await cluster.settle();
      await using fork = cluster.fork();
      const played = isForked ? fork : cluster;
      await advance(played, "1s");
      return (await played.list("v1", "Pod")).items.map(({ status }) => status?.phase).join(" ");
    };
    const first = await phases(false);
    expect(new Set(first.split(" "))).toEqual(new Set(["Running", "Failed"]));
    expect(await phases(false)).toBe(first);
    expect(await phases(true)).toBe(first);
  });

  test("have an Event that says why a stage failed", async () => {
    await using cluster = createCluster({ simulate: true, seed: 1 });
    await cluster.pods.stages([
      nodeStages,
      stage({
        resourceRef: { kind: "Pod" },
        selector: {},
        next: { statusTemplate: 'phase: {{ index .status.nothing "a" }}' },
      }),
    ]);
    await cluster.create(node);
    await cluster.create(pod("web"));
    await cluster.settle();
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toContain(
      "StageFailed: Stage one: index of untyped nil",
    );
  });
});

test("stages that follow each other for ever at one time have an end", async () => {
  await using cluster = createCluster({ simulate: true, seed: 1 });
  const between = (from: string, to: string) =>
    stage(
      {
        resourceRef: { kind: "Pod" },
        selector: { matchExpressions: [{ key: ".status.phase", operator: "In", values: [from] }] },
        next: { statusTemplate: `phase: ${to}` },
      },
      from.toLowerCase(),
    );
  await cluster.pods.stages([nodeStages, between("Pending", "Running"), between("Running", "Pending")]);
  await cluster.create(node);
  await cluster.create(pod("web"));
  await cluster.settle();
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  expect(items.map(({ message, count }) => [message, count])).toContainEqual([
    "Stage running: stages of this object have been played 1000 times at the same time; one of them needs a delay",
    1,
  ]);
});

test("other kinds have stages too", async () => {
  await using cluster = createCluster({ simulate: ["kubelets"], seed: 1 });
  const patch = { root: "data", template: "seen: {{ .metadata.name | Quote }}" };
  await cluster.pods.stages(
    stage({
      resourceRef: { apiGroup: "v1", kind: "ConfigMap" },
      selector: { matchLabels: { staged: "yes" } },
      steps: [{ patch }],
    }),
  );
  await cluster.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: { staged: "yes" } },
  });
  await cluster.settle();
  expect((await cluster.get("v1", "ConfigMap", "a")).data).toEqual({ seen: "a" });
});

test("claims of volumes get what their stages apply, in place of the simulated provisioner", async () => {
  await using cluster = createCluster({ simulate: ["workloads", "kubelets"], seed: 1 });
  const claims = { apiGroup: "v1", kind: "PersistentVolumeClaim" };
  const cel = (...expressions: readonly string[]) => ({
    matchExpressions: expressions.map((expression) => ({ cel: { expression } })),
  });
  const volume = `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: for-{{ .metadata.name }}
spec:
  accessModes:
  {{ YAML .spec.accessModes 1 }}
  capacity:
  {{ YAML .spec.resources.requests 2 }}
  persistentVolumeReclaimPolicy: {{ default "Delete" .spec.policy | Quote }}
  storageClassName: {{ .spec.storageClassName }}
  claimRef:
    namespace: {{ .metadata.namespace }}
    name: {{ .metadata.name }}
    uid: {{ .metadata.uid }}
  hostPath: { path: /data }`;
  const released = `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: {{ .spec.volumeName }}
  labels: { left: "yes" }`;
  await cluster.pods.stages([
    stage({
      resourceRef: claims,
      selector: cel("self.spec.storageClassName == 'staged'", "!has(self.spec.volumeName)"),
      steps: [
        { apply: { template: volume } },
        { patch: { root: "spec", template: "volumeName: for-{{ .metadata.name }}" } },
      ],
    }),
    {
      ...stage({
        resourceRef: claims,
        selector: cel("has(self.metadata.deletionTimestamp)", "self.spec.volumeName != ''"),
        steps: [{ apply: { type: "merge", template: released } }],
      }),
      metadata: { name: "leave" },
    },
  ]);
  await cluster.create({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "staged" },
    provisioner: "stages.example.com",
  });
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  for (const [name, storageClassName] of [
    ["data", "staged"],
    ["other", ""],
  ] as const)
    await cluster.create({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, finalizers: ["example.com/wait"] },
      spec: { ...spec, storageClassName },
    });
  await cluster.settle();
  const volumes = async () =>
    (await cluster.list("v1", "PersistentVolume")).items.map(({ metadata, status }) => [
      metadata.name,
      status?.phase,
      metadata.labels,
    ]);
  expect(await volumes()).toEqual([["for-data", "Bound", undefined]]);
  const claim = await cluster.get("v1", "PersistentVolumeClaim", "data");
  expect([claim.spec?.volumeName, claim.status?.phase]).toEqual(["for-data", "Bound"]);
  await cluster.delete("v1", "PersistentVolumeClaim", "data");
  await cluster.settle();
  expect(await volumes()).toEqual([["for-data", "Bound", { left: "yes" }]]);
});

test("only a cluster with kubelets plays stages", async () => {
  await using cluster = createCluster();
  await expect(cluster.pods.stages(podStages)).rejects.toThrow(/createCluster\(\{ simulate: true \}\)/);
});

import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const container = { name: "c", image: "nginx:1" };

function pod(spec: object = {}, metadata: object = {}): object {
  return { metadata: { name: "p", ...metadata }, spec: { containers: [container], ...spec } };
}

test.each<[release: string, volumes: readonly object[] | undefined]>([
  ["1.30", [{ name: "i", emptyDir: {} }]],
  ["1.34", undefined],
  ["1.35", [{ name: "i", image: { reference: "r:1", pullPolicy: "IfNotPresent" } }]],
])("a pod of %s with an image volume has the volumes %o", async (release, volumes) => {
  const volumeMounts = [{ name: "i", mountPath: "/i" }];
  const { code, object } = await askingForPods(release)("POST", path, {
    metadata: { name: "p" },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ ...container, volumeMounts }],
      volumes: [{ name: "i", image: { reference: "r:1" } }],
    },
  });
  expect([code, object.spec?.volumes]).toEqual([201, volumes]);
  expect(object.spec.containers[0].volumeMounts).toEqual(volumes && volumeMounts);
});

describe("a new pod", () => {
  test("is pending regardless of its status, and has no generation", async () => {
    const sent = { ...pod(), status: { phase: "Running", podIP: "10.0.0.1" } };
    const { object } = await askingForPods()("POST", path, sent);
    expect(object.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(object.metadata.generation).toBeUndefined();
  });

  test("with scheduling gates is not scheduled", async () => {
    const sent = pod({ schedulingGates: [{ name: "a.b/c" }] });
    const { object } = await askingForPods()("POST", path, sent);
    expect(object.status.conditions).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        lastProbeTime: null,
        lastTransitionTime: object.metadata.creationTimestamp,
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
  });

  const amounts = { cpu: "1", memory: "1Gi" };

  test.each<[string, object, object[], string]>([
    ["nothing", {}, [], "BestEffort"],
    ["only disks", { requests: { "ephemeral-storage": "1Gi" } }, [], "BestEffort"],
    ["some", { requests: { cpu: "1" } }, [], "Burstable"],
    ["its limits", { limits: amounts }, [], "Guaranteed"],
    ["less than its limits", { limits: amounts, requests: { ...amounts, cpu: "500m" } }, [], "Burstable"],
    ["only of one kind", { limits: { cpu: "1" } }, [], "Burstable"],
    [
      "its limits, but not in init containers",
      { limits: amounts },
      [{ ...container, name: "i" }],
      "Burstable",
    ],
    [
      "its limits, also in init containers",
      { limits: amounts },
      [{ ...container, name: "i", resources: { limits: amounts } }],
      "Guaranteed",
    ],
    ["zero", { requests: { cpu: "0" } }, [], "BestEffort"],
  ])("that requests %s has its QoS class", async (_title, resources, initContainers, qosClass) => {
    const sent = pod({ containers: [{ ...container, resources }], initContainers });
    const { object } = await askingForPods()("POST", `${path}?dryRun=All`, sent);
    expect(object.status.qosClass).toBe(qosClass);
  });

  test("loses fields of disabled gates", async () => {
    const sent = pod({ resourceClaims: [{ name: "a", resourceClaimName: "x" }], hostUsers: false });
    const { object } = await askingForPods()("POST", path, sent);
    expect(object.spec.resourceClaims).toBeUndefined();
    expect(object.spec.hostUsers).toBeUndefined();
  });

  test("adds its labels for matchLabelKeys to its affinity terms", async () => {
    const term = { topologyKey: "k", labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["b"] };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const sent = pod({ affinity }, { labels: { a: "1", b: "2" } });
    const { object } = await askingForPods()("POST", path, sent);
    const [kept] = object.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    expect(kept.labelSelector).toEqual({
      matchExpressions: [
        { key: "a", operator: "In", values: ["1"] },
        { key: "b", operator: "NotIn", values: ["2"] },
      ],
    });
  });

  test("copies its AppArmor profile between the annotation and the field", async () => {
    const send = askingForPods();
    const annotation = "container.apparmor.security.beta.kubernetes.io/c";
    const old = pod({}, { name: "old", annotations: { [annotation]: "runtime/default" } });
    const { object, warnings } = await send("POST", path, old);
    expect(object.spec.containers[0].securityContext.appArmorProfile).toEqual({ type: "RuntimeDefault" });
    expect(warnings).toEqual([
      `metadata.annotations[${annotation}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
    const profile = { type: "Localhost", localhostProfile: "x" };
    const now = pod({ containers: [{ ...container, securityContext: { appArmorProfile: profile } }] });
    const { object: newer } = await send("POST", path, now);
    expect(newer.metadata.annotations).toEqual({ [annotation]: "localhost/x" });
  });
});

describe("the name of a new pod", () => {
  const use = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior";

  test.each<[string, string, string]>([
    ["has dots", "a.b", "must not contain dots"],
    ["is long", "a".repeat(64), "must be no more than 63 characters"],
  ])("causes a warning if it %s", async (_title, name, problem) => {
    const { code, warnings } = await askingForPods()("POST", path, pod({}, { name }));
    expect(code).toBe(201);
    expect(warnings).toEqual([`${use}; a DNS label is recommended: [${problem}]`]);
  });
});

describe("a new pod is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an invalid name",
      pod({}, { name: "A" }),
      [expect.stringContaining('metadata.name: Invalid value: "A"')],
    ],
    [
      "an image with blanks",
      pod({ containers: [{ ...container, image: " i" }] }),
      ['spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace'],
    ],
    [
      "ephemeral containers",
      pod({ ephemeralContainers: [{ ...container, name: "e" }] }),
      ["spec.ephemeralContainers: Forbidden: cannot be set on create"],
    ],
    [
      "a node in spite of gates",
      pod({ nodeName: "n", schedulingGates: [{ name: "a" }] }),
      ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
    ],
  ])("%s", async (_title, sent, findings) => {
    expect((await askingForPods()("POST", path, sent)).findings).toEqual(findings);
  });
});

describe("a pod can be selected by", () => {
  test.each<[string, readonly string[]]>([
    ["spec.nodeName=n", ["bound"]],
    ["spec.nodeName=", ["p"]],
    ["status.phase=Pending,metadata.name!=p", ["bound"]],
    ["spec.restartPolicy=Never", ["bound"]],
    ["spec.schedulerName=default-scheduler,spec.hostNetwork=true", ["bound"]],
    ["spec.serviceAccountName=default,metadata.namespace=default", ["bound", "p"]],
    ["status.podIP=,status.nominatedNodeName=", ["bound", "p"]],
  ])("%s", async (selector, names) => {
    const send = askingForPods();
    await send("POST", path, pod());
    await send(
      "POST",
      path,
      pod({ nodeName: "n", restartPolicy: "Never", hostNetwork: true }, { name: "bound" }),
    );
    const { object } = await send("GET", `${path}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(object.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(names);
  });

  test("no other field", async () => {
    const { findings } = await askingForPods()("GET", `${path}?fieldSelector=spec.hostname%3Da`);
    expect(findings).toEqual(["field label not supported: spec.hostname"]);
  });
});

test.each<[release: string, generations: readonly unknown[]]>([
  ["1.32", [7, 7, 7, 7, 7]],
  ["1.33", [1, 1, 2, 3, 3]],
])("a pod of %s has a generation, or not", async (release, generations) => {
  const send = testClient(
    quietCluster({ release, controllers: ["serviceaccount-controller", "serviceaccount-token-controller"] }),
  );
  const answers = [
    await send("POST", path, pod({}, { generation: 7 })),
    await send("PATCH", `${path}/p`, { metadata: { labels: { a: "b" } } }),
    await send("PATCH", `${path}/p`, { spec: { activeDeadlineSeconds: 9 } }),
    await send("PATCH", `${path}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ ...container, name: "e" }] },
    }),
    await send("PATCH", `${path}/p/status`, { status: { phase: "Running" } }),
  ];
  expect(answers.map(({ object }) => object.metadata.generation)).toEqual(generations);
});

test("before 1.33, resources set by admission have a resize policy", async () => {
  const featureGates = new Map([["InPlacePodVerticalScaling", true]]);
  const send = testClient(
    quietCluster({
      release: "1.32",
      featureGates,
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    }),
  );
  const limits = [{ type: "Container", default: { cpu: "1" } }];
  await send("POST", "/api/v1/namespaces/default/limitranges", { metadata: { name: "l" }, spec: { limits } });
  const { object } = await send("POST", path, pod());
  expect(object.spec.containers[0].resizePolicy).toEqual([
    { resourceName: "cpu", restartPolicy: "NotRequired" },
  ]);
  expect(JSON.stringify(object.metadata.managedFields)).not.toContain("resizePolicy");
});

import { describe, expect, test } from "vitest";
import { podsPath } from "../../registry/pods.ts";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const path = `${podsPath}/p/resize`;
const small = { cpu: "1", memory: "1Gi" };
const big = { cpu: "2", memory: "2Gi" };
const container = { name: "c", image: "i", resources: { requests: small } };

interface Made {
  readonly release?: string;
  readonly gates?: readonly string[];
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

async function made({
  release = "1.33",
  gates = [],
  metadata,
  spec,
  status,
}: Made = {}): Promise<SendRequest> {
  const featureGates = new Map(gates.map((gate) => [gate, true]));
  const send = testClient(
    quietCluster({
      release,
      featureGates,
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    }),
  );
  const pod = { metadata: { name: "p", ...metadata }, spec: { containers: [container], ...spec } };
  expect((await send("POST", podsPath, pod)).findings).toEqual([]);
  if (status !== undefined) await send("PATCH", `${podsPath}/p/status`, { status });
  return send;
}

function resized(resources: object, more: object = {}): object {
  return { spec: { containers: [{ ...container, resources, ...more }] } };
}

function resizedInit(restartPolicy: object, resources: object): object {
  return { spec: { initContainers: [{ name: "i", image: "i", ...restartPolicy, resources }] } };
}

describe("a resize", () => {
  test("changes only the resources of containers", async () => {
    const send = await made({ metadata: { labels: { a: "b" } } });
    const change = resized({ requests: big, limits: { cpu: "3" } }, { image: "other", env: [{ name: "A" }] });
    const { object } = await send("PATCH", path, {
      metadata: { labels: { a: "c" } },
      ...change,
      status: { phase: "Running" },
    });
    expect(object.spec.containers[0]).toMatchObject({
      image: "i",
      resources: { requests: big, limits: { cpu: "3" } },
    });
    expect(object.spec.containers[0]).not.toHaveProperty("env");
    expect(object).toMatchObject({
      metadata: { labels: { a: "b" }, generation: 2 },
      status: { phase: "Pending" },
    });
  });

  /** Upstream: `SupportsAttributes` (plugin/pkg/admission/limitranger/admission.go). */
  test("stays within the limits of its namespace", async () => {
    const send = await made();
    const spec = { limits: [{ type: "Container", max: { cpu: "2" } }] };
    await send("POST", "/api/v1/namespaces/default/limitranges", { metadata: { name: "l" }, spec });
    const { code, findings } = await send("PATCH", path, resized({ requests: small, limits: { cpu: "3" } }));
    const refusal = 'pods "p" is forbidden: maximum cpu usage per Container is 2, but limit is 3';
    expect([code, findings]).toEqual([403, [refusal]]);
  });

  test("is required for changes that an update of the pod cannot make", async () => {
    const send = await made();
    const { findings } = await send("PATCH", `${podsPath}/p`, resized({ requests: big }));
    expect(findings).toEqual([expect.stringMatching(/^spec: Forbidden: pod updates may not change fields/)]);
  });

  test("without a change writes nothing", async () => {
    const send = await made();
    const { object: before } = await send("GET", `${podsPath}/p`);
    const { object } = await send("PATCH", path, resized({ requests: { cpu: "1000m", memory: "1024Mi" } }));
    expect(object).toEqual(before);
  });

  test("reaches sidecars", async () => {
    const always = { restartPolicy: "Always" };
    const sidecar = { name: "i", image: "i", ...always, resources: { requests: small } };
    const send = await made({ spec: { initContainers: [sidecar] } });
    const { object } = await send("PATCH", path, resizedInit(always, { requests: big }));
    expect(object.spec.initContainers[0].resources).toEqual({ requests: big });
  });
});

describe("a resize is refused for", () => {
  const onlyCompute = "spec: Forbidden: only cpu and memory resources are mutable";
  const noLessMemory =
    "spec.containers[0].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer";
  const initContainer = { name: "i", image: "i", resources: { requests: small } };
  const always = { restartPolicy: "Always" };
  const sidecar = { ...initContainer, ...always };
  const restart = { resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] };

  test.each<[title: string, made: Made, change: object, findings: readonly string[]]>([
    [
      "resources of the whole pod",
      { release: "1.34", spec: { resources: { requests: small } } },
      resized({ requests: big }),
      ["[]: Forbidden: pods with pod-level resources cannot be resized"],
    ],
    [
      "being of a file on the node",
      { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } }, spec: { nodeName: "n" } },
      resized({ requests: big }),
      ["[]: Forbidden: static pods cannot be resized"],
    ],
    [
      "devices that the node hands out for its claims",
      {
        release: "1.36",
        gates: ["DRANodeAllocatableResources"],
        status: { nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: "m", containers: ["c"] }] },
      },
      resized({ requests: big }),
      ["spec: Forbidden: pods with node allocatable resource claims cannot be resized"],
    ],
    [
      "being of Windows",
      { spec: { os: { name: "windows" } } },
      resized({ requests: big }),
      ["[]: Forbidden: windows pods cannot be resized"],
    ],
    [
      "another class of service",
      {},
      resized({ requests: small, limits: small }),
      ['spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing'],
    ],
    [
      "a node that does not report container resources",
      { status: { containerStatuses: [{ name: "c", state: { running: {} } }] } },
      resized({ requests: big }),
      ["spec: Forbidden: Pod running on node without support for resize"],
    ],
    [
      "one container more",
      {},
      { spec: { containers: [container, { ...container, name: "d" }] } },
      ["spec.containers: Forbidden: containers may not be added or removed on resize"],
    ],
    [
      "one init container more",
      {},
      { spec: { initContainers: [initContainer] } },
      ["spec.initContainers: Forbidden: initContainers may not be added or removed on resize"],
    ],
    [
      "another name",
      {},
      resized({ requests: big }, { name: "d" }),
      ["spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize"],
    ],
    [
      "another name of an init container",
      { spec: { initContainers: [initContainer] } },
      { spec: { initContainers: [{ ...initContainer, name: "j" }] } },
      ["spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize"],
    ],
    [
      "removed requests and limits",
      { spec: { containers: [{ ...container, resources: { requests: small, limits: { cpu: "2" } } }] } },
      resized({ requests: { cpu: "1" } }),
      [
        "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
        "spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed",
      ],
    ],
    [
      "removed requests of a sidecar",
      { spec: { initContainers: [sidecar] } },
      resizedInit(always, { requests: { cpu: "1" } }),
      ["spec.initContainers[0].resources.requests: Forbidden: resource requests cannot be removed"],
    ],
    [
      "less memory in 1.33",
      { spec: { containers: [{ ...container, resources: { requests: small, limits: big } }] } },
      resized({ requests: small, limits: { ...big, memory: "1Gi" } }),
      [noLessMemory],
    ],
    ["storage", {}, resized({ requests: { ...small, "ephemeral-storage": "1Gi" } }), [onlyCompute]],
    [
      "another resize policy",
      {},
      resized({ requests: big }, { resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] }),
      [onlyCompute],
    ],
    [
      "storage of a sidecar",
      { spec: { initContainers: [sidecar] } },
      resizedInit(always, { requests: { ...small, "ephemeral-storage": "1Gi" } }),
      ["spec: Forbidden: only cpu and memory resources for sidecar containers are mutable"],
    ],
    [
      "an init container",
      { spec: { initContainers: [initContainer] } },
      resizedInit({}, { requests: big }),
      ["spec: Forbidden: resources for non-sidecar init containers are immutable"],
    ],
    [
      "invalid resources",
      {},
      resized({ requests: big, limits: small }),
      [
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
        'spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
      ],
    ],
    [
      "storage of an init container in 1.36",
      { release: "1.36", spec: { initContainers: [initContainer] } },
      resizedInit({}, { requests: { ...small, "ephemeral-storage": "1Gi" } }),
      [
        "spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable",
      ],
    ],
    [
      "an init container that would be restarted in 1.36",
      { release: "1.36", spec: { initContainers: [{ ...initContainer, ...restart }] } },
      resizedInit(restart, { requests: big }),
      [
        "spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized",
      ],
    ],
    [
      "no resources of the whole pod in 1.36",
      { release: "1.36", spec: { resources: { requests: big } } },
      { spec: { resources: null } },
      ["spec.resources: Forbidden: pod-level resources cannot be removed"],
    ],
    [
      "removed pod-level resources in 1.36",
      { release: "1.36", spec: { resources: { requests: big, limits: { cpu: "4" } } } },
      { spec: { resources: { requests: { memory: null }, limits: { cpu: null } } } },
      [
        "spec.resources.requests: Forbidden: pod-level resource requests cannot be removed",
        "spec.resources.limits: Forbidden: pod-level resource limits cannot be removed",
      ],
    ],
    [
      "huge pages of the whole pod in 1.36",
      { release: "1.36", spec: { resources: { requests: big, limits: { cpu: "4" } } } },
      { spec: { resources: { limits: { "hugepages-2Mi": "2Mi" } } } },
      ["spec: Forbidden: only cpu and memory resources are mutable at pod-level"],
    ],
  ])("%s", async (_title, existing, change, findings) => {
    const send = await made(existing);
    expect((await send("PATCH", path, change)).findings).toEqual(findings);
  });

  test.each<[title: string, made: Made, change: object]>([
    [
      "less memory from 1.34 on",
      {
        release: "1.34",
        spec: { containers: [{ ...container, resources: { requests: small, limits: big } }] },
      },
      resized({ requests: small, limits: { ...big, memory: "1Gi" } }),
    ],
    [
      "less memory after a restart",
      {
        spec: {
          containers: [
            {
              ...container,
              resources: { requests: small, limits: big },
              resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }],
            },
          ],
        },
      },
      resized(
        { requests: small, limits: { ...big, memory: "1Gi" } },
        { resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }] },
      ),
    ],
    [
      "the whole pod from 1.36 on",
      { release: "1.36", spec: { resources: { requests: big, limits: big } } },
      { spec: { resources: { requests: { cpu: "3" }, limits: { cpu: "3" } } } },
    ],
    [
      "an init container from 1.36 on",
      { release: "1.36", spec: { initContainers: [initContainer] } },
      resizedInit({}, { requests: big }),
    ],
    [
      "a node that reports container resources",
      { status: { containerStatuses: [{ name: "c", resources: {}, state: { running: {} } }] } },
      resized({ requests: big }),
    ],
  ])("but not for %s", async (_title, existing, change) => {
    const send = await made(existing);
    const { findings, code } = await send("PATCH", path, change);
    expect(findings).toEqual([]);
    expect(code).toBe(200);
  });
});

import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const allGates = {
  TopologyAwareWorkloadScheduling: true,
  DRAWorkloadResourceClaims: true,
  WorkloadAwarePreemption: true,
};

const groups = "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups";
const workloads = "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/workloads";
const early = "/apis/scheduling.k8s.io/v1alpha1/namespaces/default/workloads";

const send = (release: string, version: string, featureGates = {}) =>
  testClient(
    quietCluster({
      release,
      runtimeConfig: { [`scheduling.k8s.io/${version}`]: true },
      featureGates: { GenericWorkload: true, ...featureGates },
    }),
  );

const basic = { schedulingPolicy: { basic: {} } };
const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");
const oneOfPolicy = "must specify one of: `basic`, `gang`";
const oneClaim = "`resourceClaimName`, `resourceClaimTemplateName`";
const claim = (name: string) => ({ name, resourceClaimName: "x" });

describe("a new PodGroup", () => {
  const client = send("1.36", "v1alpha2", allGates);

  test.each<[title: string, spec: object, findings: readonly unknown[]]>([
    ["without a policy", {}, [`spec.schedulingPolicy: Invalid value: "": ${oneOfPolicy}`]],
    [
      "with two policies",
      { schedulingPolicy: { basic: {}, gang: { minCount: 1 } } },
      ['spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`'],
    ],
    [
      "with no minimum",
      { schedulingPolicy: { gang: {} } },
      ["spec.schedulingPolicy.gang.minCount: Required value"],
    ],
    [
      "with a negative minimum",
      { schedulingPolicy: { gang: { minCount: -1 } } },
      ["spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1"],
    ],
    [
      "with a reference to nothing",
      { ...basic, podGroupTemplateRef: {} },
      ['spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`'],
    ],
    [
      "with an incomplete reference",
      { ...basic, podGroupTemplateRef: { workload: {} } },
      [
        "spec.podGroupTemplateRef.workload.workloadName: Required value",
        "spec.podGroupTemplateRef.workload.podGroupTemplateName: Required value",
      ],
    ],
    [
      "with too many topologies",
      { ...basic, schedulingConstraints: { topology: [{ key: "a" }, { key: "b" }] } },
      ["spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item"],
    ],
    [
      "with a topology without key",
      { ...basic, schedulingConstraints: { topology: [{}] } },
      ["spec.schedulingConstraints.topology[0].key: Required value"],
    ],
    [
      "with too many claims",
      { ...basic, resourceClaims: ["a", "b", "c", "d", "e"].map(claim) },
      ["spec.resourceClaims: Too many: 5: must have at most 4 items"],
    ],
    [
      "with claims that are wrong in every way",
      {
        ...basic,
        resourceClaims: [{ name: "a" }, { name: "", resourceClaimName: "x", resourceClaimTemplateName: "_" }],
      },
      [
        `spec.resourceClaims[0]: Invalid value: "": must specify one of: ${oneClaim}`,
        `spec.resourceClaims[1]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": must specify exactly one of: ${oneClaim}`,
        "spec.resourceClaims[1].name: Required value",
        subdomain,
      ],
    ],
    [
      "with another mode, class and priority",
      { ...basic, disruptionMode: "Node", priorityClassName: "_", priority: 1_000_000_001 },
      [
        'spec.disruptionMode: Unsupported value: "Node": supported values: "Pod", "PodGroup"',
        subdomain,
        "spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000",
      ],
    ],
  ])("%s is refused", async (_title, spec, findings) => {
    const answer = await client("POST", groups, { metadata: { name: "g" }, spec });
    expect(answer.findings).toEqual(findings);
  });
});

test("the claims of a PodGroup have different names", async () => {
  const client = send("1.36", "v1alpha2", allGates);
  const spec = { ...basic, resourceClaims: [claim("a"), claim("a")] };
  expect((await client("POST", groups, { metadata: { name: "g" }, spec })).findings).toEqual([
    'spec.resourceClaims[1]: Duplicate value: {"name":"a","resourceClaimName":"x"}',
  ]);
});

test("the spec of a PodGroup is immutable", async () => {
  const client = send("1.36", "v1alpha2", allGates);
  await client("POST", groups, { metadata: { name: "g" }, spec: basic });
  const change = {
    spec: {
      podGroupTemplateRef: { workload: { workloadName: "w", podGroupTemplateName: "t" } },
      schedulingPolicy: { basic: null, gang: { minCount: 1 } },
      schedulingConstraints: { topology: [{ key: "a" }] },
      resourceClaims: [claim("a")],
      disruptionMode: "PodGroup",
      priorityClassName: "high",
      priority: 1,
    },
  };
  expect((await client("PATCH", `${groups}/g`, change)).findings).toEqual(
    Object.keys(change.spec).map((field) => `spec.${field}: Invalid value: null: field is immutable`),
  );
  expect((await client("PATCH", `${groups}/g`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
});

test("the status of a PodGroup names claims of its spec, and changes no metadata", async () => {
  const client = send("1.36", "v1alpha2", allGates);
  await client("POST", groups, { metadata: { name: "g" }, spec: { ...basic, resourceClaims: [claim("a")] } });
  const patch = (status: object) =>
    client("PATCH", `${groups}/g/status`, { metadata: { labels: { a: "b" } }, status });
  expect((await patch({ resourceClaimStatuses: [{ name: "b" }, { name: "b" }] })).findings).toEqual([
    'status.resourceClaimStatuses[0].name: Invalid value: "b": must match the name of an entry in `spec.resourceClaims`',
    'status.resourceClaimStatuses[1].name: Invalid value: "b": must match the name of an entry in `spec.resourceClaims`',
    'status.resourceClaimStatuses[1]: Duplicate value: {"name":"b"}',
  ]);
  const { object } = await patch({ resourceClaimStatuses: [{ name: "a", resourceClaimName: "x" }] });
  expect(object.metadata.labels).toBeUndefined();
  expect(object.status.resourceClaimStatuses).toEqual([{ name: "a", resourceClaimName: "x" }]);
});

describe("a Workload of 1.36", () => {
  const client = send("1.36", "v1alpha2", allGates);
  const template = (name: string) => ({ name, ...basic });

  test.each<[title: string, spec: object, findings: readonly unknown[]]>([
    ["without templates", {}, ["spec.podGroupTemplates: Required value"]],
    [
      "with too many templates",
      { podGroupTemplates: [..."abcdefghi"].map(template) },
      ["spec.podGroupTemplates: Too many: 9: must have at most 8 items"],
    ],
    [
      "with a wrong controller and template",
      { controllerRef: { apiGroup: "_", kind: "", name: "a/b" }, podGroupTemplates: [{ name: "" }] },
      [
        subdomain,
        "spec.controllerRef.kind: Required value",
        `spec.controllerRef.name: Invalid value: "a/b": may not contain '/'`,
        "spec.podGroupTemplates[0].name: Required value",
        `spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "": ${oneOfPolicy}`,
      ],
    ],
  ])("%s is refused", async (_title, spec, findings) => {
    const answer = await client("POST", workloads, { metadata: { name: "w" }, spec });
    expect(answer.findings).toEqual(findings);
  });

  test("keeps its templates and its controller", async () => {
    await client("POST", workloads, {
      metadata: { name: "w" },
      spec: { podGroupTemplates: [template("a")] },
    });
    const spec = { controllerRef: { kind: "Job", name: "j" }, podGroupTemplates: [] };
    expect((await client("PATCH", `${workloads}/w`, { spec })).findings).toEqual([
      "spec.controllerRef: Invalid value: null: field is immutable",
      "spec.podGroupTemplates: Invalid value: null: field is immutable",
      "spec.podGroupTemplates: Required value",
    ]);
  });
});

describe("a Workload of 1.35", () => {
  const client = send("1.35", "v1alpha1");
  const group = (name: string) => ({ name, policy: { basic: {} } });

  test.each<[title: string, spec: object, findings: readonly unknown[]]>([
    ["without groups", {}, ["spec.podGroups: Required value: must have at least one item"]],
    [
      "with wrong groups",
      {
        podGroups: [
          { name: "a", policy: {} },
          { name: "a", policy: { basic: {}, gang: { minCount: 1 } } },
          { name: "b", policy: { gang: { minCount: 0 } } },
        ],
      },
      [
        "spec.podGroups[0].policy: Required value: exactly one of `basic`, `gang` is required",
        'spec.podGroups[1].name: Duplicate value: "a"',
        'spec.podGroups[1].policy: Invalid value: "{`basic`, `gang`}": exactly one of `basic`, `gang` is required, but multiple fields are set',
        "spec.podGroups[2].policy.gang.minCount: Invalid value: 0: must be greater than zero",
      ],
    ],
  ])("%s is refused", async (_title, spec, findings) => {
    const answer = await client("POST", early, { metadata: { name: "w" }, spec });
    expect(answer.findings).toEqual(findings);
  });

  test("keeps its groups, and its controller once it is set", async () => {
    await client("POST", early, { metadata: { name: "w" }, spec: { podGroups: [group("a")] } });
    const controllerRef = { kind: "Job", name: "j" };
    expect((await client("PATCH", `${early}/w`, { spec: { controllerRef } })).code).toBe(200);
    const change = { spec: { controllerRef: { name: "k" }, podGroups: [group("b")] } };
    expect((await client("PATCH", `${early}/w`, change)).findings).toEqual([
      expect.stringMatching(
        /^controllerRef: Invalid value: \{"APIGroup":"","Kind":"Job","Name":"k"\}: field is immutable$/,
      ),
      expect.stringMatching(/^podGroups: Invalid value: \[\{"Name":"b".*\]: field is immutable$/),
    ]);
  });
});

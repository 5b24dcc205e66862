import { describe, expect, test } from "vitest";
import type { FieldError } from "../../../src/apimachinery/errors/field.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import {
  addConfigSourceErrors,
  addConfigStatusErrors,
} from "../../../src/kinds/core/node/node-config-validation.ts";
import { fieldErrorLines } from "../../field-errors.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/nodes";
const labelRule = expect.stringContaining("name part must consist of alphanumeric characters");

describe("a Node is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "taints",
      { spec: { taints: [{ key: "a b" }, { key: "a", effect: "Zed", value: "x y" }] } },
      [
        labelRule,
        "metadata.taints[0].effect: Required value",
        expect.stringContaining('metadata.taints[1].value: Invalid value: "x y": a valid label must be'),
        'metadata.taints[1].effect: Unsupported value: "Zed": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      "taints that are the same",
      { spec: { taints: [1, 2].map(() => ({ key: "a", effect: "NoSchedule" })) } },
      [
        'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
      ],
    ],
    [
      "negative numbers",
      { status: { capacity: { cpu: "-1" } } },
      [
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
    [
      "networks of one family",
      { spec: { podCIDRs: ["10.0.0.0/24", "10.0.0.0/24"] } },
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.0.0/24"}: may specify no more than one CIDR for each IP family',
        'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"',
      ],
    ],
    [
      "networks with an invalid one",
      { spec: { podCIDRs: ["10.0.0.0/24", "zz"] } },
      [
        'spec.podCIDRs[1]: Invalid value: "zz": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: zz)",
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "zz"}: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      "a fractional quantity of an extended resource",
      { status: { capacity: { "example.com/gpu": "500m" }, allocatable: {} } },
      [
        expect.stringMatching(
          /^status\.capacity\.example\.com\/gpu: Invalid value: resource\.Quantity\{.*\}: must be an integer$/,
        ),
      ],
    ],
    [
      "an invalid network",
      { spec: { podCIDR: "zz" } },
      [
        'spec.podCIDRs[0]: Invalid value: "zz": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
  ])("%s", async (_title, body, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, { metadata: { name: "n" }, ...body })).findings).toEqual(findings);
  });
});

describe("a Node", () => {
  test("has a podCIDR that is the first of its podCIDRs", async () => {
    const send = testClient(quietCluster());
    const one = await send("POST", path, { metadata: { name: "a" }, spec: { podCIDR: "10.0.0.0/24" } });
    expect(one.object.spec.podCIDRs).toEqual(["10.0.0.0/24"]);
    const many = await send("POST", path, { metadata: { name: "b" }, spec: { podCIDRs: ["10.0.1.0/24"] } });
    expect(many.object.spec.podCIDR).toBe("10.0.1.0/24");
  });

  test.each<[string, object, readonly string[]]>([
    [
      "its network",
      { spec: { podCIDR: "10.2.0.0/24" } },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      "how many networks it has",
      { spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      "its provider",
      { spec: { providerID: "a://c" } },
      ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    ],
    ["its external name", { spec: { externalID: "x" } }, ["spec.externalID: Forbidden: may not be updated"]],
  ])("keeps %s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const spec = { podCIDR: "10.0.0.0/24", providerID: "a://b" };
    await send("POST", path, { metadata: { name: "n" }, spec });
    expect((await send("PATCH", `${path}/n`, change)).findings).toEqual(findings);
  });

  test("keeps its initial status, deduplicates its addresses, and drops its configuration", async () => {
    const send = testClient(quietCluster());
    const body = {
      metadata: { name: "n" },
      spec: { configSource: {}, externalID: "x" },
      status: { phase: "Running" },
    };
    const { object, warnings } = await send("POST", path, body);
    expect(object.status.phase).toBe("Running");
    expect(object.spec.configSource).toBeUndefined();
    expect(warnings).toEqual(["spec.externalID: this field is deprecated, and is unused by Kubernetes"]);
    const addresses = [1, 2].map(() => ({ type: "InternalIP", address: "1.2.3.4" }));
    expect((await send("PATCH", `${path}/n/status`, { status: { addresses } })).findings).toEqual([
      'status.addresses[1]: Duplicate value: core.NodeAddress{Type:"InternalIP", Address:"1.2.3.4"}',
    ]);
  });
});

test("a Node can be created without a reported status, and its spec can be completed", async () => {
  const send = testClient(quietCluster());
  const capacity = { cpu: "2", memory: "1Gi" };
  const { object } = await send("POST", path, {
    metadata: { name: "n", generation: 3 },
    status: { capacity },
  });
  expect(object.status.allocatable).toEqual(capacity);
  expect(object.status.daemonEndpoints).toEqual({ kubeletEndpoint: { Port: 0 } });
  expect(Object.values(object.status.nodeInfo)).toEqual(Array.from({ length: 10 }, () => ""));
  expect(object.spec.taints).toEqual([{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]);
  expect(object.metadata.generation).toBe(3);
  const { object: changed } = await send("PATCH", `${path}/n`, { spec: { unschedulable: true } });
  expect([changed.spec.unschedulable, changed.metadata.generation]).toEqual([true, 3]);
  const { object: kept } = await send("PATCH", `${path}/n/status`, {
    spec: { unschedulable: false },
    status: { phase: "Running" },
  });
  expect([kept.spec.unschedulable, kept.status.phase]).toEqual([true, "Running"]);
  expect((await send("DELETE", `${path}/n`)).object).toMatchObject({ kind: "Status", status: "Success" });
});

type Reported = [
  release: string,
  created: readonly string[],
  reported: readonly string[],
  warnings: readonly string[],
];

// Upstream drops the fields of disabled features from Nodes, but not from what `/status` reports.
test.each<Reported>([
  ["1.30", [], ["runtimeHandlers"], ['unknown field "status.features"']],
  ["1.32", ["runtimeHandlers"], ["features", "runtimeHandlers"], []],
  [
    "1.33",
    ["features", "runtimeHandlers"],
    ["features", "runtimeHandlers"],
    [
      'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
    ],
  ],
])(
  "a Node of %s keeps the fields of the release, and has warnings for its networks",
  async (release, fields, later, warnings) => {
    const send = testClient(quietCluster({ release }));
    const status = {
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [{ name: "r", features: { recursiveReadOnlyMounts: true } }],
    };
    const sent = { metadata: { name: "n" }, spec: { podCIDR: "10.0.0.1/24" }, status };
    const made = await send("POST", path, sent);
    expect(
      Object.keys(made.object.status)
        .filter((field) => field in status)
        .sort(),
    ).toEqual(fields);
    expect(made.warnings).toEqual(warnings);
    const reported = await send("PATCH", `${path}/n/status`, { status });
    expect(
      Object.keys(reported.object.status)
        .filter((field) => field in status)
        .sort(),
    ).toEqual(later);
  },
);

describe("the dynamic configuration of an old Node", () => {
  const reference = { namespace: "n", name: "c", kubeletConfigKey: "k" };
  const identity = { uid: "u", resourceVersion: "1" };
  const shown = "core.NodeConfigSource{ConfigMap:(*core.ConfigMapNodeConfigSource)(nil)}";

  test.each<[title: string, errors: readonly FieldError[], findings: readonly unknown[]]>([
    [
      "needs a reference",
      collectErrors((errors) => addConfigSourceErrors(errors, {}, "spec.configSource")),
      [`spec.configSource: Invalid value: ${shown}: exactly one reference subfield must be non-nil`],
    ],
    [
      "must not have a uid or resourceVersion in the spec",
      collectErrors((errors) =>
        addConfigSourceErrors(errors, { configMap: { ...reference, ...identity } }, "spec.configSource"),
      ),
      [
        "spec.configSource.configMap.uid: Forbidden: uid must not be set in spec",
        "spec.configSource.configMap.resourceVersion: Forbidden: resourceVersion must not be set in spec",
      ],
    ],
    [
      "is reported in one state",
      collectErrors((errors) =>
        addConfigStatusErrors(errors, { active: { configMap: reference } }, "status.config"),
      ),
      [
        "status.config.active.configMap.uid: Required value: uid must be set in status",
        "status.config.active.configMap.resourceVersion: Required value: resourceVersion must be set in status",
      ],
    ],
    [
      "is found by names",
      collectErrors((errors) => addConfigSourceErrors(errors, { configMap: {} }, "spec.configSource")),
      ["namespace", "name", "kubeletConfigKey"].map(
        (name) => `spec.configSource.configMap.${name}: Required value: ${name} must be set`,
      ),
    ],
    [
      "is found by names that can be",
      collectErrors((errors) =>
        addConfigSourceErrors(
          errors,
          { configMap: { namespace: "A", name: "B", kubeletConfigKey: "a b" } },
          "spec.configSource",
        ),
      ),
      [
        expect.stringMatching(/^spec\.configSource\.configMap\.namespace: Invalid value: "A": a lowercase/),
        expect.stringMatching(/^spec\.configSource\.configMap\.name: Invalid value: "B": a lowercase/),
        expect.stringMatching(
          /^spec\.configSource\.configMap\.kubeletConfigKey: Invalid value: "a b": a valid config key/,
        ),
      ],
    ],
  ])("%s", (_title, errors, findings) => {
    expect(fieldErrorLines(errors)).toEqual(findings);
  });
});

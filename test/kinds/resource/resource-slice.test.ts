import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/resource.k8s.io/v1beta1";
const slices = `${root}/resourceslices`;
const classes = `${root}/deviceclasses`;
const options = { runtimeConfig: new Map([["resource.k8s.io/v1beta1", true]]) };
const many = (count: number) => Array.from({ length: count }, (_, i) => i);

const good = { driver: "d.io", pool: { name: "p", resourceSliceCount: 1 }, nodeName: "n" };
const oneOf = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required";
const term = (key: string) => ({ matchExpressions: [{ key, operator: "Exists" }] });
const device = (attributes: object) => ({ devices: [{ name: "x", basic: { attributes } }] });

describe("a ResourceSlice is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "no driver and no pool",
      { driver: "", pool: { name: "", generation: -1, resourceSliceCount: 0 } },
      [
        "spec.driver: Required value",
        expect.stringContaining('spec.driver: Invalid value: "": a lowercase RFC 1123 subdomain'),
        "spec.pool.name: Required value",
        "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
        "spec.pool.generation: Invalid value: -1: must be greater than or equal to zero",
      ],
    ],
    ["no nodes", { nodeName: null }, [`spec: Required value: ${oneOf}`]],
    [
      "both one node and all nodes",
      { nodeName: "N_", allNodes: true },
      [
        expect.stringContaining('spec.nodeName: Invalid value: "N_": a lowercase RFC 1123 subdomain'),
        `spec: Invalid value: resource.ResourceSliceSpec{Driver:"d.io", Pool:resource.ResourcePool{Name:"p", Generation:0, ResourceSliceCount:1}, NodeName:"N_", NodeSelector:(*core.NodeSelector)(nil), AllNodes:true, Devices:[]resource.Device(nil)}: ${oneOf}`,
      ],
    ],
    [
      "several node selector terms",
      { nodeName: null, nodeSelector: { nodeSelectorTerms: [term("a"), term("b c")] } },
      [
        expect.stringContaining(
          'spec.nodeSelector.nodeSelectorTerms[1].matchExpressions[0].key: Invalid value: "b c": name part must',
        ),
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: []core.NodeSelectorTerm{core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"a", Operator:"Exists", Values:[]string(nil)}}, MatchFields:[]core.NodeSelectorRequirement(nil)}, core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"b c", Operator:"Exists", Values:[]string(nil)}}, MatchFields:[]core.NodeSelectorRequirement(nil)}}: must have exactly one selector term',
      ],
    ],
    [
      "invalid or duplicate devices",
      { devices: [{ name: "X", basic: {} }, { name: "y" }, { name: "y", basic: {} }] },
      [
        expect.stringContaining('spec.devices[0].name: Invalid value: "X": a lowercase RFC 1123 label'),
        "spec.devices[1].basic: Required value",
        'spec.devices[2].name: Duplicate value: "y"',
      ],
    ],
    [
      "too many devices",
      { devices: many(129).map((i) => ({ name: `x${i}`, basic: {} })) },
      ["spec.devices: Too many: 129: must have at most 128 items"],
    ],
    [
      "attributes without a value, or with two",
      device({ a: {}, b: { int: 1, bool: true } }),
      [
        "spec.devices[0].basic.attributes[a]: Required value: exactly one value must be specified",
        "spec.devices[0].basic.attributes[b]: Invalid value: resource.DeviceAttribute{IntValue:(*int64)(0xc000000000), BoolValue:(*bool)(0xc000000000), StringValue:(*string)(nil), VersionValue:(*string)(nil)}: exactly one field must be specified",
      ],
    ],
    [
      "attributes with invalid values",
      device({
        a: { string: "x".repeat(65) },
        b: { version: "1.2" },
        c: { version: `1.2.3-${"x".repeat(60)}` },
      }),
      [
        "spec.devices[0].basic.attributes[a].string: Too long: may not be more than 64 bytes",
        'spec.devices[0].basic.attributes[b].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
        "spec.devices[0].basic.attributes[c].version: Too long: may not be more than 64 bytes",
      ],
    ],
    [
      "invalid names of attributes and capacities",
      {
        devices: [
          { name: "x", basic: { attributes: { "a-b": { int: 1 } }, capacity: { "1": { value: "1" } } } },
        ],
      },
      [
        expect.stringContaining(
          'spec.devices[0].basic.attributes: Invalid value: "a-b": a valid C identifier',
        ),
        expect.stringContaining('spec.devices[0].basic.capacity: Invalid value: "1": a valid C identifier'),
      ],
    ],
    [
      "too many attributes of a device",
      device(Object.fromEntries(many(33).map((i) => [`a${i}`, { int: i }]))),
      [
        "spec.devices[0].basic: Invalid value: 33: the total number of attributes and capacities must not exceed 32",
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster(options));
    const body = { metadata: { name: "s" }, spec: { ...good, ...change } };
    expect((await send("POST", slices, body)).findings).toEqual(findings);
  });
});

test("a ResourceSlice cannot change its nodes and its driver, and counts other changes", async () => {
  const send = testClient(quietCluster(options));
  expect(
    (await send("POST", slices, { metadata: { name: "s" }, spec: good })).object.metadata.generation,
  ).toBe(1);
  const spec = { driver: "e.io", pool: { name: "q" }, nodeName: "m" };
  expect((await send("PATCH", `${slices}/s`, { spec })).findings).toEqual([
    'spec.pool.name: Invalid value: "q": field is immutable',
    'spec.driver: Invalid value: "e.io": field is immutable',
    'spec.nodeName: Invalid value: "m": field is immutable',
  ]);
  const changed = await send("PATCH", `${slices}/s`, { spec: { pool: { generation: 1 } } });
  expect(changed.object.metadata.generation).toBe(2);
});

test("the devices of a ResourceSlice of v1 are flat", async () => {
  const send = testClient(quietCluster({ release: "1.34" }));
  const spec = { ...good, devices: [{ name: "x", attributes: { a: {} } }] };
  const { findings } = await send("POST", "/apis/resource.k8s.io/v1/resourceslices", {
    metadata: { name: "s" },
    spec,
  });
  expect(findings).toEqual([
    "spec.devices[0].attributes[a]: Required value: exactly one value must be specified",
  ]);
});

test("a DeviceClass has selectors and a configuration, and counts its changes", async () => {
  const send = testClient(quietCluster(options));
  const spec = {
    selectors: [{}, ...many(32).map(() => ({ cel: { expression: "true" } }))],
    config: [{}, ...many(32).map(() => ({ opaque: { driver: "d.io", parameters: {} } }))],
  };
  expect((await send("POST", classes, { metadata: { name: "c" }, spec })).findings).toEqual([
    "spec.selectors[0].cel: Required value",
    "spec.selectors: Too many: 33: must have at most 32 items",
    "spec.config[0].opaque: Required value",
    "spec.config: Too many: 33: must have at most 32 items",
  ]);
  expect(
    (await send("POST", classes, { metadata: { name: "c" }, spec: {} })).object.metadata.generation,
  ).toBe(1);
  const told = await send("PATCH", `${classes}/c`, { spec: { config: [{}] } });
  expect(told.findings).toEqual([1, 2].map(() => "spec.config[0].opaque: Required value"));
  const changed = await send("PATCH", `${classes}/c`, {
    spec: { selectors: [{ cel: { expression: "true" } }] },
  });
  expect(changed.object.metadata.generation).toBe(2);
});

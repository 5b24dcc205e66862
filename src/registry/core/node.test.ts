import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const path = "/api/v1/nodes";
const labelRule = expect.stringContaining("name part must consist of alphanumeric characters");

describe("a Node is refused for", () => {
  test.each<[string, object, readonly string[]]>([
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
      "less than nothing",
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
      "a network that is none",
      { spec: { podCIDR: "zz" } },
      [
        'spec.podCIDRs[0]: Invalid value: "zz": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
  ])("%s", async (_title, body, findings) => {
    const ask = asking(quietCluster());
    expect((await ask("POST", path, { metadata: { name: "n" }, ...body })).findings).toEqual(findings);
  });
});

describe("a Node", () => {
  test("has one network that is the first of its networks", async () => {
    const ask = asking(quietCluster());
    const one = await ask("POST", path, { metadata: { name: "a" }, spec: { podCIDR: "10.0.0.0/24" } });
    expect(one.object.spec.podCIDRs).toEqual(["10.0.0.0/24"]);
    const many = await ask("POST", path, { metadata: { name: "b" }, spec: { podCIDRs: ["10.0.1.0/24"] } });
    expect(many.object.spec.podCIDR).toBe("10.0.1.0/24");
  });

  test.each<[string, object, readonly string[]]>([
    [
      "its network",
      { spec: { podCIDR: "10.2.0.0/24" } },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      "its provider",
      { spec: { providerID: "a://c" } },
      ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    ],
    ["its external name", { spec: { externalID: "x" } }, ["spec.externalID: Forbidden: may not be updated"]],
  ])("keeps %s", async (_title, change, findings) => {
    const ask = asking(quietCluster());
    const spec = { podCIDR: "10.0.0.0/24", providerID: "a://b" };
    await ask("POST", path, { metadata: { name: "n" }, spec });
    expect((await ask("PATCH", `${path}/n`, change)).findings).toEqual(findings);
  });

  test("keeps the status it is made with, has its addresses once, and forgets its configuration", async () => {
    const ask = asking(quietCluster());
    const body = {
      metadata: { name: "n" },
      spec: { configSource: {}, externalID: "x" },
      status: { phase: "Running" },
    };
    const { object, warnings } = await ask("POST", path, body);
    expect(object.status.phase).toBe("Running");
    expect(object.spec.configSource).toBeUndefined();
    expect(warnings).toEqual(["spec.externalID: this field is deprecated, and is unused by Kubernetes"]);
    const addresses = [1, 2].map(() => ({ type: "InternalIP", address: "1.2.3.4" }));
    expect((await ask("PATCH", `${path}/n/status`, { status: { addresses } })).findings).toEqual([
      'status.addresses[1]: Duplicate value: core.NodeAddress{Type:"InternalIP", Address:"1.2.3.4"}',
    ]);
  });
});

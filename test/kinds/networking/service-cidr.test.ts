import { describe, expect, test } from "vitest";
import type { ClusterOptions } from "../../../src/index.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/networking.k8s.io/v1";
const serviceCidrs = `${root}/servicecidrs`;
const addresses = `${root}/ipaddresses`;
const parentRef = { resource: "services", namespace: "default", name: "s" };
const current = { release: "1.33" } as const;
const immutable = "field is immutable";

describe("a ServiceCIDR is refused for", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["no network", [], ["spec.cidrs: Required value: at least one CIDR required"]],
    [
      "three networks",
      ["10.0.0.0/8", "fd00::/64", "11.0.0.0/8"],
      [
        'spec.cidrs: Invalid value: networking.ServiceCIDRSpec{CIDRs:[]string{"10.0.0.0/8", "fd00::/64", "11.0.0.0/8"}}: may only hold up to 2 values',
      ],
    ],
    [
      "invalid networks",
      ["x", "10.0.0.1/8"],
      [
        'spec.cidrs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        'spec.cidrs[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      ],
    ],
    [
      "two networks of one family",
      ["10.0.0.0/8", "11.0.0.0/8"],
      [
        'spec.cidrs: Invalid value: []string{"10.0.0.0/8", "11.0.0.0/8"}: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
  ])("%s", async (_title, cidrs, findings) => {
    const send = testClient(quietCluster(current));
    const body = { metadata: { name: "c" }, spec: { cidrs } };
    expect((await send("POST", serviceCidrs, body)).findings).toEqual(findings);
  });
});

describe("the networks of a ServiceCIDR", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["stay", ["11.0.0.0/8"], [`spec.cidrs[0]: Invalid value: "11.0.0.0/8": ${immutable}`]],
    [
      "cannot all be removed",
      [],
      [
        "spec.cidrs: Required value: at least one CIDR required",
        `spec.cidrs: Invalid value: []string{}: ${immutable}`,
      ],
    ],
    [
      "can only be extended by one of the other family, reported twice",
      ["10.0.0.0/8", "11.0.0.0/8"],
      Array.from(
        { length: 2 },
        () =>
          'spec.cidrs: Invalid value: []string{"10.0.0.0/8", "11.0.0.0/8"}: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ),
    ],
    ["can be extended by one of the other family", ["10.0.0.0/8", "fd00::/64"], []],
  ])("%s", async (_title, cidrs, findings) => {
    const send = testClient(quietCluster(current));
    await send("POST", serviceCidrs, { metadata: { name: "c" }, spec: { cidrs: ["10.0.0.0/8"] } });
    expect((await send("PATCH", `${serviceCidrs}/c`, { spec: { cidrs } })).findings).toEqual(findings);
  });
});

test("an IPAddress and a ServiceCIDR may change their labels", async () => {
  const send = testClient(quietCluster(current));
  await send("POST", serviceCidrs, { metadata: { name: "c" }, spec: { cidrs: ["10.0.0.0/8"] } });
  await send("POST", addresses, { metadata: { name: "10.0.0.1" }, spec: { parentRef } });
  for (const path of [`${serviceCidrs}/c`, `${addresses}/10.0.0.1`]) {
    expect((await send("PATCH", path, { metadata: { labels: { a: "b" } } })).code).toBe(200);
  }
});

test.each<[string, ClusterOptions, boolean]>([
  ["of 1.33 also with the object", current, true],
  ["of 1.36 only through `/status`", { release: "1.36" }, false],
  [
    "of 1.36 without the gate also with the object",
    { release: "1.36", featureGates: { ServiceCIDRStatusFieldWiping: false } },
    true,
  ],
])("the status of a ServiceCIDR %s can be written", async (_title, options, isKept) => {
  const send = testClient(quietCluster(options));
  const conditions = [
    { type: "Ready", status: "True", reason: "R", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" },
  ];
  const body = { metadata: { name: "c" }, spec: { cidrs: ["10.0.0.0/8"] }, status: { conditions } };
  const made = await send("POST", serviceCidrs, body);
  expect(made.object.status).toEqual(isKept ? { conditions } : {});
  const [ready] = conditions;
  const changed = await send("PATCH", `${serviceCidrs}/c`, {
    status: { conditions: [{ ...ready, message: "changed" }] },
  });
  expect(changed.object.status).toEqual(isKept ? { conditions: [{ ...ready, message: "changed" }] } : {});
});

test("the networks of a ServiceCIDR are immutable before 1.33", async () => {
  const send = testClient(
    quietCluster({ release: "1.32", runtimeConfig: { "networking.k8s.io/v1beta1": true } }),
  );
  const path = "/apis/networking.k8s.io/v1beta1/servicecidrs";
  await send("POST", path, { metadata: { name: "c" }, spec: { cidrs: ["10.0.0.0/8"] } });
  expect(
    (await send("PATCH", `${path}/c`, { spec: { cidrs: ["10.0.0.0/8", "fd00::/64"] } })).findings,
  ).toEqual([`spec.cidrs: Invalid value: []string{"10.0.0.0/8", "fd00::/64"}: ${immutable}`]);
});

test("a ServiceCIDR counts its changes, and changes its status through `/status`", async () => {
  const send = testClient(quietCluster({ release: "1.36" }));
  const conditions = [
    { type: "Ready", status: "True", reason: "R", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" },
  ];
  const body = { metadata: { name: "c" }, spec: { cidrs: ["10.0.0.0/8"] }, status: { conditions } };
  const made = await send("POST", serviceCidrs, body);
  expect(made.object).toMatchObject({ metadata: { generation: 1 }, status: {} });
  expect(made.object.status).toEqual({});
  const changed = await send("PATCH", `${serviceCidrs}/c`, { spec: { cidrs: ["10.0.0.0/8", "fd00::/64"] } });
  expect(changed.object.metadata.generation).toBe(2);
  const reported = await send("PATCH", `${serviceCidrs}/c/status`, { status: { conditions }, spec: {} });
  expect(reported.object.status).toEqual({ conditions });
});

describe("an IPAddress is refused for", () => {
  test.each<[string, string, object, readonly unknown[]]>([
    [
      "a name that is not an address",
      "x",
      { parentRef },
      ['metadata.name: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      "a non-canonical address",
      "2001:db8:0::1",
      { parentRef },
      ['metadata.name: Invalid value: "2001:db8:0::1": must be in canonical form ("2001:db8::1")'],
    ],
    ["no parent", "10.0.0.1", {}, ["spec.parentRef: Required value"]],
    [
      "a parent without resource and name",
      "10.0.0.1",
      { parentRef: { group: "G_", namespace: "a/b" } },
      [
        expect.stringContaining('spec.parentRef.group: Invalid value: "G_": a lowercase RFC 1123 subdomain'),
        "spec.parentRef.resource: Required value",
        "spec.parentRef.name: Required value",
        "spec.parentRef.namespace: Invalid value: \"a/b\": may not contain '/'",
      ],
    ],
    [
      "a parent that is not a path",
      "10.0.0.1",
      { parentRef: { resource: "a/b", name: ".." } },
      [
        "spec.parentRef.resource: Invalid value: \"a/b\": may not contain '/'",
        "spec.parentRef.name: Invalid value: \"..\": may not be '..'",
      ],
    ],
  ])("%s", async (_title, name, spec, findings) => {
    const send = testClient(quietCluster(current));
    expect((await send("POST", addresses, { metadata: { name }, spec })).findings).toEqual(findings);
  });

  test("another parent", async () => {
    const send = testClient(quietCluster(current));
    const made = await send("POST", addresses, { metadata: { name: "10.0.0.1" }, spec: { parentRef } });
    expect(made.object.metadata.generation).toBe(1);
    const { findings } = await send("PATCH", `${addresses}/10.0.0.1`, { spec: { parentRef: { name: "t" } } });
    expect(findings).toEqual([
      `spec.parentRef: Invalid value: networking.ParentReference{Group:"", Resource:"services", Namespace:"default", Name:"t"}: ${immutable}`,
    ]);
  });
});

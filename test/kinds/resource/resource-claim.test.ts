import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const root = "/apis/resource.k8s.io/v1beta1";
const claims = `${root}/namespaces/default/resourceclaims`;
const templates = `${root}/namespaces/default/resourceclaimtemplates`;
const options = { runtimeConfig: new Map([["resource.k8s.io/v1beta1", true]]) };
const immutable = "field is immutable";
const many = (count: number) => Array.from({ length: count }, (_, i) => i);

const request = { name: "r", deviceClassName: "c" };
const opaque = { driver: "d.io", parameters: { a: 1 } };
const identifier =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

type Case = readonly [title: string, devices: object, findings: readonly unknown[]];

// Of a claim, and of a template for one.
const cases: readonly Case[] = [
  [
    "an empty request",
    { requests: [{ name: "" }] },
    [
      expect.stringContaining('requests[0].name: Invalid value: "": a lowercase RFC 1123 label'),
      "requests[0].deviceClassName: Required value",
      'requests[0].allocationMode: Unsupported value: "": supported values: "All", "ExactCount"',
    ],
  ],
  [
    "requests with invalid names",
    { requests: [{ name: "A", deviceClassName: "C_" }] },
    [
      expect.stringContaining('requests[0].name: Invalid value: "A": a lowercase RFC 1123 label'),
      expect.stringContaining(
        'requests[0].deviceClassName: Invalid value: "C_": a lowercase RFC 1123 subdomain',
      ),
    ],
  ],
  ["requests of one name", { requests: [request, request] }, ['requests[1].name: Duplicate value: "r"']],
  [
    "more requests than devices",
    { requests: many(33).map((i) => ({ ...request, name: `r${i}` })) },
    ["requests: Too many: 33: must have at most 32 items"],
  ],
  [
    "counts",
    {
      requests: [
        { ...request, allocationMode: "All", count: 2 },
        { ...request, name: "s", count: -1 },
        { ...request, name: "t", allocationMode: "Q" },
      ],
    },
    [
      "requests[0].count: Invalid value: 2: must not be specified when allocationMode is 'All'",
      "requests[1].count: Invalid value: -1: must be greater than zero",
      'requests[2].allocationMode: Unsupported value: "Q": supported values: "All", "ExactCount"',
    ],
  ],
  [
    "selectors",
    { requests: [{ ...request, selectors: [{}, { cel: { expression: "x".repeat(10_241) } }] }] },
    [
      "requests[0].selectors[0].cel: Required value",
      "requests[0].selectors[1].cel.expression: Too long: may not be more than 10240 bytes",
    ],
  ],
  [
    "too many selectors",
    { requests: [{ ...request, selectors: many(33).map(() => ({ cel: { expression: "true" } })) }] },
    ["requests[0].selectors: Too many: 33: must have at most 32 items"],
  ],
  [
    "constraints",
    {
      requests: [request],
      constraints: [
        {},
        { requests: ["r", "r", "s"], matchAttribute: "" },
        { matchAttribute: "a-b" },
        { matchAttribute: "/x" },
        { matchAttribute: "D_/" },
        { matchAttribute: `d.io/${"x".repeat(33)}` },
      ],
    },
    [
      "constraints[0].matchAttribute: Required value",
      'constraints[1].requests[2]: Invalid value: "s": must be the name of a request in the claim',
      'constraints[1].requests[1]: Duplicate value: "r"',
      "constraints[1].matchAttribute: Required value: name required",
      "constraints[1].matchAttribute.domain: Required value: must include a prefix",
      `constraints[2].matchAttribute: Invalid value: "a-b": ${identifier}`,
      "constraints[2].matchAttribute.domain: Required value: must include a prefix",
      "constraints[3].matchAttribute: Required value: the prefix must not be empty",
      expect.stringContaining('constraints[4].matchAttribute: Invalid value: "D_": a lowercase RFC 1123'),
      "constraints[4].matchAttribute: Required value: the name must not be empty",
      "constraints[5].matchAttribute: Too long: may not be more than 32 bytes",
    ],
  ],
  [
    "configurations",
    {
      requests: [request],
      config: [
        {},
        { opaque: { driver: "" } },
        { requests: ["A"], opaque: { ...opaque, parameters: "x" } },
        { opaque: { ...opaque, parameters: { a: "x".repeat(10_240) } } },
      ],
    },
    [
      "config[0].opaque: Required value",
      "config[1].opaque.driver: Required value",
      expect.stringContaining('config[1].opaque.driver: Invalid value: "": a lowercase RFC 1123 subdomain'),
      "config[1].opaque.parameters: Required value",
      expect.stringContaining('config[2].requests[0]: Invalid value: "A": a lowercase RFC 1123 label'),
      'config[2].requests[0]: Invalid value: "A": must be the name of a request in the claim',
      'config[2].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      "config[3].opaque.parameters: Too long: may not be more than 10240 bytes",
    ],
  ],
];

function at(path: string, findings: readonly unknown[]): readonly unknown[] {
  return findings.map((finding) => (typeof finding === "string" ? `${path}.${finding}` : finding));
}

describe("a ResourceClaim is refused for", () => {
  test.each(cases)("%s", async (_title, devices, findings) => {
    const send = testClient(quietCluster(options));
    const body = { metadata: { name: "c" }, spec: { devices } };
    expect((await send("POST", claims, body)).findings).toEqual(at("spec.devices", findings));
  });
});

describe("a ResourceClaimTemplate is refused for", () => {
  test.each(cases)("%s", async (_title, devices, findings) => {
    const send = testClient(quietCluster(options));
    const body = { metadata: { name: "t" }, spec: { spec: { devices } } };
    expect((await send("POST", templates, body)).findings).toEqual(at("spec.spec.devices", findings));
  });
});

describe("the requests of a ResourceClaim of v1", () => {
  const current = { release: "1.34" } as const;
  const path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  const eitherOr = "exactly one of `exactly` or `firstAvailable` is required";
  const exactly = { deviceClassName: "c" };

  test.each<[string, readonly object[], readonly string[]]>([
    ["must have a type", [{ name: "r" }], [`requests[0]: Required value: ${eitherOr}`]],
    [
      "must not have two types",
      [{ name: "r", exactly, firstAvailable: [{ name: "s", ...exactly }] }],
      [`requests[0]: Invalid value: null: ${eitherOr}, but multiple fields are set`],
    ],
    [
      "are checked at their paths",
      [
        { name: "r", exactly: {} },
        { name: "s", firstAvailable: [{ name: "t" }, { name: "t", ...exactly }] },
      ],
      [
        "requests[0].exactly.deviceClassName: Required value",
        "requests[1].firstAvailable[0].deviceClassName: Required value",
        'requests[1].firstAvailable[1].name: Duplicate value: "t"',
      ],
    ],
  ])("%s", async (_title, requests, findings) => {
    const send = testClient(quietCluster(current));
    const body = { metadata: { name: "c" }, spec: { devices: { requests } } };
    expect((await send("POST", path, body)).findings).toEqual(at("spec.devices", findings));
  });

  test("are referred to with their subrequests", async () => {
    const send = testClient(quietCluster(current));
    const requests = [{ name: "r", firstAvailable: [{ name: "s", ...exactly }] }];
    const config = [{ requests: ["r", "r/s"], opaque }];
    const body = { metadata: { name: "c" }, spec: { devices: { requests, config } } };
    expect((await send("POST", path, body)).code).toBe(201);
  });
});

describe("the spec", () => {
  const shown =
    'resource.ResourceClaimSpec{Devices:resource.DeviceClaim{Requests:[]resource.DeviceRequest{resource.DeviceRequest{Name:"r", DeviceClassName:"d", Selectors:[]resource.DeviceSelector(nil), AllocationMode:"ExactCount", Count:1, AdminAccess:(*bool)(nil)}}, Constraints:[]resource.DeviceConstraint(nil), Config:[]resource.DeviceClaimConfiguration(nil)}}';
  const claimSpec = (deviceClassName: string) => ({
    devices: { requests: [{ name: "r", deviceClassName }] },
  });

  test("of a ResourceClaim is immutable", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", claims, { metadata: { name: "c" }, spec: claimSpec("c") });
    expect((await send("PATCH", `${claims}/c`, { spec: claimSpec("d") })).findings).toEqual([
      `spec: Invalid value: ${shown}: ${immutable}`,
    ]);
  });

  test("does not affect changes of labels", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", claims, { metadata: { name: "c" }, spec: claimSpec("c") });
    expect((await send("PATCH", `${claims}/c`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
  });

  test("of a ResourceClaimTemplate is immutable, including the metadata of its claims", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", templates, { metadata: { name: "t" }, spec: { spec: claimSpec("c") } });
    const { findings } = await send("PATCH", `${templates}/t`, { spec: { spec: claimSpec("d") } });
    expect(findings).toEqual([
      expect.stringMatching(
        /^spec: Invalid value: resource\.ResourceClaimTemplateSpec\{ObjectMeta:v1\.ObjectMeta\{.*\}, Spec:resource\.ResourceClaimSpec\{.*DeviceClassName:"d".*\}\}: field is immutable$/,
      ),
    ]);
  });

  test("of both versions drops admin access without its gate", async () => {
    const send = testClient(quietCluster(options));
    const spec = { devices: { requests: [{ ...request, adminAccess: true }] } };
    const claim = await send("POST", claims, { metadata: { name: "c" }, spec });
    const template = await send("POST", templates, { metadata: { name: "t" }, spec: { spec } });
    const kept = { ...request, allocationMode: "ExactCount", count: 1 };
    expect(claim.object.spec.devices.requests).toEqual([kept]);
    expect(template.object.spec.spec.devices.requests).toEqual([kept]);
    const open = testClient(quietCluster({ ...options, featureGates: new Map([["DRAAdminAccess", true]]) }));
    const admitted = await open("POST", claims, { metadata: { name: "c" }, spec });
    expect(admitted.object.spec.devices.requests[0].adminAccess).toBe(true);
  });
});

describe("the status of a ResourceClaim", () => {
  const result = { request: "r", driver: "d.io", pool: "p", device: "x" };
  const allocation = { devices: { results: [result] } };
  const pod = { resource: "pods", name: "p", uid: "u" };
  const gated = { ...options, featureGates: new Map([["DRAResourceClaimDeviceStatus", true]]) };

  async function made(with_: typeof options = options): Promise<SendRequest> {
    const send = testClient(quietCluster(with_));
    const body = {
      metadata: { name: "c" },
      spec: { devices: { requests: [request] } },
      status: { allocation },
    };
    const { object } = await send("POST", claims, body);
    expect(object.status).toEqual({});
    return send;
  }

  test.each<[string, object, readonly unknown[]]>([
    [
      "results",
      {
        allocation: {
          devices: {
            results: [{ request: "z", driver: "D_", pool: "P_/", device: "X" }],
            config: [{}, { source: "Q", requests: ["z"], opaque }],
          },
          nodeSelector: {},
        },
      },
      [
        'allocation.devices.results[0].request: Invalid value: "z": must be the name of a request in the claim',
        expect.stringContaining(
          'status.allocation.devices.results[0].driver: Invalid value: "D_": a lowercase',
        ),
        expect.stringContaining(
          'status.allocation.devices.results[0].pool: Invalid value: "P_": a lowercase',
        ),
        expect.stringContaining('status.allocation.devices.results[0].pool: Invalid value: "": a lowercase'),
        expect.stringContaining(
          'status.allocation.devices.results[0].device: Invalid value: "X": a lowercase',
        ),
        "allocation.devices.config[0].source: Required value",
        "allocation.devices.config[0].opaque: Required value",
        'allocation.devices.config[1].source: Unsupported value: "Q": supported values: "FromClaim", "FromClass"',
        'allocation.devices.config[1].requests[0]: Invalid value: "z": must be the name of a request in the claim',
        "allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term",
      ],
    ],
    [
      "a pool without a name",
      { allocation: { devices: { results: [{ ...result, pool: "" }] } } },
      ["allocation.devices.results[0].pool: Required value"],
    ],
    [
      "a pool with a long name",
      { allocation: { devices: { results: [{ ...result, pool: `${"p/".repeat(127)}p` }] } } },
      ["allocation.devices.results[0].pool: Too long: may not be more than 253 bytes"],
    ],
    [
      "empty or duplicate consumers",
      { allocation, reservedFor: [{ resource: "", name: "", uid: "" }, pod, pod] },
      [
        "reservedFor[0].resource: Required value",
        "reservedFor[0].name: Required value",
        "reservedFor[0].uid: Required value",
        'reservedFor[2].uid: Duplicate value: "u"',
      ],
    ],
    [
      "too many consumers",
      { allocation, reservedFor: many(33).map((i) => ({ ...pod, uid: `u${i}` })) },
      ["reservedFor: Too many: 33: must have at most 32 items"],
    ],
    [
      "consumers without an allocation",
      { reservedFor: [pod] },
      ["reservedFor: Forbidden: may not be specified when `allocated` is not set"],
    ],
  ])("is refused for %s", async (_title, status, findings) => {
    const send = await made();
    expect((await send("PATCH", `${claims}/c/status`, { status })).findings).toEqual(at("status", findings));
  });

  test("keeps its allocation, and refuses new consumers when the claim is being deleted", async () => {
    const send = await made();
    const finalizers = ["x.io/keep"];
    const first = await send("PATCH", `${claims}/c/status`, {
      metadata: { finalizers },
      status: { allocation },
    });
    expect(first.object.status).toMatchObject({ allocation });
    const other = { devices: { results: [{ ...result, device: "y" }] } };
    expect((await send("PATCH", `${claims}/c/status`, { status: { allocation: other } })).findings).toEqual([
      `status.allocation: Invalid value: resource.AllocationResult{Devices:resource.DeviceAllocationResult{Results:[]resource.DeviceRequestAllocationResult{resource.DeviceRequestAllocationResult{Request:"r", Driver:"d.io", Pool:"p", Device:"y", AdminAccess:(*bool)(nil)}}, Config:[]resource.DeviceAllocationConfiguration(nil)}, NodeSelector:(*core.NodeSelector)(nil)}: ${immutable}`,
    ]);
    await send("DELETE", `${claims}/c`);
    expect((await send("PATCH", `${claims}/c/status`, { status: { reservedFor: [pod] } })).findings).toEqual([
      "status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
    ]);
    expect((await send("PATCH", `${claims}/c/status`, { status: { allocation: null } })).code).toBe(200);
  });

  test("has no device status without its gate", async () => {
    const device = { driver: "d.io", pool: "p", device: "x" };
    const status = { allocation, devices: [device] };
    const closed = await made();
    const reported = await closed("PATCH", `${claims}/c/status`, { status });
    expect(Object.keys(reported.object.status)).toEqual(["allocation"]);
    const open = await made(gated);
    expect((await open("PATCH", `${claims}/c/status`, { status })).object.status.devices).toEqual([
      expect.objectContaining(device),
    ]);
  });

  test("has one status for each allocated device", async () => {
    const send = await made(gated);
    const device = { driver: "d.io", pool: "p", device: "x" };
    const devices = [
      { ...device, data: "x", networkData: { ips: ["10.0.0.1"] } },
      device,
      { ...device, device: "y" },
    ];
    expect((await send("PATCH", `${claims}/c/status`, { status: { allocation, devices } })).findings).toEqual(
      [
        'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        "status.devices[2]: Invalid value: d.io/p/y: must be an allocated device in the claim",
        "status.devices[1].deviceID: Duplicate value: d.io/p/x",
      ],
    );
  });
});

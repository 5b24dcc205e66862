import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const long = (count: number) => "x".repeat(count);
const many = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);

/** A client of a release that serves claims that name a class. */
function clientOf(release: string) {
  const version = release === "1.26" ? "v1alpha1" : "v1alpha2";
  const root = `/apis/resource.k8s.io/${version}`;
  const cluster = quietCluster({
    release,
    runtimeConfig: { [`resource.k8s.io/${version}`]: true },
    featureGates: { DynamicResourceAllocation: true },
    disableAdmissionPlugins: ["ServiceAccount"],
  });
  return { cluster, send: testClient(cluster), root, namespaced: `${root}/namespaces/default` };
}

const named = (metadata: string, object: object) => ({ metadata: { name: metadata }, ...object });

test.each(["1.26", "1.27", "1.29", "1.30"])(
  "in %s, a ResourceClass is validated, twice in an update",
  async (release) => {
    const { send, root } = clientOf(release);
    const bad = { driverName: "", parametersRef: { kind: "", name: "", namespace: "A" } };
    const refused = await send("POST", `${root}/resourceclasses`, named("c", bad));
    const expected = [
      "driverName: Required value",
      expect.stringContaining('driverName: Invalid value: ""'),
      "parametersRef.kind: Required value",
      "parametersRef.name: Required value",
      expect.stringContaining('parametersRef.namespace: Invalid value: "A"'),
    ];
    expect(refused.findings).toEqual(expected);
    const created = await send("POST", `${root}/resourceclasses`, named("c", { driverName: "d.io" }));
    expect(created.code).toBe(201);
    const updated = await send("PUT", `${root}/resourceclasses/c`, { ...(created.object as object), ...bad });
    expect(updated.findings).toEqual([...expected, ...expected]);
  },
);

test.each(["1.26", "1.27", "1.30"])(
  "in %s, the spec of a ResourceClaim and of a template is validated",
  async (release) => {
    const { send, namespaced } = clientOf(release);
    const spec = { resourceClassName: "A", parametersRef: { kind: "", name: "p" }, allocationMode: "Later" };
    const expected = (at: string) => [
      expect.stringContaining(`${at}.resourceClassName: Invalid value: "A"`),
      `${at}.parametersRef.kind: Required value`,
      `${at}.allocationMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"`,
    ];
    const claim = await send("POST", `${namespaced}/resourceclaims`, named("c", { spec }));
    expect(claim.findings).toEqual(expected("spec"));
    const template = await send(
      "POST",
      `${namespaced}/resourceclaimtemplates`,
      named("t", { spec: { spec } }),
    );
    expect(template.findings).toEqual(expected("spec.spec"));
    const good = await send(
      "POST",
      `${namespaced}/resourceclaims`,
      named("c", { spec: { resourceClassName: "a" } }),
    );
    expect(good.object).toMatchObject({ spec: { allocationMode: "WaitForFirstConsumer" } });
    const changed = await send("PUT", `${namespaced}/resourceclaims/c`, {
      ...(good.object as object),
      spec: { resourceClassName: "b" },
    });
    expect(changed.findings).toEqual([
      expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
    ]);
  },
);

describe("the status of a ResourceClaim of 1.27", () => {
  const consumer = (uid: string) => ({ resource: "pods", name: "p", uid });
  const allocation = { resourceHandles: [{ driverName: "d.io", data: "x" }] };

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "an allocation without a driver",
      {},
      { allocation },
      ["status.driverName: Required value: must be specified when `allocation` is set"],
    ],
    [
      "handles that are too long",
      {},
      {
        driverName: "d.io",
        allocation: { resourceHandles: [{ driverName: "", data: long(16 * 1024 + 1) }] },
      },
      [
        "status.allocation.resourceHandles[0].driverName: Required value",
        expect.stringContaining("status.allocation.resourceHandles[0].driverName: Invalid value"),
        "status.allocation.resourceHandles[0].data: Too long: may not be longer than 16384",
      ],
    ],
    [
      "consumers of a claim without an allocation",
      {},
      { reservedFor: [{ resource: "", name: "", uid: "a" }, consumer("a")] },
      [
        "status.reservedFor[0].resource: Required value",
        "status.reservedFor[0].name: Required value",
        'status.reservedFor[1].uid: Duplicate value: "a"',
        "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
      ],
    ],
    [
      "two consumers of a claim that is not shareable",
      {},
      { driverName: "d.io", allocation, reservedFor: [consumer("a"), consumer("b")] },
      ["status.reservedFor: Forbidden: may not be reserved more than once"],
    ],
    [
      "another allocation",
      { driverName: "d.io", allocation },
      { driverName: "d.io", allocation: { shareable: true } },
      [expect.stringMatching(/^status.allocation: Invalid value: .*: field is immutable$/)],
    ],
    [
      "a deallocation with consumers",
      { driverName: "d.io", allocation, reservedFor: [consumer("a")] },
      { driverName: "d.io", allocation, reservedFor: [consumer("a")], deallocationRequested: true },
      [
        "status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set",
      ],
    ],
    [
      "a deallocation of nothing",
      {},
      { deallocationRequested: true },
      ["status: Forbidden: `allocation` must be set when `deallocationRequested` is set"],
    ],
    [
      "a deallocation that is taken back",
      { driverName: "d.io", allocation, deallocationRequested: true },
      { driverName: "d.io", allocation },
      ["status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set"],
    ],
  ])("is refused for %s", async (_title, before, after, expected) => {
    const { send, namespaced } = clientOf("1.27");
    const path = `${namespaced}/resourceclaims`;
    const { object } = await send("POST", path, named("c", { spec: { resourceClassName: "a" } }));
    const claim = object as { metadata: object };
    const first = await send("PUT", `${path}/c/status`, { ...claim, status: before });
    expect(first.code).toBe(200);
    const { metadata } = first.object as { metadata: object };
    const second = await send("PUT", `${path}/c/status`, { ...claim, metadata, status: after });
    expect(second.findings).toEqual(expected);
  });
});

test.each([
  ["1.26", "podschedulings"],
  ["1.27", "podschedulingcontexts"],
])("in %s, %s have valid nodes", async (release, resource) => {
  const { send, namespaced } = clientOf(release);
  const path = `${namespaced}/${resource}`;
  const refused = await send(
    "POST",
    path,
    named("p", { spec: { potentialNodes: ["A", ...many(128), "n0"] } }),
  );
  expect(refused.findings).toEqual([
    expect.stringContaining('spec.potentialNodes[0]: Invalid value: "A"'),
    'spec.potentialNodes[129]: Duplicate value: "n0"',
    "spec.potentialNodes: Too long: may not be longer than 128",
  ]);
  const { object } = await send("POST", path, named("p", { spec: { selectedNode: "n" } }));
  const status = { resourceClaims: [{ name: "c", unsuitableNodes: ["B"] }] };
  const update = await send("PUT", `${path}/p/status`, { ...(object as object), status });
  expect(update.findings).toEqual([
    expect.stringContaining('status.claims[0].unsuitableNodes[0]: Invalid value: "B"'),
  ]);
});

describe("what 1.30 adds", () => {
  test("is validated in slices", async () => {
    const { send, root } = clientOf("1.30");
    const path = `${root}/resourceslices`;
    const none = await send("POST", path, named("s", { nodeName: "n", driverName: "d.io" }));
    expect(none.findings).toEqual(["<nil>: Required value: exactly one structured model field must be set"]);
    const attributes = [{ name: "a", version: "1" }, { name: "a", bool: true, int: 1 }, { name: "b" }];
    const bad = {
      nodeName: "N",
      driverName: "d.io",
      namedResources: { instances: [{ name: "i", attributes }] },
    };
    const at = "namedResources.instances[0].attributes";
    expect((await send("POST", path, named("s", bad))).findings).toEqual([
      expect.stringContaining('nodeName: Invalid value: "N"'),
      `${at}[0].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0`,
      `${at}[1].name: Duplicate value: "a"`,
      `${at}[1]: Invalid value: []string{"bool", "int"}: exactly one field must be set, not several`,
      `${at}[2]: Required value: exactly one value must be set`,
    ]);
    const good = { nodeName: "n", driverName: "d.io", namedResources: { instances: [{ name: "i" }] } };
    const { code, object } = await send("POST", path, named("s", good));
    expect(code).toBe(201);
    const moved = await send("PUT", `${path}/s`, { ...(object as object), nodeName: "m" });
    expect(moved.findings).toEqual(['nodeName: Invalid value: "m": field is immutable']);
  });

  test("is validated in parameters", async () => {
    const { send, namespaced } = clientOf("1.30");
    const claim = {
      generatedFrom: { kind: "", name: "x" },
      driverRequests: [{ driverName: "d.io" }, { driverName: "d.io", requests: [{}] }],
    };
    const refused = await send("POST", `${namespaced}/resourceclaimparameters`, named("p", claim));
    expect(refused.findings).toEqual([
      "generatedFrom.kind: Required value",
      "driverRequests[0].requests: Required value: empty entries with no requests are not allowed",
      'driverRequests[1].driverName: Duplicate value: "d.io"',
      "driverRequests[1].requests[0]: Required value: exactly one structured model field must be set",
    ]);
    const parameters = {
      filters: [{ driverName: "d.io", namedResources: { selector: "" } }],
      vendorParameters: [{ driverName: "" }],
    };
    const other = await send("POST", `${namespaced}/resourceclassparameters`, named("p", parameters));
    expect(other.findings).toEqual([
      "filters[0].namedResources.selector: Required value",
      "vendorParameters[0].driverName: Required value",
      expect.stringContaining("vendorParameters[0].driverName: Invalid value"),
    ]);
  });
});

describe.each(["1.26", "1.30"])("in %s, the claims of a pod", (release) => {
  const pod = (claims: readonly object[], name = "p") =>
    named(name, {
      spec: {
        containers: [{ name: "c", image: "i", resources: { claims: [{ name: "a" }] } }],
        resourceClaims: claims,
      },
    });

  test("have their names in a source", async () => {
    const { send } = clientOf(release);
    const path = "/api/v1/namespaces/default/pods";
    const claims = [
      { name: "a", source: { resourceClaimTemplateName: "t" } },
      { name: "b", source: { resourceClaimName: "x" } },
    ];
    const created = await send("POST", path, pod(claims));
    expect(created).toMatchObject({ code: 201, object: { spec: { resourceClaims: claims } } });
    const bad = [
      { name: "a", source: {} },
      { name: "a", source: { resourceClaimName: "X", resourceClaimTemplateName: "t" } },
    ];
    const refused = await send("POST", path, pod(bad, "q"));
    expect(refused.findings).toEqual([
      expect.stringMatching(/^spec.resourceClaims\[0\].source: Invalid value: .*: must specify one of: /),
      'spec.resourceClaims[1].name: Duplicate value: "a"',
      expect.stringMatching(/^spec.resourceClaims\[1\].source: Invalid value: .*: at most one of /),
      expect.stringContaining('spec.resourceClaims[1].source.resourceClaimName: Invalid value: "X"'),
    ]);
    const made = await send(
      "POST",
      path,
      pod([{ name: "a", source: { resourceClaimTemplateName: "t" } }], long(252)),
    );
    expect(made.findings).toEqual([
      expect.stringMatching(
        /^spec.resourceClaims\[0\].name: Invalid value: "x+-a": final ResourceClaim name: must be no more than 253/,
      ),
    ]);
  });

  test("are dropped without the gate", async () => {
    const send = testClient(quietCluster({ release, disableAdmissionPlugins: ["ServiceAccount"] }));
    const claims = [{ name: "a", source: { resourceClaimTemplateName: "t" } }];
    const { object } = await send("POST", "/api/v1/namespaces/default/pods", pod(claims));
    expect(object).toMatchObject({ spec: { containers: [{ resources: {} }] } });
    expect((object as { spec: object }).spec).not.toHaveProperty("resourceClaims");
  });
});

test.each([
  ["resourceslices", ["Name", "Node", "Driver", "Pool", "Age"], ["s", "n", "d.io", ""]],
  ["namespaces/default/resourceclaimparameters", ["Name", "GeneratedFrom", "Age"], ["s", "K.g.io x"]],
])("a table of 1.30 shows %s", async (path, columns, cells) => {
  const { cluster, send, root } = clientOf("1.30");
  const isSlice = path === "resourceslices";
  const slice = { nodeName: "n", driverName: "d.io", namedResources: { instances: [] } };
  const parameters = { generatedFrom: { apiGroup: "g.io", kind: "K", name: "x" } };
  await send("POST", `${root}/${path}`, named("s", isSlice ? slice : parameters));
  const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  const response = await cluster.fetch(`https://cluster.test${root}/${path}`, { headers });
  const { columnDefinitions, rows } = JSON.parse(await response.text());
  expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(columns);
  expect(rows[0].cells.slice(0, -1)).toEqual(cells);
});

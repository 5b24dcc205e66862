import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { Release } from "../../src/apimachinery/release.ts";
import { everyApi } from "../../src/catalog/every-api.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

/** The same object in every version of a release. */
interface Moved {
  readonly resource: string;
  readonly group: string;
  readonly release: Release;
  /** Everything but metadata, by version. */
  readonly versions: { readonly [version: string]: JsonObject };
  readonly namespaced?: true;
}

const reject = { limitResponse: { type: "Reject" } };
const assured = { spec: { type: "Limited", limited: { assuredConcurrencyShares: 7, ...reject } } };
const earlyLevel = {
  spec: { type: "Limited", limited: { assuredConcurrencyShares: 7, ...reject, lendablePercent: 3 } },
};
const level = {
  spec: { type: "Limited", limited: { nominalConcurrencyShares: 7, ...reject, lendablePercent: 3 } },
};
const flow = { group: "flowcontrol.apiserver.k8s.io", resource: "prioritylevelconfigurations" };

const rbac = "rbac.authorization.k8s.io";
const roleRef = { apiGroup: rbac, kind: "ClusterRole", name: "view" };
const subjects = (own: JsonObject, account: JsonObject): readonly JsonObject[] => [
  { kind: "User", ...own, name: "u" },
  { kind: "Group", ...own, name: "g" },
  { kind: "ServiceAccount", ...account, name: "a", namespace: "n" },
];
const binding = { subjects: subjects({ apiGroup: rbac }, {}), roleRef };

const overhead = { podFixed: { cpu: "1" } };
const selectors = [{ cel: { expression: "true" } }];
const exactly = { deviceClassName: "c.example.com", selectors, allocationMode: "ExactCount", count: 2 };
const earlyClaim = { devices: { requests: [{ name: "r", ...exactly }] } };
const claim = { devices: { requests: [{ name: "r", exactly }] } };
const slice = (device: JsonObject): JsonObject => ({
  spec: {
    driver: "d.example.com",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    nodeName: "n",
    devices: [{ name: "a", ...device }],
  },
});
const attributes = { "d.example.com/a": { string: "x" } };
const capacity = { "d.example.com/m": { value: "1Gi" } };
const earlySlice = slice({ basic: { attributes, capacity } });
const alphaSlice = slice({ basic: { attributes, capacity: { "d.example.com/m": "1Gi" } } });
const lateSlice = slice({ attributes, capacity });
const dra = { group: "resource.k8s.io", namespaced: true } as const;

const moved: readonly Moved[] = [
  { ...flow, release: "1.23", versions: { v1beta1: assured, v1beta2: assured } },
  { ...flow, release: "1.26", versions: { v1beta2: earlyLevel, v1beta3: level } },
  { ...flow, release: "1.28", versions: { v1beta2: earlyLevel, v1beta3: level } },
  { ...flow, release: "1.29", versions: { v1beta3: level, v1: level } },
  { ...flow, release: "1.31", versions: { v1beta3: level, v1: level } },
  ...(["1.16", "1.20", "1.21"] as const).map((release): Moved => {
    const late = { handler: "h", overhead };
    return {
      group: "node.k8s.io",
      resource: "runtimeclasses",
      release,
      versions: {
        v1alpha1: { spec: { runtimeHandler: "h", overhead } },
        v1beta1: late,
        ...(release !== "1.16" && { v1: late }),
      },
    };
  }),
  ...["rolebindings", "clusterrolebindings"].map(
    (resource): Moved => ({
      group: rbac,
      resource,
      release: "1.20",
      ...(resource === "rolebindings" && { namespaced: true }),
      versions: {
        v1alpha1: { subjects: subjects({ apiVersion: `${rbac}/v1alpha1` }, { apiVersion: "v1" }), roleRef },
        v1beta1: binding,
        v1: binding,
      },
    }),
  ),
  { ...dra, resource: "resourceclaims", release: "1.32", versions: early({ spec: earlyClaim }) },
  {
    ...dra,
    resource: "resourceclaims",
    release: "1.33",
    versions: all({ spec: earlyClaim }, { spec: claim }),
  },
  {
    ...dra,
    resource: "resourceclaims",
    release: "1.34",
    versions: late({ spec: earlyClaim }, { spec: claim }),
  },
  {
    ...dra,
    resource: "resourceclaimtemplates",
    release: "1.35",
    versions: late({ spec: { spec: earlyClaim } }, { spec: { spec: claim } }),
  },
  {
    group: dra.group,
    resource: "resourceslices",
    release: "1.32",
    versions: { v1alpha3: alphaSlice, v1beta1: earlySlice },
  },
  {
    group: dra.group,
    resource: "resourceslices",
    release: "1.33",
    versions: { v1alpha3: alphaSlice, v1beta1: earlySlice, v1beta2: lateSlice },
  },
  { group: dra.group, resource: "resourceslices", release: "1.36", versions: late(earlySlice, lateSlice) },
];

function early(fields: JsonObject): Moved["versions"] {
  return { v1alpha3: fields, v1beta1: fields };
}

function all(earlyFields: JsonObject, fields: JsonObject): Moved["versions"] {
  return { ...early(earlyFields), v1beta2: fields };
}

function late(earlyFields: JsonObject, fields: JsonObject): Moved["versions"] {
  return { v1beta1: earlyFields, v1beta2: fields, v1: fields };
}

const title = ({ resource, release }: Moved): string => `${resource} of ${release}`;

describe.each(moved.map((one) => [title(one), one] as const))("%s", (_title, kind) => {
  const versions = Object.entries(kind.versions);
  const path = (version: string): string =>
    `/apis/${kind.group}/${version}/${kind.namespaced ? "namespaces/default/" : ""}${kind.resource}`;

  test("have the fields of each version, through whichever they are written and read", async () => {
    await using cluster = quietCluster({ release: kind.release, runtimeConfig: everyApi });
    const send = testClient(cluster);
    for (const [index, [written, fields]] of versions.entries()) {
      const name = `m${index}`;
      const created = await send("POST", path(written), { metadata: { name }, ...fields });
      expect([created.code, ...created.findings]).toEqual([201]);
      for (const [read, expected] of versions) {
        const got = await send("GET", `${path(read)}/${name}`);
        expect({ written, read, ...got.object }).toMatchObject({ written, read, ...expected });
        await expectSameThrough(send, `${path(read)}`, name, expected);
      }
      for (const [other, expected] of versions) {
        const labels = { metadata: { labels: { [other]: written } } };
        const patched = await send("PATCH", `${path(other)}/${name}`, labels);
        expect(patched.object).toMatchObject({ ...expected, ...labels });
        const applied = await apply(cluster, `${path(other)}/${name}`, {
          apiVersion: `${kind.group}/${other}`,
          kind: created.object.kind,
          ...expected,
        });
        expect({ other, ...applied }).toMatchObject({ other, ...expected });
      }
    }
  });

  test("are readable in every format", async () => {
    await using cluster = quietCluster({ release: kind.release, runtimeConfig: everyApi });
    const [[written = "", fields = {}] = []] = versions;
    await testClient(cluster)("POST", path(written), { metadata: { name: "m" }, ...fields });
    for (const [read] of versions) {
      for (const accept of formats) {
        for (const suffix of ["", "/m", ...(isStreamed(accept) ? [watch] : [])]) {
          const response = await cluster.fetch(`https://c${path(read)}${suffix}`, {
            headers: { accept, authorization: `Bearer ${cluster.adminToken()}` },
            signal: AbortSignal.timeout(20_000),
          });
          expect([accept, read, suffix, response.status]).toEqual([accept, read, suffix, 200]);
          await response.body?.cancel();
        }
      }
    }
  });
});

const watch = "?watch=1&timeoutSeconds=1&resourceVersion=0";
const isStreamed = (format: string): boolean => format !== "application/yaml";

const formats = [
  "application/json",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/yaml",
];

async function expectSameThrough(
  send: SendRequest,
  path: string,
  name: string,
  expected: JsonObject,
): Promise<void> {
  const { items } = (await send("GET", path)).object;
  const found = items.find(
    (item: { readonly metadata: { readonly name: string } }) => item.metadata.name === name,
  );
  expect(found).toMatchObject(expected);
}

async function apply(
  cluster: ReturnType<typeof quietCluster>,
  path: string,
  body: object,
): Promise<JsonObject> {
  const response = await cluster.fetch(`https://c${path}?fieldManager=t&force=true`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${cluster.adminToken()}`,
      "content-type": "application/apply-patch+yaml",
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as JsonObject;
}

test("a zero is kept through v1beta3, which has an annotation for it", async () => {
  const key = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  const path = (version: string): string => `/apis/${flow.group}/${version}/${flow.resource}`;
  const limited = { nominalConcurrencyShares: 0, ...reject };
  const featureGates = { ZeroLimitedNominalConcurrencyShares: true };
  for (const release of ["1.29", "1.30"] as const) {
    await using cluster = quietCluster({ release, featureGates });
    const send = testClient(cluster);
    await send("POST", path("v1"), { metadata: { name: "z" }, spec: { type: "Limited", limited } });
    const old = (await send("GET", `${path("v1beta3")}/z`)).object;
    expect(old).toMatchObject({ metadata: { annotations: { [key]: "" } }, spec: { limited } });
    const updated = await send("PUT", `${path("v1beta3")}/z`, { ...old });
    expect(updated.object.spec.limited).toMatchObject(limited);
    const { metadata, spec } = (await send("GET", `${path("v1")}/z`)).object;
    expect([metadata.annotations, spec.limited.nominalConcurrencyShares]).toEqual([undefined, 0]);
    // Without the annotation, a zero is an unset field.
    await send("PUT", `${path("v1beta3")}/z`, { ...old, metadata: { name: "z" } });
    expect((await send("GET", `${path("v1")}/z`)).object.spec.limited.nominalConcurrencyShares).toBe(30);
  }
});

test("every authenticated user is the user * of RBAC v1alpha1", async () => {
  await using cluster = quietCluster({ release: "1.20", runtimeConfig: everyApi });
  const send = testClient(cluster);
  const name = "b";
  const sent = { metadata: { name }, roleRef, subjects: [{ kind: "User", name: "*" }] };
  await send("POST", `/apis/${rbac}/v1alpha1/clusterrolebindings`, sent);
  const { object } = await send("GET", `/apis/${rbac}/v1/clusterrolebindings/${name}`);
  expect(object.subjects).toEqual([{ kind: "Group", apiGroup: rbac, name: "system:authenticated" }]);
});

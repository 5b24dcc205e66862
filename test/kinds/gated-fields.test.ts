import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/apimachinery/json.ts";
import type { ClusterOptions } from "../../src/index.ts";
import { quietCluster } from "../registry/test-client.ts";

const pod = (security: JsonObject) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { containers: [{ name: "c", image: "i", securityContext: security }] },
});

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { ports: [{ port: 80, appProtocol: "http" }] },
};

const volume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "v" },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "d.example.com", volumeHandle: "h", nodeExpandSecretRef: { name: "s", namespace: "n" } },
  },
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { color: { type: "string" } } } },
        selectableFields: [{ jsonPath: ".color" }],
      },
    ],
  },
};

const deviceClass = (version: string) => ({
  apiVersion: `resource.k8s.io/${version}`,
  kind: "DeviceClass",
  metadata: { name: "c" },
  spec: { extendedResourceName: "example.com/gpu" },
});

const slice = (version: string) => ({
  apiVersion: `resource.k8s.io/${version}`,
  kind: "ResourceSlice",
  metadata: { name: "slice" },
  spec: {
    driver: "d.example.com",
    nodeName: "n",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    devices: [{ name: "gpu", taints: [{ key: "example.com/t", effect: "NoSchedule" }] }],
  },
});

/** No controller makes the account that pods get. */
const noAccounts: ClusterOptions = { disableAdmissionPlugins: ["ServiceAccount"] };

type Row = readonly [
  field: string,
  release: string,
  gate: string,
  object: JsonObject & { readonly kind: string; readonly apiVersion: string },
];

const alternatives = {
  apiVersion: "resource.k8s.io/v1beta2",
  kind: "ResourceClaim",
  metadata: { name: "claim" },
  spec: {
    devices: {
      requests: [
        {
          name: "r",
          exactly: { deviceClassName: "c" },
          firstAvailable: [{ name: "a", deviceClassName: "c" }],
        },
      ],
    },
  },
};

/** Upstream: the functions dropDisabledFields of the strategies, at the release before the gate is on by default. */
test.each<Row>([
  ["runAsUserName", "1.16", "WindowsRunAsUserName", pod({ windowsOptions: { runAsUserName: "me" } })],
  ["appProtocol", "1.18", "ServiceAppProtocol", service],
  ["nodeExpandSecretRef", "1.26", "CSINodeExpandSecret", volume],
  ["selectableFields", "1.30", "CustomResourceFieldSelectors", definition],
  ["extendedResourceName", "1.34", "DRAExtendedResource", deviceClass("v1")],
  ["taints", "1.35", "DRADeviceTaints", slice("v1")],
])("%s of %s is dropped unless %s is on", async (field, release, gate, object) => {
  for (const isOn of [false, true]) {
    const options: ClusterOptions = { release, featureGates: { [gate]: isOn }, ...noAccounts };
    await using cluster = quietCluster(options);
    const created = await cluster.create(object);
    expect(JSON.stringify(created.spec as JsonValue).includes(`"${field}":`), `${gate}=${isOn}`).toBe(isOn);
  }
});

test("alternatives of requests for devices are dropped before validation while their gate is off", async () => {
  const options = { release: "1.33", runtimeConfig: { "resource.k8s.io/v1beta2": true } };
  const gates = { DynamicResourceAllocation: true };
  await using without = quietCluster({ ...options, featureGates: gates });
  const created = await without.create(alternatives);
  expect(created.spec.devices.requests).toEqual([
    { name: "r", exactly: expect.objectContaining({ deviceClassName: "c" }) },
  ]);
  await using withGate = quietCluster({ ...options, featureGates: { ...gates, DRAPrioritizedList: true } });
  await expect(withGate.create(alternatives)).rejects.toThrow(
    "exactly one of `exactly` or `firstAvailable` is required",
  );
});

test.each([
  ["1.29", true],
  ["1.30", false],
])("in %s, an unmasked /proc with the users of the host is accepted: %s", async (release, isAccepted) => {
  await using cluster = quietCluster({ release, featureGates: { ProcMountType: true }, ...noAccounts });
  const creation = cluster.create(pod({ procMount: "Unmasked" }));
  if (isAccepted)
    expect((await creation).spec).toMatchObject({
      containers: [{ securityContext: { procMount: "Unmasked" } }],
    });
  else await expect(creation).rejects.toThrow("`hostUsers` must be false to use `Unmasked`");
});

test.each([
  ["1.23", {}, 0],
  ["1.24", { CustomResourceValidationExpressions: true }, 2],
  ["1.25", {}, 2],
  ["1.25", { CustomResourceValidationExpressions: false }, 0],
])("a definition of %s with the gates %j keeps %i rules", async (release, featureGates, count) => {
  const rules = [{ rule: "true" }];
  const schema = {
    type: "object",
    properties: {
      list: { type: "array", maxItems: 3, items: { type: "string", "x-kubernetes-validations": rules } },
    },
    "x-kubernetes-validations": rules,
  };
  await using cluster = quietCluster({ release, featureGates });
  const [version] = definition.spec.versions;
  const { selectableFields: _later, ...served } = version ?? {};
  const versions = [{ ...served, schema: { openAPIV3Schema: schema } }];
  const created = await cluster.create({ ...definition, spec: { ...definition.spec, versions } });
  expect(JSON.stringify(created).split("x-kubernetes-validations").length - 1).toBe(count);
});

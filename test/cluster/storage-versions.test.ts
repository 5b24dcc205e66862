import { expect, test } from "vitest";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { createCluster } from "../../src/index.ts";

function storedVersions(object: KubeObject) {
  return (object as { status?: { storageVersions?: unknown[] } }).status;
}

test("a server publishes the version in which it stores each resource, and again after an upgrade", async () => {
  await using cluster = createCluster({
    release: "1.31",
    featureGates: { StorageVersionAPI: true },
    runtimeConfig: { "internal.apiserver.k8s.io/v1alpha1": true },
  });
  const get = (name: string) => cluster.get("internal.apiserver.k8s.io/v1alpha1", "StorageVersion", name);
  const apiServerID = expect.stringMatching(/^apiserver-/);
  expect(storedVersions(await get("core.pods"))).toEqual({
    storageVersions: [
      { apiServerID, encodingVersion: "v1", decodableVersions: ["v1"], servedVersions: ["v1"] },
    ],
    commonEncodingVersion: "v1",
    conditions: [
      expect.objectContaining({
        type: "AllEncodingVersionsEqual",
        status: "True",
        reason: "CommonEncodingVersionSet",
        message: "Common encoding version set",
      }),
    ],
  });
  const scalers = await get("autoscaling.horizontalpodautoscalers");
  expect(storedVersions(scalers)).toMatchObject({
    commonEncodingVersion: "autoscaling/v2",
    storageVersions: [{ servedVersions: ["autoscaling/v2", "autoscaling/v1"] }],
  });
  await cluster.upgrade("1.32");
  expect((await get("core.pods")).metadata.uid).toBeDefined();
  const { items } = await cluster.list("internal.apiserver.k8s.io/v1alpha1", "StorageVersion");
  const names = items.map(({ metadata }) => metadata.name);
  expect(names).toContain("core.events");
  expect(names).not.toContain("events.k8s.io.events");
  expect(names).not.toContain("authorization.k8s.io.subjectaccessreviews");
});

test("without the gate, no storage versions are published", async () => {
  await using cluster = createCluster({ runtimeConfig: { "internal.apiserver.k8s.io/v1alpha1": true } });
  expect((await cluster.list("internal.apiserver.k8s.io/v1alpha1", "StorageVersion")).items).toEqual([]);
});

const migrationOf = (apiVersion: string, resource: object) => ({
  apiVersion,
  kind: "StorageVersionMigration",
  metadata: { name: "m" },
  spec: { resource },
});

test.each([
  ["1.33", "v1alpha1", { group: "flowcontrol.apiserver.k8s.io", version: "v1", resource: "flowschemas" }],
  ["1.35", "v1beta1", { group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" }],
])("in %s, a migration of %s writes every object once more", async (release, version, resource) => {
  await using cluster = createCluster({
    release,
    controllers: ["storage-version-migrator-controller"],
    featureGates: { StorageVersionMigrator: true },
    runtimeConfig: { [`storagemigration.k8s.io/${version}`]: true },
  });
  const apiVersion = `storagemigration.k8s.io/${version}`;
  await cluster.create(migrationOf(apiVersion, resource));
  await cluster.settle();
  const migrated = await cluster.get(apiVersion, "StorageVersionMigration", "m");
  expect(migrated).toMatchObject({
    status: {
      resourceVersion: expect.stringMatching(/^[1-9]\d*$/),
      conditions: [
        { type: "Running", status: "False", reason: "StorageVersionMigrationInProgress" },
        { type: "Succeeded", status: "True", reason: "StorageVersionMigrationSucceeded" },
      ],
    },
  });
});

test("a migration writes the objects that an earlier release has stored, and no others", async () => {
  await using cluster = createCluster({
    release: "1.30",
    controllers: ["storage-version-migrator-controller"],
    featureGates: { StorageVersionMigrator: true },
    runtimeConfig: { "storagemigration.k8s.io/v1alpha1": true, "admissionregistration.k8s.io/v1beta1": true },
  });
  const policy = (name: string) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
        ],
      },
      validations: [{ expression: "true" }],
    },
  });
  const revisionOf = async (name: string) =>
    (await cluster.get("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", name)).metadata
      .resourceVersion;
  // 1.30 stores them as v1beta1, which 1.29 can read, and 1.31 as v1.
  await cluster.create(policy("old"));
  await cluster.upgrade("1.31");
  await cluster.create(policy("new"));
  const [old, fresh] = [await revisionOf("old"), await revisionOf("new")];
  const group = "admissionregistration.k8s.io";
  await cluster.create(
    migrationOf("storagemigration.k8s.io/v1alpha1", {
      group,
      version: "v1",
      resource: "validatingadmissionpolicies",
    }),
  );
  await cluster.settle();
  expect(Number(await revisionOf("old"))).toBeGreaterThan(Number(old));
  expect(await revisionOf("new")).toBe(fresh);
});

test("a migration of a resource that is not served fails", async () => {
  await using cluster = createCluster({
    release: "1.33",
    featureGates: { StorageVersionMigrator: true },
    runtimeConfig: { "storagemigration.k8s.io/v1alpha1": true },
  });
  const apiVersion = "storagemigration.k8s.io/v1alpha1";
  await cluster.create(migrationOf(apiVersion, { group: "example.com", version: "v1", resource: "things" }));
  await cluster.settle();
  expect(await cluster.get(apiVersion, "StorageVersionMigration", "m")).toMatchObject({
    status: {
      conditions: [
        {
          type: "Failed",
          status: "True",
          reason: "StorageVersionMigrationFailed",
          message: "resource does not exist in discovery",
        },
      ],
    },
  });
});

test.each([
  ["true", []],
  ["false", ["legacy"]],
  ["maybe", ["legacy"]],
  [undefined, ["legacy"]],
])(
  "an upgrade removes flow schemas that the release does not know if they are updated automatically: %s",
  async (value, left) => {
    await using cluster = createCluster({ release: "1.31" });
    await cluster.create({
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: {
        name: "legacy",
        ...(value !== undefined && { annotations: { "apf.kubernetes.io/autoupdate-spec": value } }),
      },
      spec: { priorityLevelConfiguration: { name: "global-default" } },
    });
    await cluster.upgrade("1.32");
    const { items } = await cluster.list("flowcontrol.apiserver.k8s.io/v1", "FlowSchema");
    expect(items.map(({ metadata }) => metadata.name).filter((name) => name === "legacy")).toEqual(left);
  },
);

test("an upgrade notes who decides about suggested objects, and lets no user decide about mandatory ones", async () => {
  await using cluster = createCluster({ release: "1.31" });
  const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
  const annotations = { "apf.kubernetes.io/autoupdate-spec": "false" };
  await cluster.patch(apiVersion, "FlowSchema", "catch-all", { metadata: { annotations } });
  await cluster.patch(apiVersion, "FlowSchema", "probes", {
    metadata: { annotations },
    spec: { matchingPrecedence: 9000 },
  });
  await cluster.upgrade("1.32");
  expect(await cluster.get(apiVersion, "FlowSchema", "catch-all")).toMatchObject({
    metadata: { annotations: { "apf.kubernetes.io/autoupdate-spec": "true" } },
  });
  expect(await cluster.get(apiVersion, "FlowSchema", "probes")).toMatchObject({
    metadata: { annotations: { "apf.kubernetes.io/autoupdate-spec": "false" } },
    spec: { matchingPrecedence: 9000 },
  });
});

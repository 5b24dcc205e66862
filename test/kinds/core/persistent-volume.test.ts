import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../src/apimachinery/clock.ts";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { catalogOf } from "../../../src/catalog/catalog.ts";
import { featureGates } from "../../../src/catalog/feature-gates.ts";
import { addVolumeUpdateErrors } from "../../../src/kinds/core/persistent-volume/persistent-volume-validation.ts";
import { builtInKindSchema } from "../../../src/schema/built-in-schema.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/persistentvolumes";
const good = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/x" },
};
const csi = { driver: "x.y", volumeHandle: "h" };

describe("a PersistentVolume", () => {
  const terms = (...keys: readonly string[]) => ({
    nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: "Exists" })) }],
  });

  test("is pending at first, regardless of its status", async () => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "v" }, spec: good, status: { phase: "Bound" } };
    const { status } = (await send("POST", path, body)).object;
    expect(status).toEqual({ phase: "Pending", lastPhaseTransitionTime: expect.any(String) });
  });

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "source",
      good,
      { hostPath: { path: "/y" } },
      [
        expect.stringMatching(
          /^spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n/,
        ),
      ],
    ],
    ["mode", good, { volumeMode: "Block" }, ['volumeMode: Invalid value: "Block": field is immutable']],
    [
      "place",
      { ...good, nodeAffinity: { required: terms("a") } },
      { nodeAffinity: { required: terms("b") } },
      [
        expect.stringMatching(
          /^nodeAffinity: Invalid value: core.VolumeNodeAffinity\{Required:.*\}: field is immutable, except for updating from beta label to GA$/,
        ),
      ],
    ],
  ])("cannot change its %s", async (_title, spec, change, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "v" }, spec });
    expect((await send("PATCH", `${path}/v`, { spec: change })).findings).toEqual(findings);
  });

  test("can get a node affinity later, and replace legacy labels one by one", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "v" }, spec: good });
    const place = async (...keys: readonly string[]) =>
      (await send("PATCH", `${path}/v`, { spec: { nodeAffinity: { required: terms(...keys) } } })).code;
    expect(await place("beta.kubernetes.io/os", "failure-domain.beta.kubernetes.io/zone", "x")).toBe(200);
    expect(await place("beta.kubernetes.io/os", "topology.kubernetes.io/zone", "x")).toBe(200);
    expect(await place("kubernetes.io/os", "topology.kubernetes.io/zone", "x")).toBe(200);
    expect(await place("beta.kubernetes.io/os", "topology.kubernetes.io/zone", "x")).toBe(422);
    expect(await place("kubernetes.io/os", "topology.kubernetes.io/zone")).toBe(422);
  });

  test("reports every error twice on updates, with the mount options in between", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "v" }, spec: good });
    const annotations = { "volume.beta.kubernetes.io/mount-options": "x" };
    const change = { metadata: { annotations }, spec: { accessModes: [] } };
    expect((await send("PATCH", `${path}/v`, change)).findings).toEqual([
      "spec.accessModes: Required value",
      "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
      "spec.accessModes: Required value",
    ]);
  });

  test("supports mount options in the annotation only for volume types with mounts", async () => {
    const send = testClient(quietCluster());
    const metadata = { name: "v", annotations: { "volume.beta.kubernetes.io/mount-options": "x" } };
    expect((await send("POST", path, { metadata, spec: good })).findings).toEqual([
      "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
    ]);
    const spec = { ...good, hostPath: null, nfs: { server: "a", path: "/b" } };
    expect((await send("POST", path, { metadata, spec })).code).toBe(201);
  });

  test("has no transition time before 1.29", async () => {
    const send = testClient(quietCluster({ release: "1.28" }));
    const made = await send("POST", path, { metadata: { name: "v" }, spec: good });
    expect(made.object.status).toEqual({ phase: "Pending" });
    const reported = await send("PATCH", `${path}/v/status`, { status: { phase: "Bound" } });
    expect(reported.object.status).toEqual({ phase: "Bound" });
  });

  test("has the time of its last phase transition, unless the update sets it", async () => {
    const clock = new VirtualClock(Date.parse("2026-01-01T00:00:00Z"));
    const send = testClient(quietCluster({ clock }));
    await send("POST", path, { metadata: { name: "v" }, spec: good });
    const report = async (status: object) => {
      const { object } = await send("PATCH", `${path}/v/status`, { status });
      return object.status.lastPhaseTransitionTime;
    };
    await clock.advance(60_000);
    expect(await report({ phase: "Pending", lastPhaseTransitionTime: null })).toBe("2026-01-01T00:00:00Z");
    expect(await report({ phase: "Bound" })).toBe("2026-01-01T00:01:00Z");
    const time = "2020-01-01T00:00:00Z";
    expect(await report({ phase: "Released", lastPhaseTransitionTime: time })).toBe(time);
    expect(await report({ lastPhaseTransitionTime: "2021-01-01T00:00:00Z" })).toBe("2021-01-01T00:00:00Z");
  });

  test.each([
    ["cephfs", { monitors: ["m"] }, "spec.cephfs: deprecated in v1.28, non-functional in v1.31+"],
    [
      "photonPersistentDisk",
      { pdID: "i" },
      "spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
    ],
    [
      "scaleIO",
      { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } },
      "spec.scaleIO: deprecated in v1.16, non-functional in v1.22+",
    ],
    ["storageos", { volumeName: "v" }, "spec.storageOS: deprecated in v1.22, non-functional in v1.25+"],
    [
      "glusterfs",
      { endpoints: "e", path: "p" },
      "spec.glusterfs: deprecated in v1.25, non-functional in v1.26+",
    ],
  ])("warns about %s", async (name, source, warning) => {
    const send = testClient(quietCluster());
    const spec = { ...good, hostPath: null, [name]: source };
    expect((await send("POST", path, { metadata: { name: "v" }, spec })).warnings).toEqual([warning]);
  });

  test("can get the secret for expansion later, once", async () => {
    const send = testClient(quietCluster());
    const { hostPath: _none, ...rest } = good;
    await send("POST", path, { metadata: { name: "v" }, spec: { ...rest, csi } });
    const secret = (name: string) => ({
      spec: { csi: { controllerExpandSecretRef: { name, namespace: "n" } } },
    });
    expect((await send("PATCH", `${path}/v`, secret("a"))).code).toBe(200);
    expect((await send("PATCH", `${path}/v`, secret("b"))).code).toBe(422);
  });

  test("warns about removed features", async () => {
    const send = testClient(quietCluster());
    const annotations = {
      "volume.beta.kubernetes.io/mount-options": "x",
      "volume.beta.kubernetes.io/storage-class": "y",
    };
    const metadata = { name: "v", annotations };
    const nodeSelectorTerms = [{ matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }] }];
    const spec = {
      ...good,
      hostPath: null,
      rbd: { monitors: ["m"], image: "i" },
      persistentVolumeReclaimPolicy: "Recycle",
      nodeAffinity: { required: { nodeSelectorTerms } },
    };
    expect((await send("POST", path, { metadata, spec })).warnings).toEqual([
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
    ]);
  });
});

describe("the VolumeAttributesClass of a PersistentVolume", () => {
  const withClass = (volumeAttributesClassName: string | null) => ({ spec: { volumeAttributesClassName } });
  const { hostPath: _none, ...rest } = good;
  const body = { metadata: { name: "v" }, spec: { ...rest, csi } };

  test("requires its feature gate", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { ...body, spec: { ...body.spec, volumeAttributesClassName: "a" } });
    const { object } = await send("PATCH", `${path}/v`, withClass("a"));
    expect(object.spec.volumeAttributesClassName).toBeUndefined();
  });

  test("may change with its gate, but not be removed", async () => {
    const send = testClient(quietCluster({ featureGates: new Map([["VolumeAttributesClass", true]]) }));
    await send("POST", path, body);
    expect((await send("PATCH", `${path}/v`, withClass("a"))).code).toBe(200);
    expect((await send("PATCH", `${path}/v`, withClass("b"))).code).toBe(200);
    expect((await send("PATCH", `${path}/v`, withClass(null))).findings).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    ]);
  });

  test.each<[string, object, readonly unknown[]]>([
    [
      "empty",
      { volumeAttributesClassName: "" },
      ["spec.volumeAttributesClassName: Required value: an empty string is disallowed"],
    ],
    [
      "no name",
      { volumeAttributesClassName: "A_" },
      [
        expect.stringContaining(
          'spec.volumeAttributesClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain',
        ),
      ],
    ],
    [
      "of a volume that has no driver",
      { volumeAttributesClassName: "a", csi: null, hostPath: { path: "/x" } },
      ["spec.csi: Required value: has to be specified when using volumeAttributesClassName"],
    ],
  ])("is refused if it is %s", async (_title, change, findings) => {
    const send = testClient(quietCluster({ featureGates: new Map([["VolumeAttributesClass", true]]) }));
    const spec = { ...body.spec, ...change };
    expect((await send("POST", path, { ...body, spec })).findings).toEqual(findings);
  });

  test("of an existing volume is kept regardless of the gate", () => {
    const schema = builtInKindSchema(catalogOf({ release: "1.32" }), {
      group: "",
      version: "v1",
      kind: "PersistentVolume",
    });
    if (schema === undefined) throw new Error("there are no volumes");
    const volume = (name?: string) =>
      ({
        metadata: { name: "v" },
        spec: { ...body.spec, ...(name !== undefined && { volumeAttributesClassName: name }) },
      }) as unknown as KubeObject;
    const update = (name?: string) =>
      collectErrors((errors) =>
        addVolumeUpdateErrors(errors, volume(name), volume("a"), { gates: featureGates("1.32"), schema }),
      );
    const closed = {
      type: "FieldValueForbidden",
      field: "spec.volumeAttributesClassName",
      body: "Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled",
    };
    expect(update("a")).toEqual([]);
    expect(update("b")).toEqual([closed]);
    expect(update()).toEqual([
      closed,
      { ...closed, body: "Forbidden: update from non-nil value to nil is forbidden" },
    ]);
  });
});

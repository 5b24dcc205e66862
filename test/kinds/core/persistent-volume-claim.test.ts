import { describe, expect, test } from "vitest";
import { type FieldError, fieldCauses } from "../../../src/apimachinery/errors/field.ts";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { sinceOf } from "../../../src/apimachinery/release.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { catalogOf } from "../../../src/catalog/catalog.ts";
import { featureGates } from "../../../src/catalog/feature-gates.ts";
import {
  addClaimStatusErrors,
  addClaimUpdateErrors,
} from "../../../src/kinds/core/persistent-volume-claim/persistent-volume-claim-validation.ts";
import { builtInKindSchema } from "../../../src/schema/built-in-schema.ts";
import { internalTypes } from "../../../src/schema/internal-types.ts";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } };
const betaClass = "volume.beta.kubernetes.io/storage-class";
const shownPath = 'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}';

describe("a PersistentVolumeClaim is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an empty spec",
      { accessModes: null, resources: null },
      [
        "spec.accessModes: Required value: at least 1 access mode is required",
        "spec.resources[storage]: Required value",
      ],
    ],
    [
      "modes, amounts and names",
      {
        accessModes: ["Q", "ReadWriteOncePod", "ReadOnlyMany"],
        selector: { matchLabels: { a: "b c" } },
        resources: { requests: { storage: "0" } },
        storageClassName: "A_",
        volumeMode: "Z",
      },
      [
        expect.stringContaining('spec.selector.matchLabels: Invalid value: "b c": a valid label'),
        'spec.accessModes: Unsupported value: "Q": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
        'spec.resources[storage]: Invalid value: "0": must be greater than zero',
        expect.stringContaining('spec.storageClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain'),
        'spec.volumeMode: Unsupported value: "Z": supported values: "Block", "Filesystem"',
      ],
    ],
    [
      "an empty source, reported for both fields",
      { dataSourceRef: { kind: "", name: "" } },
      ["spec.dataSource", "spec.dataSourceRef"].flatMap((field) => [
        `${field}.name: Required value`,
        `${field}.kind: Required value`,
        `${field}: Invalid value: "": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      ]),
    ],
    [
      "a source with an invalid group",
      { dataSourceRef: { apiGroup: "a_b", kind: "K", name: "n" } },
      ["dataSource", "dataSourceRef"].map((field) =>
        expect.stringContaining(
          `spec.${field}.apiGroup: Invalid value: "a_b": a lowercase RFC 1123 subdomain`,
        ),
      ),
    ],
    [
      "sources that differ",
      {
        dataSource: { kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
      },
      [`spec: Invalid value: ${shownPath}: must match dataSourceRef`],
    ],
    [
      "sources that differ in an empty group",
      {
        dataSource: { apiGroup: "", kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "a" },
      },
      [`spec: Invalid value: ${shownPath}: must match dataSourceRef`],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, spec: { ...spec, ...change } };
    expect((await send("POST", claims, body)).findings).toEqual(findings);
  });
});

describe("a PersistentVolumeClaim with a source in another namespace", () => {
  const dataSourceRef = { kind: "PersistentVolumeClaim", name: "o", namespace: "other" };
  const open = { featureGates: new Map([["CrossNamespaceVolumeDataSource", true]]) };

  test("drops the source without the feature gate", async () => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", claims, {
      metadata: { name: "c" },
      spec: { ...spec, dataSourceRef },
    });
    expect(object.spec).not.toHaveProperty("dataSourceRef");
    expect(object.spec).not.toHaveProperty("dataSource");
  });

  test("has the source only in the newer field", async () => {
    const send = testClient(quietCluster(open));
    const { object } = await send("POST", claims, {
      metadata: { name: "c" },
      spec: { ...spec, dataSourceRef },
    });
    expect(object.spec).toMatchObject({ dataSourceRef });
    expect(object.spec).not.toHaveProperty("dataSource");
  });

  test("is refused for an invalid namespace, and for the older field", async () => {
    const send = testClient(quietCluster(open));
    const dataSource = { kind: "PersistentVolumeClaim", name: "o" };
    const ref = { ...dataSourceRef, namespace: "A." };
    const body = { metadata: { name: "c" }, spec: { ...spec, dataSource, dataSourceRef: ref } };
    expect((await send("POST", claims, body)).findings).toEqual([
      expect.stringContaining(
        'spec.dataSourceRef.namespace: Invalid value: "A.": a lowercase RFC 1123 label',
      ),
      `spec: Invalid value: ${shownPath}: may not be specified when dataSourceRef.namespace is specified`,
    ]);
  });
});

describe("a claim in older releases", () => {
  test("has no newer source field before 1.24, and drops unsupported values of the older one", async () => {
    const send = testClient(quietCluster({ release: "1.23" }));
    const ref = { apiGroup: "x.io", kind: "K", name: "o" };
    const body = { metadata: { name: "c" }, spec: { ...spec, dataSource: ref, dataSourceRef: ref } };
    const { object } = await send("POST", claims, body);
    expect(object.spec).not.toHaveProperty("dataSourceRef");
    expect(object.spec).not.toHaveProperty("dataSource");
  });
});

describe("a PersistentVolumeClaim", () => {
  const storageRequest = (storage: string) => ({ spec: { resources: { requests: { storage } } } });

  async function bound(release = "1.32"): Promise<SendRequest> {
    const send = testClient(quietCluster({ release }));
    const provisioner = { metadata: { name: "s" }, provisioner: "x", allowVolumeExpansion: true };
    await send("POST", "/apis/storage.k8s.io/v1/storageclasses", provisioner);
    await send("POST", claims, { metadata: { name: "c" }, spec: { ...spec, storageClassName: "s" } });
    const status = { phase: "Bound", capacity: { storage: "1Gi" } };
    await send("PATCH", `${claims}/c/status`, { status });
    return send;
  }

  test("may grow when it is bound, and shrink to a size above its capacity", async () => {
    const send = await bound();
    expect((await send("PATCH", `${claims}/c`, storageRequest("3Gi"))).code).toBe(200);
    expect((await send("PATCH", `${claims}/c`, storageRequest("1500Mi"))).code).toBe(200);
    expect((await send("PATCH", `${claims}/c`, storageRequest("1Gi"))).findings).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    ]);
  });

  test("cannot shrink before recovery from expansion was supported", async () => {
    const send = await bound("1.31");
    expect((await send("PATCH", `${claims}/c`, storageRequest("3Gi"))).code).toBe(200);
    expect((await send("PATCH", `${claims}/c`, storageRequest("2Gi"))).findings).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than previous value",
    ]);
  });

  test("cannot change its request before it is bound", async () => {
    const send = testClient(quietCluster());
    await send("POST", claims, { metadata: { name: "c" }, spec });
    expect((await send("PATCH", `${claims}/c`, storageRequest("1Gi"))).findings).toEqual([
      expect.stringMatching(/^spec: Forbidden: spec is immutable after creation except/),
    ]);
  });

  test("cannot change its mode", async () => {
    const send = testClient(quietCluster());
    await send("POST", claims, { metadata: { name: "c" }, spec });
    const { findings } = await send("PATCH", `${claims}/c`, { spec: { volumeMode: "Block" } });
    expect(findings).toEqual([
      expect.stringMatching(/^spec: Forbidden: spec is immutable after creation except/),
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });

  test("reports every error twice on updates", async () => {
    const send = testClient(quietCluster());
    await send("POST", claims, { metadata: { name: "c" }, spec });
    const { findings } = await send("PATCH", `${claims}/c`, { spec: { volumeMode: "Z" } });
    const mode = 'spec.volumeMode: Unsupported value: "Z": supported values: "Block", "Filesystem"';
    expect(findings).toEqual([
      mode,
      mode,
      expect.stringMatching(/^spec: Forbidden/),
      'volumeMode: Invalid value: "Z": field is immutable',
    ]);
  });

  test.each<[string, object, object, readonly unknown[]]>([
    ["may get a class once", {}, { spec: { storageClassName: "s" } }, []],
    ["may get an empty class once", {}, { spec: { storageClassName: "" } }, []],
    [
      "may move its class out of the annotation",
      { [betaClass]: "s" },
      { metadata: { annotations: { [betaClass]: null } }, spec: { storageClassName: "s" } },
      [],
    ],
    [
      "keeps the class of the annotation",
      { [betaClass]: "s" },
      { metadata: { annotations: { [betaClass]: "t" } } },
      [`metadata.annotations.${betaClass}: Invalid value: "t": field is immutable`],
    ],
    [
      "can only get the class of the annotation",
      { [betaClass]: "s" },
      { spec: { storageClassName: "t" } },
      [expect.stringMatching(/^spec: Forbidden: spec is immutable after creation except/)],
    ],
  ])("%s", async (_title, annotations, change, findings) => {
    const send = testClient(quietCluster());
    await send("POST", claims, { metadata: { name: "c", annotations }, spec });
    expect((await send("PATCH", `${claims}/c`, change)).findings).toEqual(findings);
  });

  test("has warnings for the class in the annotation, and for fractional bytes", async () => {
    const send = testClient(quietCluster());
    const resources = { requests: { storage: "1500m" }, limits: { storage: "2500m" } };
    const metadata = { name: "c", annotations: { [betaClass]: "s" } };
    expect((await send("POST", claims, { metadata, spec: { ...spec, resources } })).warnings).toEqual([
      `metadata.annotations[${betaClass}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.resources.limits[storage]: fractional byte value "2500m" is invalid, must be an integer',
    ]);
  });

  test("cannot change the rest of its spec", async () => {
    const send = await bound();
    expect((await send("PATCH", `${claims}/c`, { spec: { storageClassName: "t" } })).findings).toEqual([
      expect.stringMatching(
        /^spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n/,
      ),
    ]);
    expect((await send("PATCH", `${claims}/c`, { spec: { volumeName: "v" } })).code).toBe(200);
  });

  test.each<[string, object, object]>([
    [
      "a claim",
      { dataSource: { kind: "PersistentVolumeClaim", name: "o" } },
      { kind: "PersistentVolumeClaim", name: "o" },
    ],
    [
      "anything, by the newer field",
      { dataSourceRef: { apiGroup: "x.io", kind: "K", name: "o" } },
      { apiGroup: "x.io", kind: "K", name: "o" },
    ],
  ])("is filled from %s, in both fields", async (_title, source, expected) => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", claims, { metadata: { name: "c" }, spec: { ...spec, ...source } });
    expect(object.spec).toMatchObject({ dataSource: expected, dataSourceRef: expected });
  });

  test("drops a source that the older field does not support", async () => {
    const send = testClient(quietCluster());
    const dataSource = { apiGroup: "x.io", kind: "K", name: "o" };
    const { object } = await send("POST", claims, { metadata: { name: "c" }, spec: { ...spec, dataSource } });
    expect(object.spec.dataSource).toBeUndefined();
  });

  test("has only storage resources in its status", async () => {
    const send = await bound();
    const status = {
      capacity: { storage: "-1" },
      allocatedResourceStatuses: { cpu: "Q" },
      allocatedResources: { memory: "1" },
    };
    expect((await send("PATCH", `${claims}/c/status`, { status })).findings).toEqual([
      "status.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "storage"',
      'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "ControllerResizeFailed", "ControllerResizeInProgress", "NodeResizeFailed", "NodeResizeInProgress", "NodeResizePending"',
      'status.allocatedResources: Unsupported value: "memory": supported values: "storage"',
    ]);
  });

  test("requires valid names and states in its status", async () => {
    const send = await bound();
    const status = {
      allocatedResourceStatuses: { "a b": "NodeResizeFailed", "x.io/y": "NodeResizePending" },
      allocatedResources: { "x.io/y": "-1", storage: "1Gi" },
    };
    expect((await send("PATCH", `${claims}/c/status`, { status })).findings).toEqual([
      expect.stringContaining(
        'status.allocatedResourceStatus: Invalid value: "a b": name part must consist of',
      ),
      "status.allocatedResources[x.io/y]: Invalid value: -1: must be a valid resource quantity",
    ]);
  });

  test("drops status fields of disabled gates", async () => {
    const send = await bound("1.31");
    const status = {
      currentVolumeAttributesClassName: "a",
      modifyVolumeStatus: { status: "Pending" },
      allocatedResources: { storage: "1Gi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
    };
    const { object } = await send("PATCH", `${claims}/c/status`, { status });
    expect(object.status).toEqual({ phase: "Bound", capacity: { storage: "1Gi" } });
  });
});

describe("the VolumeAttributesClass of a PersistentVolumeClaim", () => {
  const open = { featureGates: new Map([["VolumeAttributesClass", true]]) };
  const withClass = (volumeAttributesClassName: string | null) => ({ spec: { volumeAttributesClassName } });

  test("requires its feature gate", async () => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, spec: { ...spec, volumeAttributesClassName: "a" } };
    expect((await send("POST", claims, body)).object.spec).not.toHaveProperty("volumeAttributesClassName");
  });

  test("may change with its gate, but not be removed", async () => {
    const send = testClient(quietCluster(open));
    await send("POST", claims, { metadata: { name: "c" }, spec });
    expect((await send("PATCH", `${claims}/c`, withClass("a"))).code).toBe(200);
    expect((await send("PATCH", `${claims}/c`, withClass("b"))).code).toBe(200);
    expect((await send("PATCH", `${claims}/c`, withClass(null))).findings).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    ]);
    expect((await send("PATCH", `${claims}/c`, withClass(""))).findings).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to an empty string is forbidden",
    ]);
  });

  test("is refused if it is not a name", async () => {
    const send = testClient(quietCluster(open));
    const body = { metadata: { name: "c" }, spec: { ...spec, volumeAttributesClassName: "A_" } };
    expect((await send("POST", claims, body)).findings).toEqual([
      expect.stringContaining(
        'spec.volumeAttributesClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain',
      ),
    ]);
  });
});

describe("a claim from before a validation rule", () => {
  const schema = builtInKindSchema(catalogOf({ release: "1.32" }), {
    group: "",
    version: "v1",
    kind: "PersistentVolumeClaim",
  });
  const claim = (more: object, status: object = {}) =>
    ({ metadata: { name: "c" }, spec: { ...spec, ...more }, status }) as unknown as KubeObject;
  const bodies = (errors: readonly FieldError[]) =>
    fieldCauses(errors, sinceOf("1.33"), internalTypes(sinceOf("1.33"), { group: "", version: "v1" })).map(
      ({ body }) => body,
    );

  test("keeps its VolumeAttributesClass regardless of the gate", () => {
    if (schema === undefined) throw new Error("there are no claims");
    const facts = { gates: featureGates("1.32"), schema };
    const update = (more: object) =>
      bodies(
        collectErrors((errors) =>
          addClaimUpdateErrors(errors, claim(more), claim({ volumeAttributesClassName: "a" }), facts),
        ),
      );
    const closed = "Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled";
    expect(update({ volumeAttributesClassName: "a" })).toEqual([]);
    expect(update({ volumeAttributesClassName: "b" })).toEqual([closed]);
    expect(update({})).toEqual([closed, "Forbidden: update from non-nil value to nil is forbidden"]);
  });

  test("continues its recovery regardless of the gate", () => {
    const gates = featureGates("1.31");
    const now = claim({}, { allocatedResources: { cpu: "1" } });
    expect(collectErrors((errors) => addClaimStatusErrors(errors, now, claim({}), gates))).toEqual([]);
    expect(
      bodies(
        collectErrors((errors) =>
          addClaimStatusErrors(errors, now, claim({}, { allocatedResources: {} }), gates),
        ),
      ),
    ).toEqual(['Unsupported value: "cpu": supported values: "storage"']);
  });

  test("has a shorter message before 1.29", async () => {
    if (schema === undefined) throw new Error("there are no claims");
    const facts = { gates: featureGates("1.28"), schema };
    expect(
      bodies(
        collectErrors((errors) =>
          addClaimUpdateErrors(errors, claim({ volumeName: "b" }), claim({ volumeName: "a" }), facts),
        ),
      ),
    ).toEqual([
      expect.stringMatching(
        /^Forbidden: spec is immutable after creation except resources.requests for bound claims\n/,
      ),
    ]);
  });
});

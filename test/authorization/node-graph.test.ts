import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { NodeGraph, type ReachedObject } from "../../src/authorization/node/node-graph.ts";
import { PlainLister } from "./plain-lister.ts";

const pods = { group: "", resource: "pods" };
const volumes = { group: "", resource: "persistentvolumes" };
const attachments = { group: "storage.k8s.io", resource: "volumeattachments" };

const object = (metadata: KubeObject["metadata"], spec: object, status: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata,
  ...(JSON.parse(JSON.stringify({ spec, status })) as object),
});
const pod = (spec: object, status?: object, annotations = {}) =>
  object({ name: "p", namespace: "ns", annotations }, { nodeName: "n1", ...spec }, status);
const core = (resource: string, name: string, namespace = "ns"): ReachedObject => ({
  group: "",
  resource,
  namespace,
  name,
});

describe("a node reaches through its pod", () => {
  test.each<[string, object, ReachedObject]>([
    ["the pod", {}, core("pods", "p")],
    ["its service account", { serviceAccountName: "sa" }, core("serviceaccounts", "sa")],
    ["secrets to pull images", { imagePullSecrets: [{ name: "s" }] }, core("secrets", "s")],
    [
      "a secret of a variable",
      { containers: [{ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }] }] },
      core("secrets", "s"),
    ],
    [
      "a secret of the environment of an init container",
      { initContainers: [{ envFrom: [{ secretRef: { name: "s" } }] }] },
      core("secrets", "s"),
    ],
    [
      "a config map of an ephemeral container",
      { ephemeralContainers: [{ envFrom: [{ configMapRef: { name: "c" } }] }] },
      core("configmaps", "c"),
    ],
    [
      "a config map of a variable",
      { containers: [{ env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "c" } } }] }] },
      core("configmaps", "c"),
    ],
    ["a secret volume", { volumes: [{ secret: { secretName: "s" } }] }, core("secrets", "s")],
    ["a config map volume", { volumes: [{ configMap: { name: "c" } }] }, core("configmaps", "c")],
    [
      "a projected secret",
      { volumes: [{ projected: { sources: [{ secret: { name: "s" } }] } }] },
      core("secrets", "s"),
    ],
    [
      "a projected config map",
      { volumes: [{ projected: { sources: [{ configMap: { name: "c" } }] } }] },
      core("configmaps", "c"),
    ],
    [
      "the secret of an iSCSI volume",
      { volumes: [{ iscsi: { secretRef: { name: "s" } } }] },
      core("secrets", "s"),
    ],
    ["the secret of an Azure file", { volumes: [{ azureFile: { secretName: "s" } }] }, core("secrets", "s")],
    [
      "the secret of a CSI volume",
      { volumes: [{ csi: { nodePublishSecretRef: { name: "s" } } }] },
      core("secrets", "s"),
    ],
    [
      "a claim",
      { volumes: [{ persistentVolumeClaim: { claimName: "v" } }] },
      core("persistentvolumeclaims", "v"),
    ],
    [
      "the claim of an ephemeral volume",
      { volumes: [{ name: "e", ephemeral: {} }] },
      core("persistentvolumeclaims", "p-e"),
    ],
    [
      "a resource claim",
      { resourceClaims: [{ name: "r", resourceClaimName: "c" }] },
      { group: "resource.k8s.io", resource: "resourceclaims", namespace: "ns", name: "c" },
    ],
  ])("%s", (_title, spec, reached) => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    lister.put(pods, pod(spec));
    expect(graph.reaches("n1", reached)).toBe(true);
    expect(graph.reaches("n2", reached)).toBe(false);
    expect(graph.reaches("n1", { ...reached, name: "other" })).toBe(false);
    expect(graph.reaches("n1", { ...reached, namespace: "other" })).toBe(false);
    lister.delete(pods, pod(spec));
    expect(graph.reaches("n1", reached)).toBe(false);
  });

  test("a resource claim that was made for it", () => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    const claim = { group: "resource.k8s.io", resource: "resourceclaims", namespace: "ns", name: "p-r-1" };
    const spec = { resourceClaims: [{ name: "r", resourceClaimTemplateName: "t" }] };
    lister.put(pods, pod(spec));
    expect(graph.reaches("n1", claim)).toBe(false);
    lister.put(pods, pod(spec, { resourceClaimStatuses: [{ name: "r", resourceClaimName: "p-r-1" }] }));
    expect(graph.reaches("n1", claim)).toBe(true);
  });

  test("nothing, if the pod is a mirror pod or has no node", () => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    const spec = { imagePullSecrets: [{ name: "s" }] };
    lister.put(pods, pod(spec, {}, { "kubernetes.io/config.mirror": "x" }));
    expect(graph.reaches("n1", core("secrets", "s"))).toBe(false);
    expect(graph.reaches("n1", core("pods", "p"))).toBe(true);
    lister.put(pods, pod({ ...spec, nodeName: "" }));
    expect(graph.reaches("n1", core("pods", "p"))).toBe(false);
    expect(graph.reaches("", core("pods", "p"))).toBe(false);
  });
});

test("a node reaches a volume and its secrets through the claim of its pod", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  const claimRef = { namespace: "ns", name: "v" };
  const csi = { nodePublishSecretRef: { name: "s", namespace: "secrets" } };
  lister.put(volumes, object({ name: "pv" }, { claimRef, csi }));
  expect(graph.reaches("n1", core("persistentvolumes", "pv", ""))).toBe(false);
  lister.put(pods, pod({ volumes: [{ persistentVolumeClaim: { claimName: "v" } }] }));
  expect(graph.reaches("n1", core("persistentvolumes", "pv", ""))).toBe(true);
  expect(graph.reaches("n1", core("secrets", "s", "secrets"))).toBe(true);
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(false);
  lister.put(volumes, object({ name: "pv" }, { csi }));
  expect(graph.reaches("n1", core("secrets", "s", "secrets"))).toBe(false);
});

test("a node reaches the attachments and slices that name it", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  lister.put(attachments, object({ name: "a" }, { nodeName: "n1" }));
  expect(graph.reaches("n1", { ...attachments, namespace: "", name: "a" })).toBe(true);
  expect(graph.reaches("n2", { ...attachments, namespace: "", name: "a" })).toBe(false);
  lister.put(attachments, object({ name: "a" }, { nodeName: "n2" }));
  expect(graph.reaches("n1", { ...attachments, namespace: "", name: "a" })).toBe(false);
});

/** What a pod or a volume of a random test says. */
interface Written {
  readonly resource: typeof pods;
  readonly isDelete: boolean;
  readonly name: string;
  readonly node: string;
  readonly secrets: readonly string[];
  readonly claim: string;
}

const written: fc.Arbitrary<Written> = fc.record({
  resource: fc.constantFrom(pods, volumes),
  isDelete: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  name: fc.constantFrom("a", "b", "c"),
  node: fc.constantFrom("", "n1", "n2"),
  secrets: fc.subarray(["s1", "s2", "s3"]),
  claim: fc.constantFrom("", "v1", "v2"),
});

function writtenObject({ resource, name, node, secrets, claim }: Written): KubeObject {
  if (resource === volumes) {
    const csi = secrets[0] === undefined ? {} : { csi: { nodeStageSecretRef: { name: secrets[0] } } };
    const claimRef = claim === "" ? {} : { claimRef: { namespace: "ns", name: claim } };
    return object({ name }, { ...csi, ...claimRef });
  }
  const claims = claim === "" ? [] : [{ persistentVolumeClaim: { claimName: claim } }];
  return object(
    { name, namespace: "ns" },
    { nodeName: node, imagePullSecrets: secrets.map((secret) => ({ name: secret })), volumes: claims },
  );
}

test("under random writes, the graph says what a look at all objects says", () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 40 }), (writes) => {
      const lister = new PlainLister();
      const graph = new NodeGraph(lister);
      const current = new Map<string, Written>();
      for (const write of writes) {
        const key = `${write.resource.resource}/${write.name}`;
        if (write.isDelete) current.delete(key);
        else current.set(key, write);
        if (write.isDelete) lister.delete(write.resource, writtenObject(write));
        else lister.put(write.resource, writtenObject(write));
        const all = [...current.values()];
        for (const node of ["n1", "n2"]) {
          const own = all.filter((each) => each.resource === pods && each.node === node);
          const bound = all.filter(
            (each) =>
              each.resource === volumes && each.claim !== "" && own.some(({ claim }) => claim === each.claim),
          );
          for (const secret of ["s1", "s2", "s3"]) {
            const expected =
              own.some(({ secrets }) => secrets.includes(secret)) ||
              bound.some(({ secrets }) => secrets[0] === secret);
            expect(graph.reaches(node, core("secrets", secret))).toBe(expected);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

describe("a secret is reached through", () => {
  const paths = [
    "azureFile.secretName",
    "csi.nodePublishSecretRef.name",
    "secret.secretName",
    ...["cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"].map(
      (source) => `${source}.secretRef.name`,
    ),
  ];
  test.each(paths)("the field %s of a volume of a pod", (path) => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    const volume = path.split(".").reduceRight<unknown>((inner, field) => ({ [field]: inner }), "s");
    lister.put(pods, pod({ volumes: [volume] }));
    expect(graph.reaches("n1", core("secrets", "s"))).toBe(true);
  });

  test.each([
    ["csi.nodeExpandSecretRef", { name: "s" }, "claims"],
    ["csi.nodeStageSecretRef", { name: "s" }, "claims"],
    ["csi.nodePublishSecretRef", { name: "s", namespace: "own" }, "own"],
    ["azureFile", { secretName: "s" }, "claims"],
    ["azureFile", { secretName: "s", secretNamespace: "own" }, "own"],
    ...["cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"].flatMap(
      (source): [string, object, string][] => [
        [`${source}.secretRef`, { name: "s" }, "claims"],
        [`${source}.secretRef`, { name: "s", namespace: "own" }, "own"],
      ],
    ),
  ])("the field %s of a volume: %j in the namespace %s", (path, reference, namespace) => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    const source = path.split(".").reduceRight<unknown>((inner, field) => ({ [field]: inner }), reference);
    const claimRef = { namespace: "claims", name: "v" };
    lister.put(volumes, object({ name: "pv" }, { claimRef, ...(source as object) }));
    const claim = { persistentVolumeClaim: { claimName: "v" } };
    lister.put(pods, object({ name: "p", namespace: "claims" }, { nodeName: "n1", volumes: [claim] }));
    expect(graph.reaches("n1", core("secrets", "s", namespace))).toBe(true);
    expect(graph.reaches("n1", core("secrets", "s", namespace === "own" ? "claims" : "own"))).toBe(false);
    expect(graph.reaches("n1", core("secrets", "", namespace))).toBe(false);
  });

  test.each([
    ["containers", { envFrom: [{ secretRef: { name: "s" } }] }],
    ["initContainers", { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }] }],
    ["ephemeralContainers", { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }] }],
  ])("%s of a pod", (list, container) => {
    const lister = new PlainLister();
    const graph = new NodeGraph(lister);
    lister.put(pods, pod({ [list]: [container] }));
    expect(graph.reaches("n1", core("secrets", "s"))).toBe(true);
  });
});

test("what is not named is not reached", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  const empty = {
    containers: [{ env: [{ name: "A", value: "x" }], envFrom: [{}] }],
    volumes: [{ name: "v" }],
  };
  lister.put(pods, pod({ ...empty, imagePullSecrets: [{}] }));
  for (const resource of ["secrets", "configmaps", "persistentvolumeclaims", "serviceaccounts"])
    expect([resource, graph.reaches("n1", core(resource, ""))]).toEqual([resource, false]);
});

test("two pods of a node hold the same secret until both are gone", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  const second = object(
    { name: "q", namespace: "ns" },
    { nodeName: "n1", imagePullSecrets: [{ name: "s" }] },
  );
  lister.put(pods, pod({ imagePullSecrets: [{ name: "s" }] }));
  lister.put(pods, second);
  lister.delete(pods, second);
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(true);
  lister.delete(pods, pod({}));
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(false);
});

test("slices and attachments without a node lead nowhere", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  const slices = { group: "resource.k8s.io", resource: "resourceslices" };
  lister.put(slices, object({ name: "s" }, { nodeName: "n1" }));
  lister.put(slices, object({ name: "all" }, { allNodes: true }));
  expect(graph.reaches("n1", { ...slices, namespace: "", name: "s" })).toBe(true);
  expect(graph.reaches("", { ...slices, namespace: "", name: "all" })).toBe(false);
});

test("after a restart, nothing of before is reached", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  lister.put(pods, pod({ imagePullSecrets: [{ name: "s" }] }));
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(true);
  lister.forget();
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(false);
  // A pod of the same name as before takes nothing from others.
  lister.put(
    pods,
    object({ name: "q", namespace: "ns" }, { nodeName: "n1", imagePullSecrets: [{ name: "s" }] }),
  );
  lister.put(pods, pod({}));
  expect(graph.reaches("n1", core("secrets", "s"))).toBe(true);
});

test("a volume whose secret has no name leads to none", () => {
  const lister = new PlainLister();
  const graph = new NodeGraph(lister);
  lister.put(
    volumes,
    object({ name: "pv" }, { claimRef: { namespace: "ns", name: "v" }, csi: { nodeStageSecretRef: {} } }),
  );
  lister.put(pods, pod({ volumes: [{ persistentVolumeClaim: { claimName: "v" } }] }));
  expect(graph.reaches("n1", core("persistentvolumes", "pv", ""))).toBe(true);
  expect(graph.reaches("n1", core("secrets", ""))).toBe(false);
});

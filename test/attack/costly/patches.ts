import {
  type CostlyRequest,
  type Manifest,
  members,
  patch,
  post,
  put,
  type SizedRequest,
  times,
} from "./costly-request.ts";

const namespaced = "/api/v1/namespaces/default";
const configMaps = `${namespaced}/configmaps`;
const configMap = `${configMaps}/costly`;
const pods = `${namespaced}/pods`;
const pod = `${pods}/costly`;
const apply = "?fieldManager=costly&force=true";

/** A request after the creation of an object. */
function after(
  name: string,
  collection: string,
  object: (size: number) => Manifest,
  request: (size: number) => SizedRequest,
): CostlyRequest {
  const before = (size: number) => [
    post(collection, { ...object(size), metadata: { name: "costly", ...metadataOf(object(size)) } }),
  ];
  return { name, before, request };
}

function metadataOf(object: Manifest): object {
  const { metadata } = object;
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

const data = (n: number) => ({ data: members(n, (i) => [`k${i}`, "v"]) });
const finalizers = (n: number) => times(n, (i) => `a.b/f${i}`);
const withFinalizers = (n: number) => ({ metadata: { finalizers: finalizers(n) } });
const env = (n: number, value = "v") => times(n, (i) => ({ name: `e${i}`, value }));
const podOf = (n: number) => ({
  spec: { containers: [{ name: "c", image: "i", env: env(n) }], tolerations: tolerations(n) },
});
const tolerations = (n: number) => times(n, (i) => ({ key: `k${i}`, operator: "Exists" }));
const applied = (parts: Manifest) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...parts,
  metadata: { name: "costly", ...metadataOf(parts) },
});
const appliedPod = (n: number, value: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "costly" },
  spec: { containers: [{ name: "c", image: "i", env: env(n, value) }] },
});
const owner = (i: number) => ({ apiVersion: "v1", kind: "ConfigMap", name: `o${i}`, uid: `u${i}` });

/** Operations on one object, one by one. */
function operations(
  name: string,
  base: (n: number) => Manifest,
  each: (n: number) => unknown,
): CostlyRequest {
  return after(`JSON patch: ${name}`, configMaps, base, (n) => patch("json", configMap, each(n)));
}

const jsonPatches: readonly CostlyRequest[] = [
  operations("additions", data, (n) => times(n, (i) => ({ op: "add", path: `/data/x${i}`, value: "v" }))),
  operations("additions at the start of a list", withFinalizers, (n) =>
    times(n, (i) => ({ op: "add", path: "/metadata/finalizers/0", value: `a.b/x${i}` })),
  ),
  operations("removals from the start of a list", withFinalizers, (n) =>
    times(n, () => ({ op: "remove", path: "/metadata/finalizers/0" })),
  ),
  operations("tests of one value", data, (n) =>
    times(10, () => ({ op: "test", path: "/data", value: data(n).data })),
  ),
  operations("copies", data, (n) => times(n, (i) => ({ op: "copy", from: "/data/k0", path: `/data/x${i}` }))),
  operations("copies that grow", data, (n) =>
    times(n, (i) => ({ op: "copy", from: "/data", path: `/data/x${i}` })),
  ),
  operations("moves", data, (n) =>
    times(n, (i) => ({ op: "move", from: `/data/k${i}`, path: `/data/x${i}` })),
  ),
  operations("a deep path", data, (n) => [{ op: "add", path: "/a".repeat(n), value: 1 }]),
  operations("a path of escapes", data, (n) => [{ op: "add", path: `/data/${"~1".repeat(n)}`, value: "v" }]),
  operations("a long index", withFinalizers, (n) => [
    { op: "add", path: `/metadata/finalizers/${"1".repeat(n)}`, value: "v" },
  ]),
];

const otherPatches: readonly CostlyRequest[] = [
  after("merge patch: members", configMaps, data, (n) =>
    patch("merge", configMap, { data: members(n, (i) => [`x${i}`, "v"]) }),
  ),
  after("merge patch: removals", configMaps, data, (n) =>
    patch("merge", configMap, { data: members(n, (i) => [`k${i}`, null]) }),
  ),
  after("merge patch: a list", configMaps, withFinalizers, (n) =>
    patch("merge", configMap, { metadata: { finalizers: finalizers(n).reverse() } }),
  ),
  after("strategic merge patch: finalizers", configMaps, withFinalizers, (n) =>
    patch("strategic", configMap, { metadata: { finalizers: times(n, (i) => `a.b/x${i}`) } }),
  ),
  after("strategic merge patch: the same finalizers", configMaps, withFinalizers, (n) =>
    patch("strategic", configMap, { metadata: { finalizers: finalizers(n) } }),
  ),
  after("strategic merge patch: removed finalizers", configMaps, withFinalizers, (n) =>
    patch("strategic", configMap, { metadata: { "$deleteFromPrimitiveList/finalizers": finalizers(n) } }),
  ),
  after("strategic merge patch: ordered finalizers", configMaps, withFinalizers, (n) =>
    patch("strategic", configMap, {
      metadata: { "$setElementOrder/finalizers": finalizers(n).reverse(), finalizers: finalizers(n) },
    }),
  ),
  after(
    "strategic merge patch: ownerReferences",
    configMaps,
    () => ({}),
    (n) => patch("strategic", configMap, { metadata: { ownerReferences: times(n, owner) } }),
  ),
  after(
    "strategic merge patch: the same ownerReferences",
    configMaps,
    (n) => ({ metadata: { ownerReferences: times(n, owner) } }),
    (n) => patch("strategic", configMap, { metadata: { ownerReferences: times(n, owner).reverse() } }),
  ),
  after(
    "strategic merge patch: removed ownerReferences",
    configMaps,
    (n) => ({
      metadata: { ownerReferences: times(n, owner) },
    }),
    (n) =>
      patch("strategic", configMap, {
        metadata: { ownerReferences: times(n, (i) => ({ $patch: "delete", uid: `u${i}` })) },
      }),
  ),
  after(
    "strategic merge patch: ordered ownerReferences",
    configMaps,
    (n) => ({
      metadata: { ownerReferences: times(n, owner) },
    }),
    (n) =>
      patch("strategic", configMap, {
        metadata: {
          "$setElementOrder/ownerReferences": times(n, (i) => ({ uid: `u${n - i - 1}` })),
          ownerReferences: times(n, owner),
        },
      }),
  ),
  after("strategic merge patch: tolerations", pods, podOf, (n) =>
    patch("strategic", pod, { spec: { tolerations: tolerations(n + 1) } }),
  ),
  after("strategic merge patch: env", pods, podOf, (n) =>
    patch("strategic", pod, { spec: { containers: [{ name: "c", env: env(n, "w") }] } }),
  ),
  after("strategic merge patch: retained keys", configMaps, data, (n) =>
    patch("strategic", configMap, { data: { $retainKeys: times(n, (i) => `k${i}`) } }),
  ),
  after("strategic merge patch: conditions", pods, podOf, (n) =>
    patch("strategic", `${pod}/status`, {
      status: { conditions: times(n, (i) => ({ type: `t${i}`, status: "True" })) },
    }),
  ),
  after("status: conditions", pods, podOf, (n) =>
    patch("merge", `${pod}/status`, {
      status: { conditions: times(n, (i) => ({ type: `t${i}`, status: "True" })) },
    }),
  ),
  after("status: podIPs", pods, podOf, (n) =>
    patch("merge", `${pod}/status`, { status: { podIPs: times(n, (i) => ({ ip: `10.0.0.${i % 250}` })) } }),
  ),
  after("status: containerStatuses", pods, podOf, (n) =>
    patch("merge", `${pod}/status`, {
      status: {
        containerStatuses: times(n, (i) => ({
          name: `c${i}`,
          image: "i",
          imageID: "i",
          ready: true,
          restartCount: 0,
        })),
      },
    }),
  ),
];

/** Reads of one large object in each format. */
const answers: readonly CostlyRequest[] = [
  ["YAML", "application/yaml"],
  ["CBOR", "application/cbor"],
  ["protobuf", "application/vnd.kubernetes.protobuf"],
  ["indented JSON", "application/json;pretty=1"],
].flatMap(([format = "", accept = ""]) =>
  Object.entries<(n: number) => Manifest>({
    members: data,
    "a long line": (n) => ({ data: { k: "a b ".repeat(n) } }),
    lines: (n) => ({ data: { k: "a: b\n".repeat(n) } }),
    "special characters": (n) => ({ data: { k: "\u0007<\u2028".repeat(n) } }),
    finalizers: withFinalizers,
  }).map(([name, object]) =>
    after(`answer: ${name} in ${format}`, configMaps, object, () => ({
      method: "GET",
      target: configMap,
      headers: [["Accept", accept]],
    })),
  ),
);

const applies: readonly CostlyRequest[] = [
  {
    name: "apply: members",
    request: (n) => patch("apply", `${configMap}${apply}`, applied(data(n))),
  },
  {
    name: "apply: labels",
    request: (n) =>
      patch(
        "apply",
        `${configMap}${apply}`,
        applied({ metadata: { labels: members(n, (i) => [`k${i}`, "v"]) } }),
      ),
  },
  {
    name: "apply: finalizers",
    request: (n) =>
      patch("apply", `${configMap}${apply}`, applied({ metadata: { finalizers: finalizers(n) } })),
  },
  {
    name: "apply: the same finalizer",
    request: (n) =>
      patch("apply", `${configMap}${apply}`, applied({ metadata: { finalizers: times(n, () => "a.b/f") } })),
  },
  {
    name: "apply: the same owner",
    request: (n) =>
      patch(
        "apply",
        `${configMap}${apply}`,
        applied({ metadata: { ownerReferences: times(n, () => owner(0)) } }),
      ),
  },
  {
    name: "apply: env",
    request: (n) => patch("apply", `${pod}${apply}`, appliedPod(n, "v")),
  },
  {
    name: "apply: env again",
    before: (n) => [patch("apply", `${pod}${apply}`, appliedPod(n, "v"))],
    request: (n) => patch("apply", `${pod}${apply}`, appliedPod(n, "v")),
  },
  {
    name: "apply: removed members",
    before: (n) => [patch("apply", `${configMap}${apply}`, applied(data(n)))],
    request: () => patch("apply", `${configMap}?fieldManager=costly`, applied({ data: {} })),
  },
  {
    name: "apply: removed finalizers",
    before: (n) => [
      patch("apply", `${configMap}${apply}`, applied({ metadata: { finalizers: finalizers(n) } })),
    ],
    request: (n) =>
      patch(
        "apply",
        `${configMap}${apply}`,
        applied({ metadata: { finalizers: finalizers(2 * n).slice(n) } }),
      ),
  },
  {
    name: "apply: conflicts",
    before: (n) => [patch("apply", `${configMap}?fieldManager=other`, applied(data(n)))],
    request: (n) =>
      patch(
        "apply",
        `${configMap}?fieldManager=costly`,
        applied({ data: members(n, (i) => [`k${i}`, "w"]) }),
      ),
  },
  {
    name: "apply: fields of another manager",
    before: (n) => [patch("apply", `${configMap}?fieldManager=other`, applied(data(n)))],
    request: (n) =>
      patch("apply", `${configMap}${apply}`, applied({ data: members(n, (i) => [`k${i}`, "w"]) })),
  },
  after(
    "apply: managers",
    configMaps,
    (n) => ({ ...data(1), metadata: { managedFields: times(n, manager) } }),
    () => patch("apply", `${configMap}${apply}`, applied({ data: { k0: "w" } })),
  ),
  after("update: members", configMaps, data, (n) =>
    put(configMap, { metadata: { name: "costly" }, data: members(n, (i) => [`x${i}`, "v"]) }),
  ),
  after("update: finalizers", configMaps, withFinalizers, (n) =>
    put(configMap, { metadata: { name: "costly", finalizers: finalizers(n).reverse() } }),
  ),
  after(
    "update: ownerReferences",
    configMaps,
    (n) => ({ metadata: { ownerReferences: times(n, owner) } }),
    (n) => put(configMap, { metadata: { name: "costly", ownerReferences: times(n, owner).reverse() } }),
  ),
  after("update: env of a pod", pods, podOf, (n) =>
    put(pod, {
      metadata: { name: "costly" },
      spec: { containers: [{ name: "c", image: "i", env: env(n, "w") }], tolerations: tolerations(n) },
    }),
  ),
  after("update: tolerations of a pod", pods, podOf, (n) =>
    put(pod, {
      metadata: { name: "costly" },
      spec: {
        containers: [{ name: "c", image: "i", env: env(n) }],
        tolerations: tolerations(n + 1).reverse(),
      },
    }),
  ),
  after("deletion of an object with finalizers", configMaps, withFinalizers, () => ({
    method: "DELETE",
    target: configMap,
  })),
  ...answers,
  after(
    "answer: a Table",
    configMaps,
    (n) => ({
      metadata: { labels: members(n, (i) => [`k${i}`, "v"]) },
    }),
    () => ({
      method: "GET",
      target: configMaps,
      headers: [["Accept", "application/json;as=Table;g=meta.k8s.io;v=v1"]],
    }),
  ),
];

function manager(i: number): Manifest {
  return {
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:k0": {} } },
  };
}

/** Patches and updates of objects that exist, mostly of lists that are as long as those of the patch. */
export const costlyPatches: readonly CostlyRequest[] = [...jsonPatches, ...otherPatches, ...applies];

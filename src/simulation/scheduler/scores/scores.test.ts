import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { featureGates } from "../../../catalog/feature-gates.ts";
import { SchedulerMemory } from "../scheduler-memory.ts";
import { podInfo } from "../snapshot/pod-info.ts";
import { imageLocality } from "./node-scores.ts";
import { preferredPods, preferredSpread } from "./pod-scores.ts";
import { balancedAllocation, leastAllocated } from "./resource-scores.ts";
import type { ScorePlugin } from "./score.ts";

interface World {
  readonly nodes: readonly KubeObject[];
  /** The pods by the names of their nodes. */
  readonly pods?: { readonly [node: string]: readonly JsonObject[] };
  readonly services?: readonly JsonObject[];
  /** The nodes that some filter rejects. */
  readonly rejected?: readonly string[];
  readonly release?: "1.29" | "1.32" | "1.33" | "1.36";
}

/** The scores of the nodes that no filter rejects; undefined if the plugin scores none. */
function scores(plugin: ScorePlugin, pod: JsonObject, world: World): readonly number[] | undefined {
  const { nodes, pods = {}, services = [], rejected = [], release = "1.33" } = world;
  const memory = new SchedulerMemory();
  for (const node of nodes) memory.putNode(node);
  let count = 0;
  for (const [node, list] of Object.entries(pods)) {
    for (const one of list) memory.putPod(podInfo(named(one, `existing-${count++}`)), node);
  }
  const found = services.map((service) => named({ spec: service }, "service"));
  const lister: Lister = {
    get: () => undefined,
    list: ({ resource }) => (resource === "services" ? found : []),
  };
  const view = memory.view(lister, featureGates(release));
  const feasible = view.nodes.filter(({ name }) => !rejected.includes(name));
  return plugin(podInfo(named(pod, "new")), feasible, view);
}

function named(object: JsonObject, name: string): KubeObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return { apiVersion: "v1", kind: "Pod", ...object, metadata: { namespace: "default", ...metadata, name } };
}

/** A pod with one container for each entry. */
function pod(...requests: readonly JsonObject[]): JsonObject {
  return { spec: { containers: requests.map((one) => ({ resources: { requests: one } })) } };
}

function labelled(labels: { readonly [key: string]: string }, spec: JsonObject = {}): JsonObject {
  return { metadata: { labels }, spec };
}

function node(name: string, labels: JsonObject, allocatable: JsonObject = {}, images: JsonObject[] = []) {
  // Tests give labels that are texts.
  const typed = labels as { readonly [key: string]: string };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: typed },
    status: { allocatable, images },
  };
}

const sized = (name: string, cpu: string, memory: string) => node(name, {}, { cpu, memory });

// The facts are those of least_allocated_test.go and balanced_allocation_test.go in kubernetes, pkg/scheduler/framework/plugins/noderesources.
describe("free resources", () => {
  const asked = pod({ cpu: "1", memory: "2000" }, { cpu: "2", memory: "3000" });
  test.each<readonly [string, JsonObject, World, readonly number[]]>([
    ["nothing requested", pod(), { nodes: [sized("a", "4", "10000"), sized("b", "4", "10000")] }, [100, 100]],
    ["nodes of two sizes", asked, { nodes: [sized("a", "4", "10000"), sized("b", "6", "10000")] }, [37, 50]],
    [
      "pods with requests",
      pod(),
      {
        nodes: [sized("a", "10", "20000"), sized("b", "10", "20000")],
        pods: {
          a: [pod({ cpu: "3", memory: "0" }), pod({ cpu: "3", memory: "0" })],
          b: [pod({ cpu: "3", memory: "0" }), pod({ cpu: "3", memory: "5000" })],
        },
      },
      [70, 57],
    ],
    [
      "the container without requests counts for 100m and 200Mi",
      pod({ cpu: "900m", memory: "800Mi" }, {}),
      { nodes: [sized("a", "10", "10000Mi")] },
      [90],
    ],
    [
      "a resource that a node does not have does not count",
      asked,
      { nodes: [node("a", {}, { cpu: "6" })] },
      [50],
    ],
  ])("%s", (_title, wanted, world, expected) => {
    expect(scores(leastAllocated, wanted, world)).toEqual(expected);
  });

  test.each<readonly [string, JsonObject, World, readonly number[] | undefined]>([
    ["nodes of two sizes", asked, { nodes: [sized("a", "4", "10000"), sized("b", "6", "10000")] }, [87, 100]],
    ["without requests since 1.33", pod({}), { nodes: [sized("a", "4", "10000")] }, undefined],
    ["without requests in 1.32", pod({}), { nodes: [sized("a", "4", "10000")], release: "1.32" }, [100]],
    [
      "since 1.36, how much the balance improves",
      asked,
      { nodes: [sized("a", "4", "10000"), sized("b", "6", "10000")], release: "1.36" },
      [68, 75],
    ],
  ])("the balance: %s", (_title, wanted, world, expected) => {
    expect(scores(balancedAllocation, wanted, world)).toEqual(expected);
  });
});

// The facts are those of image_locality_test.go in kubernetes, pkg/scheduler/framework/plugins/imagelocality.
describe("images on the node", () => {
  const megabyte = 1024 * 1024;
  const withImages = (name: string, ...sizes: readonly number[]) =>
    node(
      name,
      {},
      {},
      sizes.map((size) => ({
        names: [`gcr.io/${size}:latest`, `gcr.io/${size}:v1`],
        sizeBytes: (size === 4000 ? 4000 : size) * megabyte,
      })),
    );
  const using = (...sizes: readonly number[]) => ({
    spec: { containers: sizes.map((size) => ({ image: `gcr.io/${size}` })) },
  });
  test.each<readonly [string, JsonObject, World, readonly number[]]>([
    [
      "the larger one counts more",
      using(40, 250),
      { nodes: [withImages("a", 40, 300, 2000), withImages("b", 250, 10)] },
      [0, 5],
    ],
    [
      "two on one node",
      using(40, 300),
      { nodes: [withImages("a", 40, 300, 2000), withImages("b", 250, 10)] },
      [7, 0],
    ],
    [
      "up to a limit",
      using(10, 4000),
      { nodes: [withImages("a", 4000, 30), withImages("b", 250, 10)] },
      [100, 0],
    ],
    [
      "fewer nodes have it",
      using(10, 4000),
      { nodes: [withImages("a", 4000, 30), withImages("b", 250, 10), withImages("c")] },
      [66, 0, 0],
    ],
    [
      "several large ones",
      using(300, 600, 900),
      { nodes: [withImages("a", 600, 40, 900), withImages("b", 300, 600, 900), withImages("c")] },
      [32, 36, 0],
    ],
    [
      "small ones",
      using(30, 40),
      { nodes: [withImages("a", 20, 30, 40), withImages("b", 4000, 30)] },
      [1, 0],
    ],
    [
      "a node that a filter rejects counts among those that have it",
      using(10, 4000),
      { nodes: [withImages("a", 4000), withImages("b", 4000), withImages("c")], rejected: ["b"] },
      [100, 0],
    ],
  ])("%s", (_title, wanted, world, expected) => {
    expect(scores(imageLocality, wanted, world)).toEqual(expected);
  });

  test("those of init containers count since 1.30", () => {
    const spec = { initContainers: [{ image: "gcr.io/300" }], containers: [{ image: "gcr.io/30" }] };
    const nodes = [withImages("a", 40, 300, 2000), withImages("b", 20, 30, 40)];
    expect(scores(imageLocality, { spec }, { nodes })).toEqual([6, 0]);
    expect(scores(imageLocality, { spec }, { nodes, release: "1.29" })).toEqual([0, 0]);
  });
});

// The facts are those of scoring_test.go in kubernetes, pkg/scheduler/framework/plugins/podtopologyspread.
describe("soft topology spread", () => {
  const hostname = "kubernetes.io/hostname";
  const foo = { matchExpressions: [{ key: "foo", operator: "Exists" }] };
  const constraint = (topologyKey: string, maxSkew = 1, labelSelector: JsonObject | null = foo) => ({
    topologyKey,
    maxSkew,
    whenUnsatisfiable: "ScheduleAnyway",
    ...(labelSelector !== null && { labelSelector }),
  });
  const spreading = (...topologySpreadConstraints: readonly JsonObject[]) =>
    labelled({ foo: "" }, { topologySpreadConstraints });
  const onHosts = (names: string) => [...names].map((name) => node(name, { [hostname]: name }));
  const counts = (numbers: { readonly [name: string]: number }) =>
    Object.fromEntries(
      Object.entries(numbers).map(([name, count]) => [
        name,
        Array.from({ length: count }, () => labelled({ foo: "" })),
      ]),
    );
  const zoned = [
    node("a", { zone: "zone1", [hostname]: "a" }),
    node("b", { zone: "zone1", [hostname]: "b" }),
    node("x", { zone: "zone2", [hostname]: "x" }),
    node("y", { zone: "zone2", [hostname]: "y" }),
  ];

  test.each<readonly [string, JsonObject, World, readonly number[] | undefined]>([
    ["no pods", spreading(constraint(hostname)), { nodes: onHosts("ab") }, [100, 100]],
    [
      "one node left",
      spreading(constraint(hostname)),
      { nodes: onHosts("ab"), pods: counts({ a: 2, b: 1 }), rejected: ["b"] },
      [100],
    ],
    [
      "2/1/0/3",
      spreading(constraint(hostname)),
      { nodes: onHosts("abcd"), pods: counts({ a: 2, b: 1, d: 3 }) },
      [20, 60, 100, 0],
    ],
    [
      "a selector of nothing",
      spreading(constraint(hostname, 1, null)),
      { nodes: onHosts("abcd"), pods: counts({ a: 2, b: 1, d: 3 }) },
      [100, 100, 100, 100],
    ],
    [
      "an empty selector counts no pods",
      spreading(constraint(hostname, 1, {})),
      { nodes: onHosts("ab"), pods: counts({ a: 2, b: 1 }) },
      [100, 100],
    ],
    [
      "a skew of 2",
      spreading(constraint(hostname, 2)),
      { nodes: onHosts("abcd"), pods: counts({ a: 2, b: 1, d: 3 }) },
      [33, 66, 100, 16],
    ],
    [
      "a skew of 3",
      spreading(constraint(hostname, 3)),
      { nodes: onHosts("abcd"), pods: counts({ a: 4, b: 3, c: 2, d: 1 }) },
      [44, 66, 77, 100],
    ],
    [
      "the default of pods of a Service",
      labelled({ foo: "" }),
      {
        nodes: onHosts("abcd"),
        pods: counts({ a: 4, b: 3, c: 2, d: 1 }),
        services: [{ selector: { foo: "" } }],
      },
      [44, 66, 77, 100],
    ],
    [
      "the default counts no pods on nodes that the pod does not select",
      labelled({ foo: "" }, { nodeSelector: { disk: "ssd" } }),
      {
        nodes: [
          node("a", { "topology.kubernetes.io/zone": "zone1", [hostname]: "a", disk: "ssd" }),
          node("b", { "topology.kubernetes.io/zone": "zone1", [hostname]: "b" }),
          node("x", { "topology.kubernetes.io/zone": "zone2", [hostname]: "x", disk: "ssd" }),
        ],
        pods: counts({ b: 5 }),
        services: [{ selector: { foo: "" } }],
        rejected: ["b"],
      },
      [100, 100],
    ],
    [
      "no default without a Service",
      labelled({ foo: "" }),
      { nodes: onHosts("ab"), pods: counts({ a: 4 }) },
      undefined,
    ],
    [
      "4/2/1/~3~",
      spreading(constraint(hostname)),
      { nodes: onHosts("abxy"), pods: counts({ a: 4, b: 2, x: 1, y: 3 }), rejected: ["y"] },
      [33, 83, 100],
    ],
    [
      "a node without the key",
      spreading(constraint(hostname)),
      {
        nodes: [
          node("a", { [hostname]: "a" }),
          node("b", { n: "b" }),
          node("x", { [hostname]: "x" }),
          node("y", { [hostname]: "y" }),
        ],
        pods: counts({ a: 4, b: 2, x: 1, y: 3 }),
        rejected: ["y"],
      },
      [16, 0, 100],
    ],
    [
      "zones",
      spreading(constraint("zone")),
      { nodes: zoned, pods: counts({ a: 4, b: 2, x: 1, y: 3 }), rejected: ["y"] },
      [75, 75, 100],
    ],
  ])("%s", (_title, wanted, world, expected) => {
    expect(scores(preferredSpread, wanted, world)).toEqual(expected);
  });
});

// The facts are those of scoring_test.go in kubernetes, pkg/scheduler/framework/plugins/interpodaffinity.
describe("soft affinity to pods", () => {
  const term = (topologyKey: string, weight: number, labels: JsonObject) => ({
    weight,
    podAffinityTerm: { topologyKey, labelSelector: { matchLabels: labels } },
  });
  const preferring = (affinity: "podAffinity" | "podAntiAffinity", ...terms: readonly JsonObject[]) => ({
    affinity: { [affinity]: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const requiring = (labels: JsonObject) => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "region", labelSelector: { matchLabels: labels } },
        ],
      },
    },
  });
  const [china, india] = [{ region: "China" }, { region: "India" }];
  const nodes = [node("a", china), node("b", india), node("c", { az: "az1" })];

  test.each<readonly [string, JsonObject, World, readonly number[] | undefined]>([
    ["none", labelled({ security: "S1" }), { nodes }, undefined],
    [
      "a region with a matching pod",
      labelled({}, preferring("podAffinity", term("region", 5, { security: "S1" }))),
      { nodes, pods: { a: [labelled({ security: "S1" })], b: [labelled({ security: "S2" })] } },
      [100, 0, 0],
    ],
    [
      "away from a matching pod",
      labelled({}, preferring("podAntiAffinity", term("region", 5, { security: "S1" }))),
      { nodes: nodes.slice(0, 2), pods: { a: [labelled({ security: "S1" })] } },
      [0, 100],
    ],
    [
      "of the other pods to this one",
      labelled({ security: "S1" }),
      {
        nodes,
        pods: {
          a: [labelled({}, preferring("podAffinity", term("region", 2, { security: "S1" })))],
          b: [labelled({}, preferring("podAffinity", term("region", 8, { security: "S1" })))],
        },
      },
      [25, 100, 0],
    ],
    [
      "required by the other pods",
      labelled({ security: "S1" }),
      {
        nodes,
        pods: {
          a: [labelled({}, requiring({ security: "S1" }))],
          b: [labelled({}, requiring({ security: "S1" }))],
        },
      },
      [100, 100, 0],
    ],
  ])("%s", (_title, wanted, world, expected) => {
    expect(scores(preferredPods, wanted, world)).toEqual(expected);
  });
});

import { describe, expect, test } from "vitest";
import { clusterOf, create, type Labels, near, nodeOf, obstacle } from "./scheduled-pods.ts";

// The facts are those of filtering_test.go in kubernetes, pkg/scheduler/framework/plugins/podtopologyspread.
describe("topology spread constraints", () => {
  const zones = { a: { zone: "z1", node: "a" }, b: { zone: "z2", node: "b" }, c: { zone: "z2", node: "c" } };
  const mismatch = "node(s) didn't match pod topology spread constraints";
  const app = { app: "web" };
  const skew = (more: object = {}, key = "zone") => ({
    ...near(key, app),
    maxSkew: 1,
    whenUnsatisfiable: "DoNotSchedule",
    ...more,
  });

  interface Cell {
    readonly constraints: readonly object[];
    /** The labels of placed pods, by the names of their nodes. */
    readonly placed: readonly (readonly [node: string, labels: Labels])[];
    readonly labels?: Labels;
    readonly spec?: object;
    readonly taints?: { readonly [node: string]: string };
    /** The nodes that the pod may get, or what the condition says. */
    readonly expected: readonly string[] | string;
  }

  test.each<readonly [string, Cell]>([
    [
      "no domain has more than its part",
      { constraints: [skew()], placed: [["a", app]], expected: ["b", "c"] },
    ],
    [
      "fewer domains than minDomains",
      {
        constraints: [skew({ minDomains: 3 })],
        placed: [
          ["a", app],
          ["b", app],
        ],
        expected: `0/3 nodes are available: 3 ${mismatch}.`,
      },
    ],
    [
      "as many domains as minDomains",
      {
        constraints: [skew({ minDomains: 2 })],
        placed: [
          ["a", app],
          ["b", app],
        ],
        expected: ["a", "b", "c"],
      },
    ],
    [
      "the pod does not match its own constraint",
      { constraints: [skew()], placed: [["a", app]], labels: { app: "x" }, expected: ["a", "b", "c"] },
    ],
    [
      "a node without a key does not count for the other",
      {
        constraints: [skew({}, "node"), skew({}, "rack")],
        placed: [],
        expected: `0/3 nodes are available: 3 ${mismatch} (missing required label).`,
      },
    ],
    [
      "two constraints",
      {
        constraints: [skew(), skew({}, "node")],
        placed: [
          ["a", app],
          ["b", app],
          ["b", app],
        ],
        expected: `0/3 nodes are available: 3 ${mismatch}.`,
      },
    ],
    [
      "nodes that the pod does not select do not count",
      {
        constraints: [skew({}, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        spec: { nodeSelector: { node: "a" } },
        expected: ["a"],
      },
    ],
    [
      "nodeAffinityPolicy Ignore",
      {
        constraints: [skew({ nodeAffinityPolicy: "Ignore" }, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        spec: { nodeSelector: { node: "a" } },
        expected: `0/3 nodes are available: 1 ${mismatch}, 2 node(s) didn't match Pod's node affinity/selector.`,
      },
    ],
    [
      "nodes with taints count",
      {
        constraints: [skew({}, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        taints: { c: "NoSchedule" },
        expected: `0/3 nodes are available: 1 node(s) had untolerated taint {test: }, 2 ${mismatch}.`,
      },
    ],
    [
      "nodeTaintsPolicy Honor",
      {
        constraints: [skew({ nodeTaintsPolicy: "Honor" }, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        taints: { c: "NoSchedule" },
        expected: ["a", "b"],
      },
    ],
    [
      "nodeTaintsPolicy Honor with a taint that only prefers other pods",
      {
        constraints: [skew({ nodeTaintsPolicy: "Honor" }, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        taints: { c: "PreferNoSchedule" },
        expected: ["c"],
      },
    ],
    [
      "matchLabelKeys",
      {
        constraints: [skew({ matchLabelKeys: ["version"] }, "node")],
        placed: [
          ["a", { ...app, version: "1" }],
          ["b", { ...app, version: "1" }],
          ["c", { ...app, version: "2" }],
        ],
        labels: { ...app, version: "2" },
        expected: ["a", "b"],
      },
    ],
    [
      "matchLabelKeys that the pod does not have",
      {
        constraints: [skew({ matchLabelKeys: ["version"] }, "node")],
        placed: [
          ["a", app],
          ["b", app],
        ],
        expected: ["c"],
      },
    ],
  ])("%s", async (_title, { constraints, placed, labels = app, spec, taints = {}, expected }) => {
    await using cluster = await clusterOf(zones);
    for (const [name, effect] of Object.entries(taints))
      await cluster.patch("v1", "Node", name, { spec: { taints: [{ key: "test", effect }] } });
    for (const [index, [nodeName, own]] of placed.entries())
      await create(cluster, `placed-${index}`, own, { nodeName });
    await create(cluster, "new", labels, { topologySpreadConstraints: constraints, ...spec });
    const node = await nodeOf(cluster, "new");
    if (typeof expected === "string") expect(await obstacle(cluster, "new")).toBe(expected);
    else expect(expected).toContain(node);
  });
});

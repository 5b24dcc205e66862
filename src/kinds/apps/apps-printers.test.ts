import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const pods = {
  template: {
    metadata: { labels: { b: "2", a: "1" } },
    spec: {
      nodeSelector: { n: "1" },
      containers: [
        { name: "c", image: "i" },
        { name: "d", image: "j" },
      ],
    },
  },
};

const selector = { matchLabels: { b: "2" }, matchExpressions: [{ key: "a", operator: "Exists" }] };

const cases: readonly Case[] = [
  [
    "apps/deployments",
    {
      spec: { replicas: 3, selector, ...pods },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    ["1/3", 2, 1, "c,d", "i,j", "a,b=2"],
  ],
  ["apps/deployments", { spec: { replicas: 1, selector: {} } }, ["0/1", 0, 0, "", "", ""]],
  ["extensions/deployments", { spec: { replicas: 1 } }, ["0/1", 0, 0, "", "", ""]],
  [
    "apps/replicasets",
    { spec: { replicas: 3, selector, ...pods }, status: { replicas: 2, readyReplicas: 1 } },
    [3, 2, 1, "c,d", "i,j", "a,b=2"],
  ],
  [
    "apps/statefulsets",
    { spec: { replicas: 3, ...pods }, status: { readyReplicas: 2 } },
    ["2/3", "c,d", "i,j"],
  ],
  [
    "apps/daemonsets",
    {
      spec: { selector, ...pods },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    [5, 4, 3, 2, 1, "n=1", "c,d", "i,j", "a,b=2"],
  ],
  [
    "apps/controllerrevisions",
    {
      revision: 7,
      metadata: {
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: "p" },
          { apiVersion: "apps/v1", kind: "DaemonSet", name: "d", controller: true },
        ],
      },
    },
    ["daemonset.apps/d", 7],
  ],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});

test("the largest revision is shown in full", async () => {
  expect(await printedCells("apps/controllerrevisions", { revision: 9007199254740993n })).toEqual([
    "<none>",
    9007199254740993n,
  ]);
});

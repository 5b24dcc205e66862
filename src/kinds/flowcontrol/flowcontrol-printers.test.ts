import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

const condition = (type: string, status: string): JsonObject => ({ type, status, reason: "" });

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["flowcontrol.apiserver.k8s.io/flowschemas", {}, ["", 0, "<none>", "?"]],
  [
    "flowcontrol.apiserver.k8s.io/flowschemas",
    {
      spec: {
        priorityLevelConfiguration: { name: "l" },
        matchingPrecedence: 500,
        distinguisherMethod: { type: "ByUser" },
      },
      status: { conditions: [condition("Dangling", "False")] },
    },
    ["l", 500, "ByUser", "False"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    { spec: { type: "Exempt" } },
    ["Exempt", "<none>", "<none>", "<none>", "<none>"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    {
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    },
    ["Limited", 5, "<none>", "<none>", "<none>"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    {
      spec: {
        type: "Limited",
        limited: {
          assuredConcurrencyShares: 7,
          limitResponse: { type: "Queue", queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
        },
      },
    },
    ["Limited", 7, 64, 6, 50],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});

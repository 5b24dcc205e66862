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
const condition = (type: string, status = "True"): JsonObject => ({ type, status });

const cases: readonly Case[] = [
  [
    "batch/jobs",
    { spec: { completions: 5 }, status: { succeeded: 2 } },
    ["Running", "2/5", "", "", "", "<none>"],
  ],
  ["batch/jobs", { spec: { parallelism: 3 } }, ["Running", "0/1 of 3", "", "", "", "<none>"]],
  [
    "batch/jobs",
    { spec: { parallelism: 1 }, status: { startTime: "2029-12-31T23:59:30Z" } },
    ["Running", "0/1", "30s", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    {
      spec: { completions: 1 },
      status: {
        startTime: "2029-12-31T23:00:00Z",
        completionTime: "2029-12-31T23:05:00Z",
        conditions: [condition("Complete")],
      },
    },
    ["Complete", "0/1", "5m", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    { status: { conditions: [condition("Complete", "False"), condition("Failed")] } },
    ["Failed", "0/1", "", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    {
      metadata: { deletionTimestamp: "2029-12-31T23:59:00Z" },
      status: { conditions: [condition("Suspended")] },
    },
    ["Terminating", "0/1", "", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    { status: { conditions: [condition("Suspended")] } },
    ["Suspended", "0/1", "", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    { status: { conditions: [condition("FailureTarget")] } },
    ["FailureTarget", "0/1", "", "", "", "<none>"],
  ],
  [
    "batch/jobs",
    { status: { conditions: [condition("SuccessCriteriaMet")] } },
    ["SuccessCriteriaMet", "0/1", "", "", "", "<none>"],
  ],
  [
    "batch/cronjobs",
    { spec: { schedule: "@daily" } },
    ["@daily", "<none>", "<unset>", 0, "<none>", "", "", "<none>"],
  ],
  [
    "batch/cronjobs",
    {
      spec: {
        schedule: "* * * * *",
        timeZone: "Etc/UTC",
        suspend: true,
        jobTemplate: { spec: { selector, ...pods } },
      },
      status: { active: [{}, {}], lastScheduleTime: "2029-12-31T23:58:00Z" },
    },
    ["* * * * *", "Etc/UTC", "True", 2, "2m", "c,d", "i,j", "a,b=2"],
  ],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});

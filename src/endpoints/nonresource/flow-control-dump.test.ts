import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveFlowControlDump } from "./flow-control-dump.ts";

interface Level {
  readonly metadata: { readonly name?: string };
  readonly spec: JsonObject;
}

const exempt: Level = { metadata: { name: "exempt" }, spec: { type: "Exempt" } };
const limited = (name: string, queues: number): Level => ({
  metadata: { name },
  spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues } } } },
});

/** The cells of a dump, line by line; undefined if the path has none. */
async function dump(name: string, release: Release, levels: readonly Level[] = [], isOn = true) {
  const stored = levels.map((value) => ({ value, corrupt: false }));
  const corrupt = { value: limited("corrupt", 1), corrupt: true };
  const prefixes: string[] = [];
  const environment = {
    gates: featureGates(release, new Map([["APIPriorityAndFairness", isOn]])),
    store: {
      range: ({ prefix }: { prefix: string }) => {
        prefixes.push(prefix);
        return { items: [...stored, corrupt] };
      },
    },
  };
  const path = `/debug/api_priority_and_fairness/${name}`;
  // The function reads nothing else.
  const response = serveFlowControlDump(
    { path } as Partial<RequestContext> as RequestContext,
    environment as unknown as EndpointEnvironment,
  );
  if (response === undefined) return undefined;
  expect(prefixes).toEqual(["/registry/prioritylevelconfigurations/"]);
  expect([response.status, response.headers]).toEqual([200, [["Content-Type", "text/plain; charset=utf-8"]]]);
  return new TextDecoder().decode(await readResponseBody(response.body));
}

const cellsOf = (text: string | undefined) =>
  text
    ?.trimEnd()
    .split("\n")
    .map((line) => line.split(/, */));

describe("the dump of priority levels", () => {
  const state = ["0", "true", "false", "0", "0"];
  const none = state.map(() => "<none>");
  const head = [
    "PriorityLevelName",
    "ActiveQueues",
    "IsIdle",
    "IsQuiescing",
    "WaitingRequests",
    "ExecutingRequests",
  ];
  const counts = ["DispatchedRequests", "RejectedRequests", "TimedoutRequests", "CancelledRequests"];

  test.each<[Release, readonly (readonly string[])[]]>([
    ["1.26", [head, ["a", ...state], ["exempt", ...none]]],
    [
      "1.27",
      [
        [...head, ...counts],
        ["a", ...state, "0", "0", "0", "0"],
        ["exempt", ...none, "<none>", "<none>", "<none>", "<none>"],
      ],
    ],
    [
      "1.28",
      [
        [...head, ...counts],
        ["a", ...state, "0", "0", "0", "0"],
        ["exempt", ...state, "0", "0", "0", "0"],
      ],
    ],
  ])("of %s has the levels by name, and since 1.28 the state of exempt ones", async (release, rows) => {
    expect(cellsOf(await dump("dump_priority_levels", release, [exempt, limited("a", 1)]))).toEqual(rows);
  });

  test("aligns all columns but the last, as wide as their cells or eight characters", async () => {
    const text = await dump("dump_priority_levels", "1.26", [limited("a".repeat(20), 1)]);
    expect(text).toBe(
      [
        `PriorityLevelName,    ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests`,
        `${"a".repeat(20)}, 0,            true,   false,       0,               0`,
        "",
      ].join("\n"),
    );
  });

  test("has levels without a name first", async () => {
    const text = await dump("dump_priority_levels", "1.26", [limited("a", 1), { metadata: {}, spec: {} }]);
    expect(cellsOf(text)?.map(([name]) => name)).toEqual(["PriorityLevelName", "", "a"]);
  });
});

describe("the dump of queues", () => {
  const head = ["PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests"];

  test("has a line for every queue", async () => {
    const levels = [exempt, limited("b", 2), limited("a", 0)];
    expect(cellsOf(await dump("dump_queues", "1.22", levels))).toEqual([
      [...head, "VirtualStart"],
      ["b", "0", "0", "0", "0.0000"],
      ["b", "1", "0", "0", "0.0000"],
      ["exempt", "<none>", "<none>", "<none>", "<none>"],
    ]);
    const seats = ["0", "0.00000000ss", "0", "0", "0.00000000ss"];
    expect(cellsOf(await dump("dump_queues", "1.23", levels))).toEqual([
      [...head, "SeatsInUse", "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum"],
      ["b", "0", "0", "0", ...seats],
      ["b", "1", "0", "0", ...seats],
      ["exempt", ...Array(8).fill("<none>")],
    ]);
  });

  test("has at most a thousand lines for a level", async () => {
    const text = await dump("dump_queues", "1.32", [limited("a", 10_000_000)]);
    expect(cellsOf(text)).toHaveLength(1001);
  });

  test("has no line for a level that has none", async () => {
    const text = await dump("dump_queues", "1.32", [{ metadata: {}, spec: { type: "Exempt" } }]);
    expect(cellsOf(text)).toHaveLength(1);
  });
});

test.each<[Release, readonly string[]]>([
  ["1.22", []],
  ["1.23", ["InitialSeats", "FinalSeats", "AdditionalLatency"]],
  ["1.28", ["InitialSeats", "FinalSeats", "AdditionalLatency", "StartTime"]],
])("the dump of requests of %s has columns alone", async (release, more) => {
  const first = ["PriorityLevelName", "FlowSchemaName", "QueueIndex", "RequestIndexInQueue"];
  expect(cellsOf(await dump("dump_requests", release, [limited("a", 1)]))).toEqual([
    [...first, "FlowDistingsher", "ArriveTime", ...more],
  ]);
});

test("other paths have no dump, nor does a server without flow control", async () => {
  for (const name of ["", "dump", "dump_queues/"]) expect(await dump(name, "1.28")).toBeUndefined();
  expect(await dump("dump_queues", "1.28", [], false)).toBeUndefined();
});

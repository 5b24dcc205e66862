import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { podPrinter } from "./pod-printer.ts";

const now = Date.UTC(2030, 0, 1);
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

interface PodParts {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly deleted?: boolean;
}

function pod({ spec = {}, status = {}, deleted = false }: PodParts): KubeObject {
  const metadata = {
    name: "web",
    creationTimestamp: minutesAgo(2),
    ...(deleted && { deletionTimestamp: minutesAgo(1) }),
  };
  return { kind: "Pod", apiVersion: "v1", metadata, spec, status };
}

function cell(column: number, parts: PodParts): JsonValue | undefined {
  return podPrinter.cells(pod(parts), now)[column];
}

const waiting = (reason?: string): JsonObject => ({ state: { waiting: { ...(reason && { reason }) } } });
const terminated = (state: JsonObject): JsonObject => ({ state: { terminated: state } });
const running: JsonObject = { ready: true, state: { running: {} } };
const unready: JsonObject = { ready: false, state: { running: {} } };
const done = terminated({ exitCode: 0, reason: "Completed" });
const condition = (type: string, status = "True"): JsonObject => ({ type, status });
const restarted = (count: number, minutes?: number): JsonObject => ({
  restartCount: count,
  ...(minutes !== undefined && { lastState: { terminated: { finishedAt: minutesAgo(minutes) } } }),
});

describe("the status of a pod", () => {
  test.each<[title: string, status: JsonObject, shown: string]>([
    ["is its phase", { phase: "Pending" }, "Pending"],
    ["is its reason rather than its phase", { phase: "Failed", reason: "Evicted" }, "Evicted"],
    [
      "is SchedulingGated with a scheduling gate",
      {
        phase: "Pending",
        conditions: [{ ...condition("PodScheduled", "False"), reason: "SchedulingGated" }],
      },
      "SchedulingGated",
    ],
    [
      "is the waiting reason of a container",
      { containerStatuses: [waiting("ImagePullBackOff")] },
      "ImagePullBackOff",
    ],
    [
      "is its phase if a container waits without a reason",
      { phase: "Pending", containerStatuses: [waiting()] },
      "Pending",
    ],
    [
      "is the reason of the termination of a container",
      { containerStatuses: [terminated({ reason: "Error", exitCode: 1 })] },
      "Error",
    ],
    [
      "is the signal without a reason",
      { containerStatuses: [terminated({ signal: 9, exitCode: 137 })] },
      "Signal:9",
    ],
    [
      "is the exit code without a reason or signal",
      { containerStatuses: [terminated({ exitCode: 3 })] },
      "ExitCode:3",
    ],
    ["is the reason of the first container", { containerStatuses: [waiting("A"), waiting("B")] }, "A"],
    [
      "is the reason of the first container that has one",
      { containerStatuses: [running, waiting("B")] },
      "B",
    ],
    [
      "is Completed if all containers have completed",
      { phase: "Succeeded", containerStatuses: [done, done] },
      "Completed",
    ],
    [
      "is that of the first container, regardless of the second",
      { containerStatuses: [done, terminated({ reason: "Error", exitCode: 1 })] },
      "Completed",
    ],
    [
      "is Running if one container still runs",
      { containerStatuses: [done, running], conditions: [condition("Ready")] },
      "Running",
    ],
    [
      "is NotReady if one container runs and the pod is not ready",
      { containerStatuses: [done, running], conditions: [condition("Ready", "False")] },
      "NotReady",
    ],
    ["is Completed if the other container is not ready", { containerStatuses: [done, unready] }, "Completed"],
  ])("%s", (_title, status, shown) => {
    expect(cell(2, { status })).toBe(shown);
  });
});

describe("the status of a pod that starts", () => {
  const spec = { initContainers: [{ name: "a" }, { name: "b" }, { name: "s", restartPolicy: "Always" }] };

  test.each<[title: string, status: JsonObject, shown: string]>([
    [
      "is the number of completed init containers",
      { initContainerStatuses: [{ name: "a", ...done }, { name: "b" }] },
      "Init:1/3",
    ],
    [
      "is 0 while the first init container runs",
      { initContainerStatuses: [{ name: "a", state: { running: {} } }] },
      "Init:0/3",
    ],
    [
      "ignores the waiting reason PodInitializing",
      { initContainerStatuses: [{ name: "a", ...waiting("PodInitializing") }] },
      "Init:0/3",
    ],
    [
      "is the waiting reason of an init container",
      { initContainerStatuses: [{ name: "a", ...waiting("CrashLoopBackOff") }] },
      "Init:CrashLoopBackOff",
    ],
    [
      "is the reason of the termination of an init container",
      { initContainerStatuses: [{ name: "a", ...terminated({ exitCode: 1, reason: "Error" }) }] },
      "Init:Error",
    ],
    [
      "is the signal that terminated an init container",
      { initContainerStatuses: [{ name: "a", ...terminated({ exitCode: 1, signal: 15 }) }] },
      "Init:Signal:15",
    ],
    [
      "is the exit code of an init container",
      { initContainerStatuses: [{ name: "a", ...terminated({ exitCode: 2 }) }] },
      "Init:ExitCode:2",
    ],
    [
      "waits for a sidecar to start",
      { initContainerStatuses: [{ name: "s", started: false, state: { running: {} } }] },
      "Init:0/3",
    ],
    [
      "continues once the sidecar has started",
      { phase: "Running", initContainerStatuses: [{ name: "s", started: true, state: { running: {} } }] },
      "Running",
    ],
    [
      "is not that of its other containers",
      { initContainerStatuses: [{ name: "a" }], containerStatuses: [waiting("PodInitializing")] },
      "Init:0/3",
    ],
    [
      "is that of its other containers if it was initialized before",
      {
        conditions: [condition("Initialized")],
        initContainerStatuses: [{ name: "a" }],
        containerStatuses: [waiting("CrashLoopBackOff")],
      },
      "CrashLoopBackOff",
    ],
    [
      "is that of the init containers if the others have no reason",
      {
        conditions: [condition("Initialized")],
        initContainerStatuses: [{ name: "a" }],
        containerStatuses: [running],
      },
      "Init:0/3",
    ],
  ])("%s", (_title, status, shown) => {
    expect(cell(2, { spec, status: { phase: "Pending", ...status } })).toBe(shown);
  });
});

describe("a pod that is being deleted", () => {
  test.each<[status: JsonObject, shown: string]>([
    [{ phase: "Running" }, "Terminating"],
    [{ phase: "Pending", containerStatuses: [waiting("ErrImagePull")] }, "Terminating"],
    [{ phase: "Succeeded", containerStatuses: [done] }, "Completed"],
    [{ phase: "Failed", reason: "Evicted" }, "Evicted"],
    [{ phase: "Running", reason: "NodeLost" }, "Unknown"],
    [{ phase: "Failed", reason: "NodeLost" }, "Unknown"],
  ])("with the status %j is %s", (status, shown) => {
    expect(cell(2, { status, deleted: true })).toBe(shown);
  });
});

describe("the containers that are ready", () => {
  const containers = [{ name: "c" }, { name: "d" }];
  const initContainers = [{ name: "a" }, { name: "s", restartPolicy: "Always" }];

  test.each<[title: string, parts: PodParts, shown: string]>([
    ["are 0/0 without containers", {}, "0/0"],
    [
      "are counted out of all containers",
      { spec: { containers }, status: { containerStatuses: [running, unready] } },
      "1/2",
    ],
    ["must run", { spec: { containers }, status: { containerStatuses: [{ ready: true }] } }, "0/2"],
    ["include sidecars in the total", { spec: { containers, initContainers } }, "0/3"],
    [
      "include ready sidecars",
      {
        spec: { containers, initContainers },
        status: {
          initContainerStatuses: [
            { name: "a", ...done },
            { name: "s", started: true, ready: true },
          ],
          containerStatuses: [running, running],
        },
      },
      "3/3",
    ],
    [
      "are 0 while init containers run",
      {
        spec: { containers, initContainers },
        status: { initContainerStatuses: [{ name: "a" }], containerStatuses: [running] },
      },
      "0/3",
    ],
  ])("%s", (_title, parts, shown) => {
    expect(cell(1, parts)).toBe(shown);
  });
});

describe("the restarts of a pod", () => {
  const spec = { initContainers: [{ name: "a" }, { name: "s", restartPolicy: "Always" }] };

  test.each<[title: string, status: JsonObject, shown: string]>([
    ["are none", {}, "0"],
    ["are the sum of all containers", { containerStatuses: [restarted(2), restarted(3)] }, "5"],
    [
      "include the time of the last one",
      { containerStatuses: [restarted(2, 90), restarted(1, 5)] },
      "3 (5m ago)",
    ],
    ["have no time without restarts", { containerStatuses: [restarted(0, 5)] }, "0"],
    [
      "have no time without a finish time",
      { containerStatuses: [{ restartCount: 1, lastState: { terminated: { finishedAt: null } } }] },
      "1",
    ],
    [
      "are those of init containers while they run",
      { initContainerStatuses: [{ name: "a", ...restarted(4, 7) }] },
      "4 (7m ago)",
    ],
    [
      "exclude init containers once they have completed",
      {
        initContainerStatuses: [{ name: "a", ...restarted(4, 7), ...done }],
        containerStatuses: [restarted(1)],
      },
      "1",
    ],
    [
      "include sidecars",
      {
        initContainerStatuses: [{ name: "s", started: true, ...restarted(4, 7) }],
        containerStatuses: [restarted(1, 20)],
      },
      "5 (7m ago)",
    ],
  ])("%s", (_title, status, shown) => {
    expect(cell(3, { spec, status })).toBe(shown);
  });
});

describe("where a pod is", () => {
  test.each<[parts: PodParts, cells: readonly JsonValue[]]>([
    [{}, ["<none>", "<none>", "<none>", "<none>"]],
    [
      {
        spec: {
          nodeName: "n1",
          readinessGates: [{ conditionType: "x" }, { conditionType: "y" }, { conditionType: "z" }],
        },
        status: {
          podIP: "10.0.0.1",
          podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }],
          nominatedNodeName: "n2",
          conditions: [condition("x"), condition("y", "False")],
        },
      },
      ["10.0.0.1", "n1", "n2", "1/3"],
    ],
    [{ status: { podIP: "10.0.0.1" } }, ["10.0.0.1", "<none>", "<none>", "<none>"]],
  ])("%j is %j", (parts, cells) => {
    expect(podPrinter.cells(pod(parts), now).slice(5)).toEqual(cells);
  });
});

describe("the row of a pod", () => {
  test.each<[phase: string, conditions: readonly JsonObject[] | undefined]>([
    ["Running", undefined],
    [
      "Succeeded",
      [
        {
          type: "Completed",
          status: "True",
          reason: "Succeeded",
          message: "The pod has completed successfully.",
        },
      ],
    ],
    ["Failed", [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }]],
  ])("that is %s has the conditions %j", (phase, conditions) => {
    expect(podPrinter.conditions?.(pod({ status: { phase } }))).toEqual(conditions);
  });

  test("is complete for a pod without fields", () => {
    const bare: KubeObject = { kind: "Pod", apiVersion: "v1", metadata: {} };
    const none = ["<none>", "<none>", "<none>", "<none>"];
    expect(podPrinter.cells(bare, now)).toEqual(["", "0/0", "", "0", "<unknown>", ...none]);
  });
});

import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { podsToDelete } from "./deletion-order.ts";

const now = Date.parse("2026-01-02T00:00:00Z");

interface Sketch {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: string;
  readonly cost?: string;
  readonly restarts?: number;
  /** Of a sidecar. */
  readonly sidecarRestarts?: number;
  readonly created?: string;
}

function pod(name: string, sketch: Sketch): KubeObject {
  const { node = "n", phase = "Running", ready = "2026-01-01T00:00:00Z", cost, restarts = 0 } = sketch;
  const { created = "2026-01-01T00:00:00Z", sidecarRestarts = 0 } = sketch;
  const condition: JsonObject = {
    type: "Ready",
    status: ready === "" ? "False" : "True",
    lastTransitionTime: ready,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid: name,
      creationTimestamp: created,
      ...(cost !== undefined && { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { nodeName: node, initContainers: [{ name: "proxy", restartPolicy: "Always" }, { name: "init" }] },
    status: {
      phase,
      conditions: [condition],
      containerStatuses: [{ restartCount: restarts }],
      initContainerStatuses: [
        { name: "proxy", restartCount: sidecarRestarts },
        { name: "init", restartCount: 9 },
      ],
    },
  };
}

const order = { now, hasCosts: true, isLogarithmic: true };

test.each<readonly [string, Sketch, Sketch]>([
  ["without a node", { node: "" }, {}],
  ["that is pending", { phase: "Pending" }, {}],
  ["that is not ready", { ready: "" }, {}],
  ["of a lower cost", { cost: "-1" }, {}],
  ["with more restarts", { restarts: 2 }, { restarts: 1, sidecarRestarts: 3 }],
  ["with more restarts of a sidecar", { sidecarRestarts: 2 }, { sidecarRestarts: 1 }],
  ["that was ready much later", { ready: "2026-01-01T23:00:00Z" }, {}],
  ["that was created much later", { created: "2026-01-01T23:00:00Z" }, {}],
])("a pod %s is deleted first", (_title, first, second) => {
  const pods = [pod("second", second), pod("first", first)];
  expect(podsToDelete(pods, [], 1, order).map(({ metadata }) => metadata.name)).toEqual(["first"]);
});

test("a pod that shares its node with more pods of the Deployment is deleted first", () => {
  const pods = [pod("alone", { node: "a" }), pod("crowded", { node: "b" })];
  const related = [...pods, pod("other", { node: "b" })];
  expect(podsToDelete(pods, related, 1, order).map(({ metadata }) => metadata.name)).toEqual(["crowded"]);
});

test("pods of a similar age are deleted in the order of their uids", () => {
  const pods = [pod("b", { ready: "2026-01-01T00:00:10Z" }), pod("a", {})];
  expect(podsToDelete(pods, [], 1, order).map(({ metadata }) => metadata.name)).toEqual(["a"]);
});

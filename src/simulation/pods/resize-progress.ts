import { listAt, numberAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { goJson, goJsonText } from "../../apimachinery/go/go-json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { resizeProblem } from "./pod-resize.ts";
import type { PodContainer, PodRuntime, ResizeStep } from "./pod-runtime.ts";
import type { SyncContext } from "./sync-context.ts";
import type { SyncOutcome } from "./sync-outcome.ts";

/** How often a resize is tried again that the node had no room for, in milliseconds. */
const retryPeriod = 180_000;

/** A pod whose resize is decided, in a sync. */
export interface ResizedPod {
  readonly pod: KubeObject;
  readonly runtime: PodRuntime;
  readonly context: SyncContext;
  readonly outcome: SyncOutcome;
}

/**
 * Decides about the containers of a pod that want other resources: `granted` are those that get them. Of one generation, each step is said once.
 * Upstream: `handlePodResourcesResize` (pkg/kubelet/allocation/allocation_manager.go).
 */
export function decideResize(
  { pod, runtime: { pendingResize: _, ...runtime }, context, outcome }: ResizedPod,
  wanting: readonly PodContainer[],
): { readonly runtime: PodRuntime; readonly granted: readonly PodContainer[] } {
  if (wanting.length === 0) return { runtime, granted: [] };
  const { node, lister, now, gates } = context;
  const pendingResize = gates.since("1.33") ? resizeProblem(pod, node, lister) : undefined;
  const step = pendingResize?.reason ?? "Started";
  const resizing: ResizeStep = { step, generation: numberAt(pod, "metadata", "generation") };
  const isSaid = runtime.resizing?.step === step && runtime.resizing.generation === resizing.generation;
  if (!isSaid && gates.since("1.35")) {
    const what = step === "Started" ? "started" : step;
    const message = `Pod resize ${what}: ${summaryOf(pod, gates.since, pendingResize?.message)}`;
    outcome.say(step === "Started" ? "Normal" : "Warning", `Resize${step}`, message);
  }
  if (pendingResize === undefined) return { runtime: { ...runtime, resizing }, granted: wanting };
  if (step === "Deferred") outcome.wakeAt(now + retryPeriod);
  return { runtime: { ...runtime, resizing, pendingResize }, granted: [] };
}

/** Notes that no resize goes on, and since 1.34 says that one is complete: all containers that run have the resources that they request. */
export function endResize({ pod, runtime, context: { gates }, outcome }: ResizedPod): PodRuntime {
  const { resizing, ...rest } = runtime;
  if (resizing === undefined || runtime.pendingResize !== undefined) return runtime;
  if (resizing.step === "Started" && gates.since("1.34"))
    outcome.say("Normal", "ResizeCompleted", `Pod resize completed: ${summaryOf(pod, gates.since)}`);
  return rest;
}

/** The resources of the containers in JSON; fields are in the order of Go's struct. */
function summaryOf(pod: KubeObject, since: Since, error?: string): string {
  const allocations = (field: string) =>
    listAt(pod, "spec", field)
      .map((container) => {
        const resources = goJson(structAt(container, "resources"));
        return `{"name":${goJsonText(textAt(container, "name"))},"resources":${resources}}`;
      })
      .join(",");
  const parts = ["initContainers", "containers"]
    .filter((field) => listAt(pod, "spec", field).length > 0)
    .map((field) => `"${field}":[${allocations(field)}]`);
  if (since("1.35")) parts.push(`"generation":${numberAt(pod, "metadata", "generation")}`);
  if (error !== undefined) parts.push(`"error":${goJsonText(error)}`);
  return `{${parts.join(",")}}`;
}

import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { listAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { type AutoscalerMemory, withEntry } from "./autoscaler-memory.ts";
import { AutoscalerStatus, type ObservedAutoscaler } from "./autoscaler-status.ts";
import { MetricsReader, type Recommended } from "./metrics-reader.ts";
import { readScaleTarget, type ScaleTarget, scaleTo } from "./scale-target.ts";
import { longestPeriod } from "./scaling-policies.ts";
import { normalized } from "./stabilization.ts";

/** A decision about the replicas of a target. */
interface Decision {
  readonly replicas: number;
  readonly isRescale: boolean;
  /** Why, for the event; empty if it is no rescale. */
  readonly reason: string;
  readonly metrics: readonly JsonObject[];
}

/** Looks at autoscalers. Upstream: `reconcileAutoscaler` (pkg/controller/podautoscaler/horizontal.go). */
export class AutoscalerSync {
  readonly #environment: WorkloadEnvironment;
  readonly #histories: AutoscalerMemory;
  readonly #recorder: EventRecorder;
  readonly #metrics: MetricsReader;

  constructor(environment: WorkloadEnvironment, histories: AutoscalerMemory) {
    this.#environment = environment;
    this.#histories = histories;
    this.#recorder = environment.recorderOf("horizontal-pod-autoscaler");
    this.#metrics = new MetricsReader(environment, histories, this.#recorder);
  }

  /** Looks at an autoscaler, and scales its target if its metrics ask for it. What fails, the status and events say. */
  async sync(key: string): Promise<void> {
    const { clock } = this.#environment;
    const autoscaler = await this.#read(key);
    if (autoscaler === undefined) return;
    const status = new AutoscalerStatus(structAt(autoscaler, "status"), clock.now());
    const observed = { key, autoscaler, status };
    await this.#look(observed);
    if (status.isChanged) await this.#write(observed);
  }

  /** In the newest version that has all metrics, whatever the version of the storage. */
  async #read(key: string): Promise<KubeObject | undefined> {
    const { api, gates } = this.#environment;
    const { namespace, name } = namesOf(key);
    const version = gates.since("1.23") ? "v2" : "v2beta2";
    const path = `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers/${name}`;
    const requested = { group: "autoscaling", resource: "horizontalpodautoscalers", name };
    try {
      // The server answers with an object of this kind.
      return (await api.get(path, requested)) as KubeObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write({ autoscaler, status }: ObservedAutoscaler): Promise<void> {
    const { client } = this.#environment;
    const { namespace = "" } = autoscaler.metadata;
    try {
      await client.update({ ...autoscaler, status: status.current }, { namespace, subresource: "status" });
    } catch (error) {
      await this.#warn(autoscaler, "FailedUpdateStatus", messageOf(error));
    }
  }

  async #look(observed: ObservedAutoscaler): Promise<void> {
    const { api } = this.#environment;
    const { autoscaler, status } = observed;
    let target: ScaleTarget;
    try {
      target = await readScaleTarget(api, autoscaler);
    } catch (error) {
      const problem = messageOf(error);
      await this.#warn(autoscaler, "FailedGetScale", problem);
      const message = `the HPA controller was unable to get the target's current scale: ${problem}`;
      status.setCondition("AbleToScale", "False", "FailedGetScale", message);
      return;
    }
    const found = "the HPA controller was able to get the target's current scale";
    status.setCondition("AbleToScale", "True", "SucceededGetScale", found);
    const current = numberAt(target.scale, "spec", "replicas");
    this.#noteFirst(observed.key, current);
    const decision = await this.#decide(observed, target, current);
    if (decision !== undefined) await this.#follow(observed, target, current, decision);
  }

  /** The first recommendation is the size at the beginning, so that the target does not shrink at once. */
  #noteFirst(key: string, replicas: number): void {
    if (this.#histories.get(key)?.recommendations.length !== 0) return;
    this.#histories.note(key, { recommendations: [{ replicas, time: this.#environment.clock.now() }] });
  }

  /** Undefined if the metrics allow no decision, which the status says. */
  async #decide(
    observed: ObservedAutoscaler,
    target: ScaleTarget,
    current: number,
  ): Promise<Decision | undefined> {
    const { autoscaler, status } = observed;
    const max = numberAt(autoscaler, "spec", "maxReplicas");
    const min = minReplicasOf(autoscaler);
    if (current === 0 && this.#isDisabled(observed, min)) {
      const message = "scaling is disabled since the replica count of the target is zero";
      status.setCondition("ScalingActive", "False", "ScalingDisabled", message);
      return { replicas: current, isRescale: false, reason: "", metrics: [] };
    }
    const outside = (replicas: number, limit: string): Decision => {
      return { replicas, isRescale: true, reason: `Current number of replicas ${limit}`, metrics: [] };
    };
    if (current > max) return outside(max, "above Spec.MaxReplicas");
    if (current < min && current !== 0) return outside(min, "below Spec.MinReplicas");
    const recommended = await this.#metrics.recommend(observed, target.scale);
    if (recommended.type === "recommendation") return this.#limit(observed, current, recommended);
    status.set({ currentReplicas: current, currentMetrics: recommended.statuses, isRescaled: false });
    await this.#warn(autoscaler, "FailedComputeMetricsReplicas", recommended.error);
    return undefined;
  }

  /** Whether a target without replicas stays so: the autoscaler scales up only what may have no replicas. */
  #isDisabled({ autoscaler, status }: ObservedAutoscaler, min: number): boolean {
    const { gates } = this.#environment;
    if (!gates.since("1.36")) return min !== 0;
    const isScaledToZero = gates.isEnabled("HPAScaleToZero") && status.isTrue("ScaledToZero");
    if (!gates.isEnabled("HPAScaleToZero")) status.removeCondition("ScaledToZero");
    return !(isScaledToZero && (min !== 0 || hasOuterMetric(autoscaler)));
  }

  #limit(observed: ObservedAutoscaler, current: number, recommended: Recommended): Decision | undefined {
    const { autoscaler, status, key } = observed;
    const history = this.#histories.get(key);
    // The autoscaler has been deleted meanwhile.
    if (history === undefined) return undefined;
    const min = minReplicasOf(autoscaler);
    const max = numberAt(autoscaler, "spec", "maxReplicas");
    const behavior = behaviorOf(autoscaler);
    const now = this.#environment.clock.now();
    const limits = { min, max, current, behavior, history, now };
    const { replicas, stabilized, limited, recommendations } = normalized(recommended.replicas, limits);
    this.#histories.note(key, { recommendations });
    status.setCondition("AbleToScale", "True", stabilized.reason, stabilized.message);
    const isLimited = limited.isLimited ? "True" : "False";
    status.setCondition("ScalingLimited", isLimited, limited.reason, limited.message);
    const wanted = current === 0 ? Math.max(replicas, min) : replicas;
    const reason = rescaleReason(recommended, current, wanted);
    return { replicas: wanted, isRescale: wanted !== current, reason, metrics: recommended.statuses };
  }

  /** Scales the target if that was decided, and says so in the status. */
  async #follow(
    observed: ObservedAutoscaler,
    target: ScaleTarget,
    current: number,
    { replicas, isRescale, reason, metrics }: Decision,
  ): Promise<void> {
    const { status, autoscaler, key } = observed;
    if (isRescale) {
      try {
        await scaleTo(this.#environment.api, target, replicas);
      } catch (error) {
        const problem = messageOf(error);
        const failed = `New size: ${replicas}; reason: ${reason}; error: ${problem}`;
        await this.#warn(autoscaler, "FailedRescale", failed);
        const message = `the HPA controller was unable to update the target scale: ${problem}`;
        status.setCondition("AbleToScale", "False", "FailedUpdateScale", message);
        status.set({ currentReplicas: current, currentMetrics: metrics, isRescaled: false });
        return;
      }
      const message = `the HPA controller was able to update the target scale to ${replicas}`;
      status.setCondition("AbleToScale", "True", "SucceededRescale", message);
      const event = { type: "Normal", reason: "SuccessfulRescale" } as const;
      await this.#recorder.record(autoscaler, {
        ...event,
        message: `New size: ${replicas}; reason: ${reason}`,
      });
      this.#noteChange(key, autoscaler, current, replicas);
      this.#noteZero(observed, current, replicas);
    }
    const currentMetrics = metrics;
    status.set({
      currentReplicas: current,
      desiredReplicas: replicas,
      currentMetrics,
      isRescaled: isRescale,
    });
  }

  /** Policies count the changes. Upstream: `storeScaleEvent`. */
  #noteChange(key: string, autoscaler: KubeObject, before: number, after: number): void {
    const behavior = behaviorOf(autoscaler);
    const history = this.#histories.get(key);
    if (behavior === undefined || history === undefined) return;
    const time = this.#environment.clock.now();
    const isGrowing = after > before;
    const oldest = time - longestPeriod(isGrowing ? behavior.up : behavior.down);
    const events = withEntry(
      isGrowing ? history.ups : history.downs,
      { change: Math.abs(after - before), time },
      (event) => event.time < oldest,
    );
    this.#histories.note(key, isGrowing ? { ups: events } : { downs: events });
  }

  /** Says since 1.36 whether the autoscaler itself has taken all replicas away. */
  #noteZero({ autoscaler, status }: ObservedAutoscaler, before: number, after: number): void {
    const { gates } = this.#environment;
    if (!gates.since("1.36")) return;
    if (!gates.isEnabled("HPAScaleToZero")) {
      status.removeCondition("ScaledToZero");
      return;
    }
    const isToZero =
      before > 0 && after === 0 && minReplicasOf(autoscaler) === 0 && hasOuterMetric(autoscaler);
    if (isToZero) {
      const message = "the HPA controller scaled the workload to zero";
      status.setCondition("ScaledToZero", "True", "ScaledToZero", message);
    } else {
      const message = "the HPA controller did not scale the workload to zero";
      status.setCondition("ScaledToZero", "False", "NotScaledToZero", message);
    }
  }

  #warn(autoscaler: KubeObject, reason: string, message: string): Promise<void> {
    return this.#recorder.record(autoscaler, { type: "Warning", reason, message });
  }
}

function minReplicasOf(autoscaler: KubeObject): number {
  const min = structAt(autoscaler, "spec")["minReplicas"];
  return typeof min === "number" ? min : 1;
}

function behaviorOf(
  autoscaler: KubeObject,
): { readonly up: JsonObject; readonly down: JsonObject } | undefined {
  const behavior = objectAt(autoscaler, "spec", "behavior");
  return behavior && { up: structAt(behavior, "scaleUp"), down: structAt(behavior, "scaleDown") };
}

/** Whether a metric has a value although no pod runs. */
function hasOuterMetric(autoscaler: KubeObject): boolean {
  const types = listAt(autoscaler, "spec", "metrics").map((metric) => textAt(metric, "type"));
  return types.includes("Object") || types.includes("External");
}

/** The reason is about what metrics recommend, not about what the limits make of it. */
function rescaleReason({ replicas, metric }: Recommended, current: number, wanted: number): string {
  if (replicas > current) return `${metric} above target`;
  if (replicas < current) return "All metrics below target";
  return current === 0 && wanted > 0 ? "Current number of replicas below Spec.MinReplicas" : "";
}

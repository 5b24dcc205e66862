import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import {
  newCondition,
  statusCondition,
  type WorkloadCondition,
  withoutCondition,
} from "../contract/conditions.ts";

/** An autoscaler that is looked at. */
export interface ObservedAutoscaler {
  /** Its `namespace/name`. */
  readonly key: string;
  readonly autoscaler: KubeObject;
  readonly status: AutoscalerStatus;
}

/** The status of an autoscaler while it is looked at. */
export class AutoscalerStatus {
  readonly #original: JsonObject;
  readonly #now: number;
  #status: JsonObject;

  constructor(status: JsonObject, now: number) {
    this.#original = status;
    this.#now = now;
    this.#status = status;
  }

  get current(): JsonObject {
    return this.#status;
  }

  /** Whether a look has changed anything. In Go, missing lists and empty ones are equal. */
  get isChanged(): boolean {
    return !jsonEqual(comparable(this.#original), comparable(this.#status));
  }

  isTrue(type: string): boolean {
    return statusCondition(this.#status, type)?.["status"] === "True";
  }

  /** Sets a condition in its place. Its time changes only with its status. */
  setCondition(type: string, status: "True" | "False", reason: string, message: string): void {
    const condition: WorkloadCondition = { type, status, reason, message };
    const known = statusCondition(this.#status, type);
    const isSame = known?.["status"] === status;
    const changed = {
      ...newCondition(condition, this.#now),
      ...(isSame && { lastTransitionTime: textAt(known, "lastTransitionTime") }),
    };
    const others = listAt(this.#status, "conditions");
    const conditions =
      known === undefined ? [...others, changed] : others.map((one) => (one === known ? changed : one));
    this.#status = { ...this.#status, conditions };
  }

  removeCondition(type: string): void {
    if (statusCondition(this.#status, type) === undefined) return;
    this.#status = { ...this.#status, conditions: withoutCondition(this.#status, type) };
  }

  /** Sets all but the conditions. A missing number of desired replicas stays. */
  set(values: {
    readonly currentReplicas: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics: readonly JsonObject[];
    readonly isRescaled: boolean;
  }): void {
    const { currentReplicas, currentMetrics, isRescaled } = values;
    const lastScaleTime = isRescaled ? formatTime(this.#now) : textAt(this.#status, "lastScaleTime");
    this.#status = {
      ...(lastScaleTime !== "" && { lastScaleTime }),
      currentReplicas,
      desiredReplicas: values.desiredReplicas ?? numberAt(this.#status, "desiredReplicas"),
      currentMetrics: currentMetrics.length === 0 ? null : currentMetrics,
      conditions: listAt(this.#status, "conditions"),
    };
  }
}

function comparable(status: JsonObject): JsonObject {
  return {
    lastScaleTime: textAt(status, "lastScaleTime"),
    currentReplicas: numberAt(status, "currentReplicas"),
    desiredReplicas: numberAt(status, "desiredReplicas"),
    currentMetrics: listAt(status, "currentMetrics"),
    conditions: listAt(status, "conditions"),
  };
}

import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { listAt, numberAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { type LabelSelector, parseLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { pods } from "../contract/core-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import type { AutoscalerMemory } from "./autoscaler-memory.ts";
import type { ObservedAutoscaler } from "./autoscaler-status.ts";
import { MetricError, type Proposal, proposalOf } from "./metric-proposal.ts";
import { MetricsSource } from "./metrics-source.ts";
import { toleranceOf } from "./tolerances.ts";

/** What all metrics of an autoscaler recommend together. */
export interface Recommended {
  readonly type: "recommendation";
  readonly replicas: number;
  /** The metric that asks for most. */
  readonly metric: string;
  readonly statuses: readonly JsonObject[];
}

/** Metrics that allow no recommendation. */
interface NoRecommendation {
  readonly type: "none";
  readonly error: string;
  readonly statuses: readonly JsonObject[];
}

/** The pods of a target, and the text that selects them. */
interface Selected {
  readonly selector: string;
  readonly pods: readonly KubeObject[];
}

/** Computes the replicas for the metrics of an autoscaler. */
export class MetricsReader {
  readonly #environment: WorkloadEnvironment;
  readonly #histories: AutoscalerMemory;
  readonly #recorder: EventRecorder;
  readonly #source: MetricsSource;

  constructor(environment: WorkloadEnvironment, histories: AutoscalerMemory, recorder: EventRecorder) {
    this.#environment = environment;
    this.#histories = histories;
    this.#recorder = recorder;
    this.#source = new MetricsSource(environment.api);
  }

  /**
   * The most that a metric asks for. Metrics without a value stop a target from shrinking, and all together stop everything. Upstream:
   * `computeReplicasForMetrics` (pkg/controller/podautoscaler/horizontal.go).
   */
  async recommend(observed: ObservedAutoscaler, scale: JsonObject): Promise<Recommended | NoRecommendation> {
    const { autoscaler, status } = observed;
    const selected = await this.#select(observed, textAt(scale, "status", "selector"));
    if (typeof selected === "string") return { type: "none", error: selected, statuses: [] };
    const current = numberAt(scale, "spec", "replicas");
    const metrics = listAt(autoscaler, "spec", "metrics");
    const proposals: (Proposal | MetricError)[] = [];
    for (const metric of metrics) proposals.push(await this.#propose(autoscaler, scale, selected, metric));
    const failures = proposals.flatMap((one) => (one instanceof MetricError ? [one] : []));
    const found = proposals.flatMap((one) => (one instanceof MetricError ? [] : [one]));
    const statuses = proposals.map((one) => (one instanceof MetricError ? { type: "" } : one.status));
    const most = found.reduce((a, b) => (a.replicas === 0 || b.replicas > a.replicas ? b : a), nothing);
    const [failure] = failures;
    if (failure !== undefined && (found.length === 0 || most.replicas < current)) {
      const message = `the HPA was unable to compute the replica count: ${failure.problem}`;
      status.setCondition("ScalingActive", "False", failure.reason, message);
      const counts = `${failures.length} invalid out of ${metrics.length}`;
      return {
        type: "none",
        error: `invalid metrics (${counts}), first error is: ${failure.message}`,
        statuses,
      };
    }
    const message = `the HPA was able to successfully calculate a replica count from ${most.name}`;
    status.setCondition("ScalingActive", "True", "ValidMetricFound", message);
    return { type: "recommendation", replicas: most.replicas, metric: most.name, statuses };
  }

  async #propose(
    autoscaler: KubeObject,
    scale: JsonObject,
    selected: Selected,
    metric: JsonObject,
  ): Promise<Proposal | MetricError> {
    const { gates, clock } = this.#environment;
    const behavior = structAt(autoscaler, "spec", "behavior");
    const context = {
      source: this.#source,
      namespace: autoscaler.metadata.namespace ?? "",
      podSelector: selected.selector,
      pods: selected.pods,
      current: numberAt(scale, "spec", "replicas"),
      statusReplicas: numberAt(scale, "status", "replicas"),
      tolerance: toleranceOf(behavior, gates),
      gates,
      now: clock.now(),
    };
    try {
      return await proposalOf(context, metric);
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      await this.#warn(autoscaler, error.reason, error.problem);
      return error;
    }
  }

  /** The pods of the target, or the error if its selector does not say which. Upstream: `validateAndParseSelector`. */
  async #select(observed: ObservedAutoscaler, text: string): Promise<Selected | string> {
    const { autoscaler } = observed;
    if (text === "") {
      const error = "selector is required";
      await this.#warn(autoscaler, "SelectorRequired", error);
      const message = "the HPA target's scale is missing a selector";
      observed.status.setCondition("ScalingActive", "False", "InvalidSelector", message);
      return error;
    }
    const { gates, lister } = this.#environment;
    const { namespace = "" } = autoscaler.metadata;
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text, gates.since);
    } catch (error) {
      const problem = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
      return this.#reject(observed, "InvalidSelector", problem);
    }
    const selected = lister
      .list(pods, namespace)
      .filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
    this.#histories.note(observed.key, { selector: selector.text });
    const owners = gates.since("1.27") ? this.#autoscalersOf(namespace, selected) : [];
    if (owners.length > 1) {
      const problem = `pods by selector ${text} are controlled by multiple HPAs: [${owners.join(" ")}]`;
      return this.#reject(observed, "AmbiguousSelector", problem);
    }
    return { selector: selector.text, pods: selected };
  }

  async #reject(observed: ObservedAutoscaler, reason: string, problem: string): Promise<string> {
    await this.#warn(observed.autoscaler, reason, problem);
    observed.status.setCondition("ScalingActive", "False", reason, problem);
    return problem;
  }

  /** The keys of the autoscalers whose targets select any of these pods. */
  #autoscalersOf(namespace: string, selected: readonly KubeObject[]): readonly string[] {
    const { gates } = this.#environment;
    return this.#histories
      .selecting(namespace)
      .filter(({ selector }) => {
        const { matches } = parseLabelSelector(selector, gates.since);
        return selected.some(({ metadata }) => matches(metadata.labels ?? {}));
      })
      .map(({ key }) => key);
  }

  #warn(autoscaler: KubeObject, reason: string, message: string): Promise<void> {
    return this.#recorder.record(autoscaler, { type: "Warning", reason, message });
  }
}

const nothing: Proposal = { replicas: 0, name: "", status: {} };

import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { numberAt, stringsAt, structAt, valueAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  formatLabelSelectorObject,
  labelSelectorFromObject,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { statusCondition, withoutCondition } from "../contract/conditions.ts";
import { disruptionBudgets, pods as podResource } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { readySince } from "../pods/pod-state.ts";
import { type ExpectedPods, expectedPods } from "./expected-pods.ts";
import { resetStaleDisruption, staleTime } from "./stale-disruptions.ts";

/** How long an evicted pod may take to terminate before it counts again. */
const deletionTimeout = 120_000;

/** The keys of pods that several budgets select, or whose condition DisruptionTarget may be stale. */
const podPrefix = "pod:";

/** Keeps the status of PodDisruptionBudgets, by which evictions are allowed. Upstream: pkg/controller/disruption. */
export function disruptionController(environment: WorkloadEnvironment): Controller {
  const { memory, pods, lister } = environment;
  const selectors = memory.part("workloads/disruptionbudgets/selectors", () => new SelectorIndex());
  const sync = new DisruptionSync(environment);
  const hasReset = environment.gates.since("1.26");
  return {
    name: "disruption-controller",
    kinds: ["PodDisruptionBudget", "Pod"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, disruptionBudgets)) {
        selectors.take(change, selectorOf(object));
        return type === "put" ? [keyOf(object)] : [];
      }
      if (object.kind !== "Pod") return [];
      const former = pods.take(change);
      const budgets = [...selectors.selectingEither(former, object)];
      const isDisrupted = hasReset && staleTime(object) !== undefined;
      const isOfInterest = type === "put" && (isDisrupted || budgets.length > 1);
      return isOfInterest ? [...budgets, podPrefix + keyOf(object)] : budgets;
    },
    reconcile: async (key) => {
      if (key.startsWith(podPrefix)) {
        const { namespace, name } = namesOf(key.slice(podPrefix.length));
        const pod = lister.get(podResource, namespace, name);
        if (pod === undefined) return undefined;
        await sync.reportSeveral(pod, selectors.selecting(pod));
        return hasReset ? resetStaleDisruption(environment, pod) : undefined;
      }
      const { namespace, name } = namesOf(key);
      const budget = lister.get(disruptionBudgets, namespace, name);
      return budget === undefined ? undefined : sync.reconcile(budget);
    },
  };
}

/** Whether evictions are allowed, and why. */
interface Verdict {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
}

class DisruptionSync {
  readonly #environment: WorkloadEnvironment;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment) {
    this.#environment = environment;
    this.#recorder = environment.recorderOf("controllermanager");
  }

  /** Reports that several budgets select a pod, which cannot be evicted then. Upstream: `getPdbForPod`. */
  async reportSeveral(pod: KubeObject, budgets: readonly string[]): Promise<void> {
    const [first = "", ...others] = budgets;
    if (others.length === 0) return;
    const { namespace = "", name = "" } = pod.metadata;
    const choice = `Chose ${goQuote(namesOf(first).name)} arbitrarily.`;
    const title = `Pod ${goQuote(namespace)}/${goQuote(name)}`;
    const message = `${title} matches multiple PodDisruptionBudgets.  ${choice}`;
    await this.#say(pod, "Warning", "MultiplePodDisruptionBudgets", message);
  }

  async reconcile(budget: KubeObject): Promise<number | undefined> {
    const selector = selectorOf(budget);
    const all = this.#environment.pods.allIn(budget.metadata.namespace ?? "");
    const selected = all.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
    if (selected.length === 0) await this.#say(budget, "Normal", "NoPods", "No matching pods found");
    let counted: ExpectedPods;
    try {
      counted = await expectedPods(budget, selected, this.#environment);
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      await this.#say(budget, "Warning", "CalculateExpectedPodCountFailed", message);
      await this.#write(budget, this.#failed(budget, messageOf(error)));
      return undefined;
    }
    if (counted.lacksControllers) await this.#sayUnmanaged(budget);
    return this.#report(budget, selected, counted);
  }

  async #report(
    budget: KubeObject,
    pods: readonly KubeObject[],
    { expected, desiredHealthy }: ExpectedPods,
  ): Promise<number | undefined> {
    const now = this.#environment.clock.now();
    const disrupted = await this.#disrupted(budget, pods);
    const isHealthy = (pod: KubeObject) =>
      !isTerminating(pod) &&
      disrupted[pod.metadata.name ?? ""] === undefined &&
      readySince(pod) !== undefined;
    const currentHealthy = pods.filter(isHealthy).length;
    const allowed = expected > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
    const reason = allowed > 0 ? "SufficientPods" : "InsufficientPods";
    const observedGeneration = budget.metadata.generation ?? 0;
    await this.#write(budget, {
      observedGeneration,
      ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
      disruptionsAllowed: allowed,
      currentHealthy,
      desiredHealthy,
      expectedPods: expected,
      conditions: this.#conditions(budget, {
        isAllowed: allowed > 0,
        reason,
        message: "",
        observedGeneration,
      }),
    });
    const ends = Object.values(disrupted).map((time) => Date.parse(time) + deletionTimeout - now);
    return ends.length > 0 ? Math.max(1, ...[Math.min(...ends)]) : undefined;
  }

  /** The pods that were evicted and have not been deleted yet. */
  async #disrupted(
    budget: KubeObject,
    pods: readonly KubeObject[],
  ): Promise<{ readonly [name: string]: string }> {
    const now = this.#environment.clock.now();
    const found: { [name: string]: string } = {};
    const times = new Map(Object.entries(stringsAt(budget, "status", "disruptedPods")));
    for (const pod of pods.filter((one) => !isTerminating(one))) {
      const { name = "" } = pod.metadata;
      const time = times.get(name);
      if (time === undefined) continue;
      if (Date.parse(time) + deletionTimeout > now) found[name] = time;
      else {
        const { namespace } = budget.metadata;
        // Upstream names the namespace twice.
        const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
        await this.#say(pod, "Warning", "NotDeleted", message);
      }
    }
    return found;
  }

  /** If the number of pods is not known, no eviction is allowed. The generation counts as observed only with the number. */
  #failed(budget: KubeObject, message: string): JsonObject {
    const observedGeneration = numberAt(budget, "status", "observedGeneration");
    const verdict = { isAllowed: false, reason: "SyncFailed", message, observedGeneration };
    const conditions = this.#conditions(budget, verdict);
    return { ...structAt(budget, "status"), disruptionsAllowed: 0, conditions };
  }

  #conditions(
    budget: KubeObject,
    { isAllowed, reason, message, observedGeneration }: Verdict,
  ): readonly JsonObject[] {
    const status = structAt(budget, "status");
    if (!this.#environment.gates.since("1.20")) return [];
    const known = statusCondition(status, "DisruptionAllowed");
    const is = isAllowed ? "True" : "False";
    const now = formatTime(this.#environment.clock.now());
    const lastTransitionTime = known?.["status"] === is ? (known["lastTransitionTime"] ?? now) : now;
    const condition = {
      type: "DisruptionAllowed",
      status: is,
      ...(observedGeneration > 0 && { observedGeneration }),
      lastTransitionTime,
      reason,
      message,
    };
    return [...withoutCondition(status, "DisruptionAllowed"), condition];
  }

  async #write(budget: KubeObject, status: JsonObject): Promise<void> {
    if (jsonEqual(status, structAt(budget, "status"))) return;
    await updateStatus(this.#environment, disruptionBudgets, budget, status);
  }

  #sayUnmanaged(budget: KubeObject): Promise<void> {
    const selector = formatLabelSelectorObject(valueAt(budget, "spec", "selector"));
    const found = `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged.`;
    const effect =
      "As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.";
    const advice =
      'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    return this.#say(budget, "Warning", "UnmanagedPods", `${found} ${effect} ${advice}`);
  }

  #say(object: KubeObject, type: "Normal" | "Warning", reason: string, message: string): Promise<void> {
    return this.#recorder.record(object, { type, reason, message });
  }
}

function selectorOf(budget: KubeObject) {
  return labelSelectorFromObject(valueAt(budget, "spec", "selector"));
}

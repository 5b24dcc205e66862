import { isConflict } from "../../../apimachinery/errors/error-predicates.ts";
import {
  forbidden,
  notFound,
  type StatusError,
  timeout,
  tooManyRequests,
  withDetails,
} from "../../../apimachinery/errors/errors.ts";
import { integerAt, listAt, objectAt, sizeAt, structAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { GroupResource } from "../../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { formatTime } from "../../../apimachinery/time.ts";

const budgets: GroupResource = { group: "policy", resource: "poddisruptionbudgets" };
const rejected = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Concurrent evictions can cause conflicts. Upstream: `EvictionsRetry`. */
const attempts = 20;

/** How many evictions of a budget can wait until its controller has observed them. Upstream: `MaxDisruptedPodSize`. */
const maxDisruptedPods = 2000;

/** The budgets that select a pod. An eviction supports at most one. */
export function budgetsOf({ metadata }: KubeObject, lister: Lister): readonly KubeObject[] {
  const { namespace = "", labels = {} } = metadata;
  return lister.list(budgets, namespace).filter((budget) => selects(budget, labels));
}

/** An empty selector matches every pod in policy/v1 and none in policy/v1beta1. */
function selects(budget: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  const { selector } = structAt(budget, "spec");
  const isOfNone = budget.apiVersion !== "policy/v1" && jsonEqual(selector, {});
  return !isOfNone && labelSelectorFromObject(selector).matches(labels);
}

/** Writes the status of a budget as the user of the server itself, and returns the stored budget. */
export type UpdateBudgetStatus = (budget: KubeObject) => Promise<KubeObject>;

/** One disruption of a budget. */
export interface Disruption {
  readonly lister: Lister;
  readonly updateStatus: UpdateBudgetStatus;
  /** The name of the pod. */
  readonly pod: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Checks the budget without a change to it. */
  readonly dryRun: boolean;
}

/**
 * Takes one disruption for a pod from a budget. Call the returned function to return it.
 * @throws {StatusError} 429 if none is left, or the controller has not observed the newest budget
 */
export async function takeDisruption(
  budget: KubeObject,
  disruption: Disruption,
): Promise<() => Promise<void>> {
  const { lister, updateStatus, pod, now, dryRun } = disruption;
  const { namespace = "", name = "" } = budget.metadata;
  let current: KubeObject | undefined = budget;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (current === undefined) throw notFound(budgets, name);
    const before: KubeObject = current;
    const taken = disrupted(before, pod, now);
    if (dryRun) return async () => {};
    try {
      const written = await updateStatus(taken);
      return () => release(written, before, disruption);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    current = lister.get(budgets, namespace, name);
  }
  throw timeout(`couldn't update PodDisruptionBudget ${goQuote(name)} due to conflicts`, 10);
}

/** Returns a disruption. Upstream leaves this to the budget's controller, which may not run here. */
async function release(
  written: KubeObject,
  before: KubeObject,
  { lister, updateStatus }: Disruption,
): Promise<void> {
  const { namespace = "", name = "" } = written.metadata;
  const current = lister.get(budgets, namespace, name);
  // A client that has written to the budget since has recounted its pods.
  if (current?.metadata.resourceVersion !== written.metadata.resourceVersion) return;
  await updateStatus({ ...written, status: structAt(before, "status") });
}

function disrupted(budget: KubeObject, pod: string, now: number): KubeObject {
  checkAllowed(budget);
  const status = structAt(budget, "status");
  const disruptionsAllowed = Number(integerAt(status, "disruptionsAllowed")) - 1;
  const disruptedPods = { ...objectAt(status, "disruptedPods"), [pod]: formatTime(now) };
  const next: JsonObject = { ...status, disruptionsAllowed, disruptedPods };
  return {
    ...budget,
    metadata: { ...budget.metadata },
    status: disruptionsAllowed === 0 ? withoutDisruptions(next, now) : next,
  };
}

function checkAllowed(budget: KubeObject): void {
  const { name = "", generation = 0 } = budget.metadata;
  const status = structAt(budget, "status");
  if (integerAt(status, "observedGeneration") < generation) throw budgetNotObserved(name);
  const allowed = integerAt(status, "disruptionsAllowed");
  if (allowed < 0) throw refused(name, "pdb disruptions allowed is negative");
  if (sizeAt(status, "disruptedPods") > maxDisruptedPods) {
    const text = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw refused(name, text);
  }
  if (allowed > 0) return;
  const needs = `needs ${integerAt(status, "desiredHealthy")} healthy pods`;
  const has = `has ${integerAt(status, "currentHealthy")} currently`;
  throw tooMany(0, `The disruption budget ${name} ${needs} and ${has}`);
}

/** The status after a disruption: the budget allows no more. */
function withoutDisruptions(status: JsonObject, now: number): JsonObject {
  const type = "DisruptionAllowed";
  const conditions = listAt(status, "conditions");
  const at = conditions.findIndex((condition) => condition["type"] === type);
  const old = conditions[at];
  const isSame = old !== undefined && old["status"] === "False";
  const condition: JsonObject = {
    ...old,
    type,
    status: "False",
    observedGeneration: integerAt(status, "observedGeneration"),
    lastTransitionTime: isSame ? (old["lastTransitionTime"] ?? null) : formatTime(now),
    reason: "InsufficientPods",
    message: "",
  };
  return {
    ...status,
    conditions: old === undefined ? [...conditions, condition] : conditions.with(at, condition),
  };
}

/** The controller has not observed the newest budget yet. */
export function budgetNotObserved(name: string): StatusError {
  return tooMany(10, `The disruption budget ${name} is still being processed by the server.`);
}

function tooMany(retryAfterSeconds: number, message: string): StatusError {
  const causes = [{ reason: "DisruptionBudget", message }];
  return withDetails(tooManyRequests(rejected, retryAfterSeconds), { causes });
}

function refused(name: string, text: string): StatusError {
  return forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, text);
}

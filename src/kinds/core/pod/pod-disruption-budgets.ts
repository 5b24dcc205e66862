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
const blocked = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Others that are evicted at the same time may be first. */
const attempts = 20;

/** As many evictions may wait for the controller to notice them. */
const mostDisruptedPods = 2000;

/** The budgets that guard a pod: one is usual, more cannot be served. */
export function budgetsOf({ metadata }: KubeObject, lister: Lister): readonly KubeObject[] {
  const { namespace = "", labels = {} } = metadata;
  return lister.list(budgets, namespace).filter((budget) => guards(budget, labels));
}

/** An empty selector is of every pod in v1, and of none before. */
function guards(budget: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  const { selector } = structAt(budget, "spec");
  const isOfNone = budget.apiVersion !== "policy/v1" && jsonEqual(selector, {});
  return !isOfNone && labelSelectorFromObject(selector).matches(labels);
}

/** Writes the status of a budget as the server itself, and gives what is stored then. */
export type UpdateBudgetStatus = (budget: KubeObject) => Promise<KubeObject>;

/** Who takes a disruption from a budget, and when. */
export interface Disruption {
  readonly lister: Lister;
  readonly updateStatus: UpdateBudgetStatus;
  /** The name of the pod. */
  readonly pod: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The budget is only asked. */
  readonly dryRun: boolean;
}

/**
 * Takes one disruption from a budget, for a pod. The call that is returned gives it back.
 * @throws {StatusError} 429 when there is none left, or the budget has not been looked at since it changed.
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
      return () => giveBack(written, before, disruption);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    current = lister.get(budgets, namespace, name);
  }
  throw timeout(`couldn't update PodDisruptionBudget ${goQuote(name)} due to conflicts`, 10);
}

/** Upstream leaves it to the budget's controller, which there is not always. */
async function giveBack(
  written: KubeObject,
  before: KubeObject,
  { lister, updateStatus }: Disruption,
): Promise<void> {
  const { namespace = "", name = "" } = written.metadata;
  const current = lister.get(budgets, namespace, name);
  // Who has written to the budget since has looked at its pods anew.
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
  if (integerAt(status, "observedGeneration") < generation) throw stillProcessed(name);
  const allowed = integerAt(status, "disruptionsAllowed");
  if (allowed < 0) throw refused(name, "pdb disruptions allowed is negative");
  if (sizeAt(status, "disruptedPods") > mostDisruptedPods) {
    const text = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw refused(name, text);
  }
  if (allowed > 0) return;
  const needs = `needs ${integerAt(status, "desiredHealthy")} healthy pods`;
  const has = `has ${integerAt(status, "currentHealthy")} currently`;
  throw tooMany(0, `The disruption budget ${name} ${needs} and ${has}`);
}

/** The budget says that no pod may go now. */
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

/** The budget is not up to date; it will be soon. */
export function stillProcessed(name: string): StatusError {
  return tooMany(10, `The disruption budget ${name} is still being processed by the server.`);
}

function tooMany(retryAfterSeconds: number, message: string): StatusError {
  const causes = [{ reason: "DisruptionBudget", message }];
  return withDetails(tooManyRequests(blocked, retryAfterSeconds), { causes });
}

function refused(name: string, text: string): StatusError {
  return forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, text);
}

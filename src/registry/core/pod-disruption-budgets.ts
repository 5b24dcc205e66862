import {
  forbidden,
  notFound,
  type StatusError,
  tooManyRequests,
  withDetails,
} from "../../apimachinery/errors.ts";
import { integerAt, listAt, objectAt, sizeAt } from "../../apimachinery/fields.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { labelSelectorFromObject } from "../../apimachinery/label-selector-object.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { GenericRegistry } from "../generic/generic-registry.ts";
import type { ResourceAccess } from "../resource-access.ts";
import type { UpdateOptions } from "../rest.ts";
import { statusStrategy } from "../subresource/status.ts";

const budgets: GroupResource = { group: "policy", resource: "poddisruptionbudgets" };
const blocked = "Cannot evict pod as it would violate the pod's disruption budget.";

/** As many evictions may wait for the controller to notice them. */
const mostDisruptedPods = 2000;

/** The budgets that guard a pod: one is usual, more cannot be served. */
export function budgetsOf({ metadata }: KubeObject, lister: Lister): readonly KubeObject[] {
  const { namespace = "", labels = {} } = metadata;
  return lister
    .list(budgets, namespace)
    .filter((budget) => labelSelectorFromObject(section(budget, "spec")["selector"]).matches(labels));
}

/**
 * Takes one disruption from a budget, for this pod.
 * @throws {StatusError} 429 when there is none left, or the budget has not been looked at since it changed.
 */
export async function takeDisruption(
  access: ResourceAccess,
  { metadata }: KubeObject,
  pod: KubeObject,
  options: UpdateOptions,
): Promise<void> {
  const stored = access.stored(budgets);
  const { namespace = "", name = "" } = metadata;
  if (stored === undefined) return;
  const registry = new GenericRegistry({ ...stored, strategy: statusStrategy(stored.strategy) });
  const propose = (current: KubeObject | undefined) => {
    if (current === undefined) throw notFound(budgets, name);
    return disrupted(current, pod.metadata.name ?? "", options.now);
  };
  await registry.update({ namespace, name }, propose, options);
}

function disrupted(budget: KubeObject, pod: string, now: number): MutableKubeObject {
  checkAllowed(budget);
  const status = section(budget, "status");
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
  const status = section(budget, "status");
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

import { isConflict } from "../../../apimachinery/errors/error-predicates.ts";
import {
  badRequest,
  conflict,
  notFound,
  plainError,
  type StatusError,
} from "../../../apimachinery/errors/errors.ts";
import { objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { GroupVersion } from "../../../apimachinery/group-version.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type ObjectKey, storageKey } from "../../../registry/contract/object-key.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type {
  Answer,
  CreateOptions,
  DeleteOptions,
  Preconditions,
  ResourceDefinition,
  Rest,
  UpdateOptions,
} from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { createdStatus } from "../../../registry/contract/success-status.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import { isPodReady, withPodCondition } from "./pod-conditions.ts";
import {
  budgetNotObserved,
  budgetsOf,
  takeDisruption,
  type UpdateBudgetStatus,
} from "./pod-disruption-budgets.ts";
import { podStatusStrategy } from "./pod-status.ts";

const attempts = 20;

/**
 * POST to `pods/{name}/eviction`, which deletes a pod if its disruption budget allows it. Upstream:
 * pkg/registry/core/pod/storage/eviction.go.
 */
export function podEvictionRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
  { gates, updateStatus }: RegistryOptions,
): Rest {
  const { schema } = pods.definition;
  const strategy = podStatusStrategy(pods.strategy, { gates, schema });
  const registry = new GenericRegistry({ ...pods, strategy });
  return {
    definition,
    acceptsVersion: isPolicyVersion,
    create: (key, eviction, options) =>
      evict({ pods, registry, lister, updateStatus, gates, key, eviction, options }),
  };
}

function isPolicyVersion({ group, version }: GroupVersion): boolean {
  return group === "policy" && (version === "v1" || version === "v1beta1");
}

interface Eviction {
  readonly pods: StoredResource;
  readonly registry: GenericRegistry;
  readonly lister: Lister;
  readonly updateStatus: UpdateBudgetStatus;
  readonly gates: FeatureGates;
  readonly key: ObjectKey;
  readonly eviction: MutableKubeObject;
  readonly options: CreateOptions;
}

async function evict(request: Eviction): Promise<Answer> {
  const { key, eviction, options } = request;
  if (eviction.metadata.name !== key.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const deletion = deletionOf(eviction, options);
  await options.validateAdmission(eviction);
  const pod = await evictWithoutBudget(request, deletion);
  if (pod !== undefined) await evictWithBudget(request, deletion, pod);
  return { status: createdStatus };
}

/**
 * Evicts a pod that needs no budget because it has ended, has not started or is being deleted. Returns every other
 * pod.
 */
async function evictWithoutBudget(
  request: Eviction,
  deletion: DeleteOptions,
): Promise<KubeObject | undefined> {
  const { registry, key } = request;
  const isPinned = deletion.preconditions.resourceVersion !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const pod = registry.get(key).value;
    const phase = textAt(pod, "status", "phase");
    const isGoing = Boolean(pod.metadata.deletionTimestamp) || phase === "Succeeded" || phase === "Failed";
    if (!isGoing && phase !== "Pending") return pod;
    try {
      // A pod that becomes ready in the meantime must be checked against the budget.
      await remove(request, isGoing || isPinned ? deletion : pinned(deletion, pod));
      return undefined;
    } catch (error) {
      if (isPinned || !isConflict(error) || attempt === attempts) throw error;
    }
  }
}

async function evictWithBudget(request: Eviction, deletion: DeleteOptions, pod: KubeObject): Promise<void> {
  const budgets = budgetsOf(pod, request.lister);
  const [budget] = budgets;
  if (budgets.length > 1) throw tooManyBudgets();
  if (budget === undefined) {
    await remove(request, deletion);
    return;
  }
  if (!bypassesBudget(pod, budget)) {
    const { now, dryRun } = deletion;
    const release = await takeDisruption(budget, { ...request, pod: request.key.name, now, dryRun });
    await remove(request, deletion).catch(after(release));
    return;
  }
  try {
    await remove(request, pinned(deletion, pod));
  } catch (error) {
    const isPinned = deletion.preconditions.resourceVersion !== undefined;
    if (isPinned || !isConflict(error)) throw error;
    throw budgetNotObserved(budget.metadata.name ?? "");
  }
}

/** A pod that is not ready does not count as healthy, so its eviction does not use the budget. */
function bypassesBudget(pod: KubeObject, budget: KubeObject): boolean {
  if (isPodReady(pod)) return false;
  if (textAt(budget, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const { currentHealthy, desiredHealthy } = structAt(budget, "status");
  return Number(desiredHealthy) > 0 && Number(currentHealthy) >= Number(desiredHealthy);
}

function tooManyBudgets(): StatusError {
  return plainError(
    500,
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  );
}

/** An error handler that reverts a step of the eviction, with one retry, and rethrows. The step must be idempotent. */
function after(takeBack: () => Promise<unknown>): (error: unknown) => Promise<never> {
  return async (error) => {
    // A failed revert must not hide the first error.
    await takeBack()
      .catch(takeBack)
      .catch(() => {});
    throw error;
  };
}

/** Deletes the pod, with the condition DisruptionTarget since 1.26. */
async function remove(eviction: Eviction, deletion: DeleteOptions): Promise<void> {
  const { registry, key, gates } = eviction;
  if (deletion.dryRun || !gates.isEnabled("PodDisruptionConditions")) {
    await registry.delete(key, deletion);
    return;
  }
  const { preconditions } = deletion;
  const propose = (current: KubeObject | undefined) => {
    if (current === undefined) throw notFound(registry.definition.groupResource, key.name);
    checkPreconditions(current, preconditions);
    return condemned(current, deletion.now);
  };
  const before = registry.get(key);
  const { object } = await registry.update(key, propose, updateOptions(deletion));
  const { resourceVersion } = object.value.metadata;
  const isPinned = preconditions.resourceVersion !== undefined && resourceVersion !== undefined;
  // The eviction itself has just changed the resourceVersion.
  const removal = registry.delete(key, isPinned ? pinned(deletion, object.value) : deletion);
  await removal.catch(after(() => restore(eviction, object.value, before.value)));
}

/** Restores the pod, unless it has changed since. */
function restore({ pods, key }: Eviction, { metadata }: KubeObject, before: KubeObject): Promise<unknown> {
  return pods.store.guaranteedUpdate(storageKey(pods.space, key), (now) =>
    now?.value.metadata.resourceVersion === metadata.resourceVersion
      ? { type: "put", value: before }
      : { type: "unchanged" },
  );
}

function condemned(pod: KubeObject, now: number): MutableKubeObject {
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  } as const;
  const status = withPodCondition(structAt(pod, "status"), condition, now);
  return { ...pod, metadata: { ...pod.metadata }, status };
}

function checkPreconditions({ metadata }: KubeObject, { uid, resourceVersion }: Preconditions): void {
  const { name = "" } = metadata;
  const refuse = (what: string, sent: string, live = "", happened = "") => {
    const mismatch = `the ${what} in the precondition (${sent}) does not match the ${what} in record (${live})`;
    const text = `${mismatch}. The object might have been ${happened}`;
    return conflict({ group: "", resource: "Pod" }, name, text);
  };
  if (uid && uid !== metadata.uid) throw refuse("UID", uid, metadata.uid, "deleted and then recreated");
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion, "modified");
  }
}

function pinned(deletion: DeleteOptions, { metadata }: KubeObject): DeleteOptions {
  const { resourceVersion = "" } = metadata;
  return { ...deletion, preconditions: { ...deletion.preconditions, resourceVersion } };
}

/** The delete options of an eviction, without another admission. */
function deletionOf(eviction: KubeObject, options: CreateOptions): DeleteOptions {
  const sent = objectAt(eviction, "deleteOptions") ?? {};
  const { gracePeriodSeconds, orphanDependents, propagationPolicy } = sent;
  const { uid, resourceVersion } = structAt(sent, "preconditions");
  const { user, now, warn } = options;
  return {
    user,
    now,
    warn,
    dryRun: options.dryRun || textsAt(sent, "dryRun").length > 0,
    gracePeriodSeconds: typeof gracePeriodSeconds === "number" ? gracePeriodSeconds : undefined,
    orphanDependents: typeof orphanDependents === "boolean" ? orphanDependents : undefined,
    propagationPolicy: policyOf(propagationPolicy),
    preconditions: {
      ...(typeof uid === "string" && { uid }),
      ...(typeof resourceVersion === "string" && { resourceVersion }),
    },
    validateAdmission: () => {},
  };
}

function policyOf(policy: unknown): DeleteOptions["propagationPolicy"] {
  return policy === "Orphan" || policy === "Background" || policy === "Foreground" ? policy : undefined;
}

function updateOptions({ user, now, warn, dryRun }: DeleteOptions): UpdateOptions {
  const allow = () => {};
  return {
    user,
    now,
    warn,
    dryRun,
    uid: undefined,
    forceCreate: false,
    keepsManagedFields: false,
    validateAdmission: allow,
    validateCreation: allow,
  };
}

import type { Clock } from "../apimachinery/clock.ts";
import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { listAt, objectAt, structAt } from "../apimachinery/fields.ts";
import { formatGroupResource, formatGroupVersion } from "../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { compareText } from "../apimachinery/text-order.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { groupVersionOf, isAvailable } from "../kinds/apiregistration/api-service/registration.ts";
import type { ApiView } from "../served/api-view.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { ControllerClient } from "./contract/controller.ts";

const apiServices = { group: "apiregistration.k8s.io", resource: "apiservices" };
const namespaces = { group: "", resource: "namespaces" };
const kubernetesFinalizer = "kubernetes";

/** The objects that are left in a terminating namespace. */
interface Remaining {
  readonly resource: ApiResource;
  readonly objects: readonly KubeObject[];
}

/** The progress of the deletion of a namespace's content. */
interface Progress {
  /** The remaining objects of resources that can be deleted. */
  readonly remaining: readonly Remaining[];
  /** Those that the conditions count. */
  readonly counted: readonly Remaining[];
  /** The errors for other resources. */
  readonly failures: readonly string[];
}

/** What the deletion of a namespace works with. */
export interface NamespaceEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: Pick<ServedApi, "current">;
  readonly clock: Pick<Clock, "now">;
  readonly gates: FeatureGates;
}

/**
 * Deletes the content of a terminating namespace, reports the progress in its conditions, and removes its finalizer once it is
 * empty. @throws {Error} for failed deletions, which are to be tried again
 */
export async function deleteNamespace(
  namespace: KubeObject,
  environment: NamespaceEnvironment,
): Promise<void> {
  const { lister, client, clock } = environment;
  const { name = "" } = namespace.metadata;
  const progress = await deleteContent(environment, name);
  const undiscovered = discoveryProblem(environment);
  await writeConditions(client, namespace, { ...progress, undiscovered }, clock.now());
  const { remaining, failures } = progress;
  const problems = undiscovered === undefined ? failures : [undiscovered, ...failures];
  if (problems.length > 0) throw new Error(problems.join());
  // Remaining objects cause their own events.
  if (remaining.length === 0) await finalize(client, lister.get(namespaces, "", name));
}

/**
 * Why the resources of some aggregated APIs are not known: their servers do not answer. Upstream: `ProcessDiscoverResourcesErr`
 * (pkg/controller/namespace/deletion/status_condition_utils.go).
 */
function discoveryProblem({ lister, gates }: NamespaceEnvironment): string | undefined {
  const isFailing = (one: KubeObject) => objectAt(one, "spec", "service") !== undefined && !isAvailable(one);
  const failing = lister.list(apiServices, "").filter(isFailing);
  if (failing.length === 0) return undefined;
  const isStale = gates.since("1.27");
  const problems = failing.map(groupVersionOf).map((groupVersion) => {
    const gv = formatGroupVersion(groupVersion);
    const problem = `stale GroupVersion discovery: ${gv}`;
    return `${gv}: ${isStale ? problem : "the server is currently unable to handle the request"}`;
  });
  const list = problems.toSorted().join(", ");
  return `Discovery failed for some groups, ${failing.length} failing: unable to retrieve the complete list of server APIs: ${list}`;
}

function contentOf(
  lister: Lister,
  resources: readonly ApiResource[],
  namespace: string,
): readonly Remaining[] {
  return resources
    .map((resource) => ({ resource, objects: lister.list(resource, namespace) }))
    .filter(({ objects }) => objects.length > 0);
}

/** The failure for one resource does not stop the others. Pods go first, if the release says so. */
async function deleteContent(environment: NamespaceEnvironment, namespace: string): Promise<Progress> {
  const { served, gates } = environment;
  const resources = served.current.derived(deletableResources);
  const pods = resources.filter(({ group, resource }) => group === "" && resource === "pods");
  if (gates.isEnabled("OrderedNamespaceDeletion")) {
    const { remaining, failures } = await deleteResources(environment, pods, namespace);
    const all = failures.map(
      (failure) => `failed to delete pods for namespace: ${namespace}, err: ${failure}`,
    );
    // Upstream does not count the pods that it waits for.
    if (all.length > 0 || remaining.length > 0) return { remaining, counted: [], failures: all };
  }
  return deleteResources(environment, resources, namespace);
}

async function deleteResources(
  { lister, client }: NamespaceEnvironment,
  resources: readonly ApiResource[],
  namespace: string,
): Promise<Progress> {
  const failures: string[] = [];
  const deleted: ApiResource[] = [];
  for (const { resource, objects } of contentOf(lister, resources, namespace)) {
    try {
      await deleteAll(client, resource, objects, namespace);
      deleted.push(resource);
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  const remaining = contentOf(lister, deleted, namespace);
  return { remaining, counted: remaining, failures };
}

/**
 * The resources that a namespace can hold, each in its preferred version. Resources with the same storage count once.
 */
function deletableResources(view: ApiView): readonly ApiResource[] {
  const resources = new Map<string, ApiResource>();
  for (const gv of view.groupVersions()) {
    for (const resource of view.resources(gv)) {
      if (!resource.namespaced || !resource.verbs.includes("delete")) continue;
      const home = formatGroupResource(view.storedAs(resource));
      if (!resources.has(home)) resources.set(home, resource);
    }
  }
  return [...resources.values()];
}

async function deleteAll(
  client: ControllerClient,
  resource: ApiResource,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<void> {
  const options = { namespace, propagationPolicy: "Background" } as const;
  const apiVersion = formatGroupVersion(resource);
  if (objects.every(({ metadata }) => metadata.deletionTimestamp)) return;
  if (resource.verbs.includes("deletecollection")) {
    await client.deleteCollection(apiVersion, resource.kind, options);
    return;
  }
  for (const { metadata } of objects) {
    await client.delete(apiVersion, resource.kind, metadata.name ?? "", options).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function finalize(client: ControllerClient, namespace: KubeObject | undefined): Promise<void> {
  if (namespace === undefined) return;
  const { finalizers } = structAt(namespace, "spec");
  const kept = Array.isArray(finalizers) ? finalizers.filter((name) => name !== kubernetesFinalizer) : [];
  try {
    await client.update({ ...namespace, spec: { finalizers: kept } }, { subresource: "finalize" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What the conditions say. */
interface Reported extends Progress {
  readonly undiscovered: string | undefined;
}

async function writeConditions(
  client: ControllerClient,
  namespace: KubeObject,
  progress: Reported,
  now: number,
): Promise<void> {
  const before = listAt(namespace, "status", "conditions");
  const conditions = conditionsOf(progress, formatTime(now)).map((condition) =>
    unlessKnown(condition, before),
  );
  if (jsonEqual(conditions, before)) return;
  const status = { ...structAt(namespace, "status"), conditions };
  const { resourceVersion: _, ...metadata } = namespace.metadata;
  try {
    await client.update({ ...namespace, metadata, status }, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** An unchanged condition keeps its transition time. */
function unlessKnown(condition: JsonObject, before: readonly JsonObject[]): JsonObject {
  const says = ({ type, status, reason, message }: JsonObject) => [type, status, reason, message].join("\n");
  return before.find((known) => says(known) === says(condition)) ?? condition;
}

function conditionsOf(
  { counted, failures, undiscovered }: Reported,
  lastTransitionTime: string,
): readonly JsonObject[] {
  const condition = (type: string, status: boolean, reason: string, message: string): JsonObject => ({
    type,
    status: status ? "True" : "False",
    lastTransitionTime,
    reason,
    message,
  });
  const content = contentMessage(counted);
  const finalizers = finalizersMessage(counted);
  return [
    undiscovered === undefined
      ? condition(
          "NamespaceDeletionDiscoveryFailure",
          false,
          "ResourcesDiscovered",
          "All resources successfully discovered",
        )
      : condition("NamespaceDeletionDiscoveryFailure", true, "DiscoveryFailed", undiscovered),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      false,
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    failures.length === 0
      ? condition(
          "NamespaceDeletionContentFailure",
          false,
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        )
      : condition("NamespaceDeletionContentFailure", true, "ContentDeletionFailed", failureMessage(failures)),
    content === undefined
      ? condition("NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed")
      : condition("NamespaceContentRemaining", true, "SomeResourcesRemain", content),
    finalizers === undefined
      ? condition(
          "NamespaceFinalizersRemaining",
          false,
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        )
      : condition("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain", finalizers),
  ];
}

function failureMessage(failures: readonly string[]): string {
  const all = [...failures].sort(compareText).join(", ");
  return `Failed to delete all resource types, ${failures.length} remaining: ${all}`;
}

function contentMessage(remaining: readonly Remaining[]): string | undefined {
  if (remaining.length === 0) return undefined;
  const parts = remaining.map(
    ({ resource, objects }) => `${formatGroupResource(resource)} has ${objects.length} resource instances`,
  );
  return `Some resources are remaining: ${parts.toSorted().join(", ")}`;
}

function finalizersMessage(remaining: readonly Remaining[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { objects } of remaining) {
    for (const { metadata } of objects) {
      for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return undefined;
  const parts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  return `Some content in the namespace has finalizers remaining: ${parts.toSorted().join(", ")}`;
}

import { isNotFound } from "../apimachinery/error-predicates.ts";
import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import { type KubeObject, section } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Controller, ControllerClient } from "./controller.ts";

const namespaces = { group: "", resource: "namespaces" };
const kubernetesFinalizer = "kubernetes";

/** What is still in a namespace that shall go. */
interface Remaining {
  readonly resource: ApiResource;
  readonly objects: readonly KubeObject[];
}

/** Empties namespaces that are terminating, says how far it has come in their conditions, and lets go of the empty ones. */
export function namespaceController(
  lister: Lister,
  client: ControllerClient,
  resources: () => readonly ApiResource[],
  now: () => number,
): Controller {
  return {
    name: "namespace-controller",
    observe: ({ object }) => {
      const name = object.kind === "Namespace" ? object.metadata.name : object.metadata.namespace;
      return name !== undefined && isTerminating(lister, name) ? [name] : [];
    },
    reconcile: async (name) => {
      const namespace = lister.get(namespaces, "", name);
      if (!namespace?.metadata.deletionTimestamp) return;
      for (const { resource, objects } of contentOf(lister, resources(), name)) {
        for (const object of objects) await deleteOne(client, resource, object);
      }
      const remaining = contentOf(lister, resources(), name);
      await writeConditions(client, namespace, remaining, now());
      if (remaining.length === 0) await finalize(client, lister.get(namespaces, "", name));
    },
  };
}

function isTerminating(lister: Lister, name: string): boolean {
  return Boolean(lister.get(namespaces, "", name)?.metadata.deletionTimestamp);
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

async function deleteOne(client: ControllerClient, resource: ApiResource, object: KubeObject): Promise<void> {
  const { name = "", namespace = "", deletionTimestamp } = object.metadata;
  if (deletionTimestamp) return;
  try {
    await client.delete(object.apiVersion, resource.kind, name, {
      namespace,
      propagationPolicy: "Background",
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function finalize(client: ControllerClient, namespace: KubeObject | undefined): Promise<void> {
  if (namespace === undefined) return;
  const { finalizers } = section(namespace, "spec");
  const kept = Array.isArray(finalizers) ? finalizers.filter((name) => name !== kubernetesFinalizer) : [];
  try {
    await client.update({ ...namespace, spec: { finalizers: kept } }, { subresource: "finalize" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function writeConditions(
  client: ControllerClient,
  namespace: KubeObject,
  remaining: readonly Remaining[],
  now: number,
): Promise<void> {
  const conditions = conditionsOf(remaining, formatTime(now));
  const before = section(namespace, "status")["conditions"];
  if (sameConditions(before, conditions)) return;
  const status = { ...section(namespace, "status"), conditions };
  const { resourceVersion: _, ...metadata } = namespace.metadata;
  try {
    await client.update({ ...namespace, metadata, status }, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Conditions say the same when they differ in their times alone. */
function sameConditions(before: unknown, after: readonly JsonObject[]): boolean {
  const withoutTimes = (conditions: unknown) =>
    JSON.stringify(conditions, (key, value) => (key === "lastTransitionTime" ? undefined : value));
  return withoutTimes(before) === withoutTimes(after);
}

function conditionsOf(remaining: readonly Remaining[], lastTransitionTime: string): readonly JsonObject[] {
  const condition = (type: string, status: boolean, reason: string, message: string): JsonObject => ({
    type,
    status: status ? "True" : "False",
    lastTransitionTime,
    reason,
    message,
  });
  const content = contentMessage(remaining);
  const finalizers = finalizersMessage(remaining);
  return [
    condition(
      "NamespaceDeletionDiscoveryFailure",
      false,
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      false,
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    condition(
      "NamespaceDeletionContentFailure",
      false,
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
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

import { isAlreadyExists, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { numberAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { controllerRevisions } from "../contract/workload-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";

/** All ControllerRevisions, by their controllers. */
export function revisionIndex({ memory }: Pick<WorkloadEnvironment, "memory">): OwnedObjects {
  return memory.part("workloads/controllerrevisions", () => new OwnedObjects(controllerRevisions));
}

/** The change of an object to a template, as a ControllerRevision keeps it. */
export function templatePatch(template: JsonObject): JsonObject {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

/** The template of a ControllerRevision. */
export function templateOf(revision: KubeObject): JsonObject {
  const { $patch: _, ...template } = structAt(revision, "data", "spec", "template");
  return template;
}

/** The number of a revision. */
export function revisionNumber(revision: KubeObject): number {
  return numberAt(revision, "revision");
}

export function byRevisionNumber(a: KubeObject, b: KubeObject): number {
  return revisionNumber(a) - revisionNumber(b) || compareNames(a, b);
}

function compareNames(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}

/** Finds the revision with this data: the newest one of equal ones. */
export function equalRevision(revisions: readonly KubeObject[], data: JsonObject): KubeObject | undefined {
  return revisions.toSorted(byRevisionNumber).findLast((one) => jsonEqual(objectAt(one, "data"), data));
}

/** A revision to create. */
export interface NewRevision {
  readonly owner: KubeObject;
  readonly hash: string;
  readonly labels: JsonObject;
  readonly data: JsonObject;
  readonly revision: number;
}

/** Creates a ControllerRevision; undefined if its name is taken by another one. @throws {StatusError} other refusals */
export async function createRevision(
  { client, lister }: WorkloadEnvironment,
  { owner, hash, labels, data, revision }: NewRevision,
): Promise<KubeObject | undefined> {
  const { name = "", namespace = "", annotations } = owner.metadata;
  const metadata = {
    name: `${name.slice(0, 223)}-${hash}`,
    namespace,
    labels,
    ...(annotations !== undefined && { annotations }),
    ownerReferences: [controllerReference(owner)],
  };
  const { apiVersion, kind } = controllerRevisions;
  try {
    return await client.create({ apiVersion, kind, metadata, data, revision }, { namespace });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = lister.get(controllerRevisions, namespace, metadata.name);
    return existing !== undefined && jsonEqual(objectAt(existing, "data"), data) ? existing : undefined;
  }
}

/** Deletes the oldest revisions beyond a limit that are not used. Upstream: `truncateHistory`. */
export async function truncateRevisions(
  { client }: WorkloadEnvironment,
  unused: readonly KubeObject[],
  limit: number,
): Promise<void> {
  const sorted = unused.toSorted(byRevisionNumber);
  for (const { apiVersion, kind, metadata } of sorted.slice(0, Math.max(0, sorted.length - limit))) {
    const { name = "", namespace = "" } = metadata;
    await client.delete(apiVersion, kind, name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

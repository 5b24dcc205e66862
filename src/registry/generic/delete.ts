import { notFound } from "../../apimachinery/errors/errors.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { Answer, Deleted, DeleteOptions } from "../contract/rest.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import { checkReadable } from "./corrupt-object.ts";
import { checkPreconditions, type Deletion, decideDeletion } from "./graceful-deletion.ts";
import { sealForStorage } from "./seal.ts";

/**
 * Deletes an object, or marks it as terminating if finalizers or a grace period require that.
 * @throws {StatusError} notFound, conflict for a failed precondition, or the error of admission
 */
export async function deleteObject(
  resource: StoredResource,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<Deleted> {
  const path = storageKey(resource.space, key);
  for (;;) {
    const current = resource.store.get(path);
    if (current === undefined) throw notFound(resource.definition.groupResource, key.name);
    checkReadable(resource, current);
    checkPreconditions(resource, key, current.value, options.preconditions);
    const deletion = decideDeletion(resource, current.value, options);
    if (deletion.type === "pending") return { answer: { object: current }, immediate: false };
    await options.validateAdmission(current.value);
    const attempt = await deleteOnce(resource, path, current, deletion, options);
    if (attempt !== "raced") return attempt;
  }
}

async function deleteOnce(
  resource: StoredResource,
  path: string,
  current: StoredObject,
  deletion: Exclude<Deletion, { readonly type: "pending" }>,
  options: DeleteOptions,
): Promise<Deleted | "raced"> {
  if (deletion.type === "unchanged") return { answer: { object: current }, immediate: false };
  const object = sealForStorage(resource, deletion.object);
  const immediate = deletion.type !== "mark";
  if (options.dryRun) return { answer: answerOf(resource, transient(object), immediate, options), immediate };
  const update = await resource.store.guaranteedUpdate(path, (now) => {
    if (now?.modRevision !== current.modRevision) return { type: "unchanged" };
    if (deletion.type === "mark") return { type: "put", value: object };
    const others = resource.strategy.dependentKeys(object);
    return { type: "delete", ...(deletion.type === "markAndRemove" && { last: object }), others };
  });
  if (update.type === "unchanged") return "raced";
  if (deletion.type === "mark")
    return { answer: answerOf(resource, update.value, false, options), immediate };
  const removed = transient(withRevision(object, update.revision));
  return { answer: answerOf(resource, removed, true, options), immediate };
}

function answerOf(
  resource: StoredResource,
  object: Encodable,
  immediate: boolean,
  { returns = resource.strategy.deleteReturnsObject ? "object" : "status" }: Pick<DeleteOptions, "returns">,
): Answer {
  return !immediate || returns === "object" ? { object } : { status: deletedStatus(resource, object.value) };
}

function deletedStatus(resource: StoredResource, object: KubeObject): Status {
  const { group, resource: kind } = resource.definition.groupResource;
  const { name = "", uid = "" } = object.metadata;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group !== "" && { group }), kind, uid },
  };
}

function withRevision(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

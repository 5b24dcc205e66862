import { notFound } from "../../apimachinery/errors/errors.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { Deleted, DeleteOptions } from "../contract/rest.ts";
import { decodeStored, encodeForStorage } from "../contract/storage-codec.ts";
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
    const decoding = decodeStored(resource, current.value);
    const object = decoding instanceof Promise ? await decoding : decoding;
    checkPreconditions(resource, key, object, options.preconditions);
    const deletion = decideDeletion(resource, object, options);
    if (deletion.type === "pending") return kept(current);
    const grace = resource.strategy.gracePeriodSeconds(object, options.gracePeriodSeconds);
    await options.validateAdmission(object, grace);
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
  if (deletion.type === "unchanged") return kept(current);
  const encoded = encodeForStorage(resource, sealForStorage(resource, deletion.object));
  const object = encoded instanceof Promise ? await encoded : encoded;
  const isMark = deletion.type === "mark";
  if (options.dryRun) return isMark ? kept(transient(object)) : removed(resource, object);
  const update = await resource.store.guaranteedUpdate(path, (now) => {
    if (now?.modRevision !== current.modRevision) return { type: "unchanged" };
    if (isMark) return { type: "put", value: object };
    const others = resource.strategy.dependentKeys(object);
    return { type: "delete", ...(deletion.type === "markAndRemove" && { last: object }), others };
  });
  if (update.type === "unchanged") return "raced";
  return isMark ? kept(update.value) : removed(resource, withRevision(object, update.revision));
}

/** The object is still there, terminating or unchanged. */
function kept(object: Encodable): Deleted {
  return { object, immediate: false, returnsObject: true };
}

function removed({ strategy }: StoredResource, object: KubeObject): Deleted {
  return { object: transient(object), immediate: true, returnsObject: strategy.deleteReturnsObject };
}

function withRevision(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

import { notFound } from "../../apimachinery/errors.ts";
import { checkReadable } from "./corrupt-object.ts";
import { type ObjectKey, storageKey } from "./object-key.ts";
import type { StoredObject, StoredResource } from "./stored-resource.ts";

/** @throws {StatusError} notFound; internalError for one that is corrupt */
export function getObject(resource: StoredResource, key: ObjectKey): StoredObject {
  const found = resource.store.get(storageKey(resource.space, key));
  if (found === undefined) throw notFound(resource.definition.groupResource, key.name);
  checkReadable(resource, found);
  return found;
}

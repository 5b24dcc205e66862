import { notFound } from "../../apimachinery/errors/errors.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import { checkReadable } from "./corrupt-object.ts";

/** @throws {StatusError} notFound; internalError for one that is corrupt */
export function getObject(resource: StoredResource, key: ObjectKey): StoredObject {
  const found = resource.store.get(storageKey(resource.space, key));
  if (found === undefined) throw notFound(resource.definition.groupResource, key.name);
  checkReadable(resource, found);
  return found;
}

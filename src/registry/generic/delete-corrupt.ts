import { invalid } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { DeleteOptions } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

const option = "ignoreStoreReadErrorWithClusterBreakingPotential";

/**
 * Removes a corrupt object after admission. Its finalizers and dependents are not known, so they are ignored.
 * Upstream: `corruptObjectDeleter`.
 * @throws {StatusError} invalid if the object can be read or does not exist; the error of admission
 */
export async function deleteCorruptObject(
  resource: StoredResource,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<void> {
  const path = storageKey(resource.space, key);
  const current = resource.store.get(path);
  if (!current?.corrupt) throw readable(resource, key);
  await options.validateAdmission(current.value, undefined);
  await resource.store.guaranteedUpdate(path, (now) =>
    now?.corrupt ? { type: "delete" } : { type: "unchanged" },
  );
}

/** Upstream names the resource here; every other 422 names the kind. */
function readable({ definition }: StoredResource, { name }: ObjectKey): Error {
  const { group, resource: kind } = definition.groupResource;
  const detail = "is exclusively used to delete corrupt object(s), try again by removing this option";
  return invalid({ group, kind }, name, [fieldInvalid(option, true, detail)]);
}

import { invalid } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { DeleteOptions } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

const option = "ignoreStoreReadErrorWithClusterBreakingPotential";

/**
 * Removes an object that cannot be read. Nobody knows its finalizers and its dependents, so nothing waits for them;
 * admission is asked. Upstream's `corruptObjectDeleter`.
 * @throws {StatusError} invalid for an object that can be read, or is not there; what admission says
 */
export async function deleteCorruptObject(
  resource: StoredResource,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<void> {
  const path = storageKey(resource.space, key);
  const current = resource.store.get(path);
  if (!current?.corrupt) throw readable(resource, key);
  await options.validateAdmission(current.value);
  await resource.store.guaranteedUpdate(path, (now) =>
    now?.corrupt ? { type: "delete" } : { type: "unchanged" },
  );
}

/** Upstream names the resource where every other 422 names the kind. */
function readable({ definition }: StoredResource, { name }: ObjectKey): Error {
  const { group, resource: kind } = definition.groupResource;
  const detail = "is exclusively used to delete corrupt object(s), try again by removing this option";
  return invalid({ group, kind }, name, [fieldInvalid(option, true, detail)]);
}

import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { ApplyKind } from "./apply-kind.ts";
import type { ApplyType } from "./apply-type.ts";
import { mergeObjects } from "./merge.ts";
import { fieldElement, formatPath, type PathElement } from "./path-element.ts";
import { ListItemError, TypedError } from "./typed-error.ts";
import { type Duplicates, validateTyped } from "./validate-typed.ts";

/** A configuration cannot be merged, in the words of upstream. */
export class MergeError extends Error {
  override readonly name = "MergeError";
}

/**
 * An object merged with a configuration, as after an apply, but without owners: nothing is removed, and there are no conflicts. The
 * result may share parts with both. Upstream: apiserver, plugin/policy/mutating/patch/smd.go, ApplyStructuredMergeDiff.
 * @throws {MergeError} also for a configuration that would replace an atomic list, map or structure
 */
export function mergeConfiguration(kind: ApplyKind, live: JsonObject, configuration: JsonObject): JsonObject {
  check(kind, configuration, "refused", "failed to convert patch object to typed object");
  const atomics: string[] = [];
  addAtomics(atomics, kind.type, configuration, []);
  if (atomics.length > 0) {
    const problem = `may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
    throw new MergeError(`invalid ApplyConfiguration: ${problem}`);
  }
  if (!kind.isDecoded) check(kind, live, "allowed", "failed to convert original object to typed object");
  try {
    const merged = mergeObjects(kind.type, live, configuration);
    return isJsonObject(merged) ? merged : live;
  } catch (error) {
    throw error instanceof ListItemError ? new MergeError(`failed to merge patch: ${error.message}`) : error;
  }
}

function check({ type }: ApplyKind, object: JsonObject, duplicates: Duplicates, problem: string): void {
  try {
    validateTyped(type, object, duplicates);
  } catch (error) {
    throw error instanceof TypedError ? new MergeError(`${problem}: ${error.message}`) : error;
  }
}

/** Adds the paths of atomic parts. Like upstream, it does not look into the values of maps, only into fields and items. */
function addAtomics(
  atomics: string[],
  { map, list }: ApplyType,
  value: JsonValue,
  path: readonly PathElement[],
): void {
  if (isJsonObject(value) && map !== undefined) {
    if (map.topology === "atomic") atomics.push(formatPath(path));
    for (const key of Object.keys(value)) {
      const field = map.fields.get(key);
      if (field !== undefined)
        addAtomics(atomics, field.type, value[key] ?? null, [...path, fieldElement(key)]);
    }
  } else if (Array.isArray(value) && list !== undefined) {
    if (list.topology === "atomic") atomics.push(formatPath(path));
    for (const [i, item] of value.entries()) addAtomics(atomics, list.items, item, [...path, `i:${i}`]);
  }
}

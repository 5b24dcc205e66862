import { getKey, type JsonObject, type JsonValue, type MutableJsonObject } from "../apimachinery/json.ts";
import { badFormat, panic, unknownDirective } from "./strategic-errors.ts";

/** In an object: what to do instead of merging it. */
export const directiveMarker = "$patch";
/** In an object: the members to keep; all others are dropped. */
const retainKeysDirective = "$retainKeys";
/** `$deleteFromPrimitiveList/args`: the values to remove from a list of scalars. */
export const deletionPrefix = "$deleteFromPrimitiveList";
/** `$setElementOrder/containers`: the order of a merged list. */
export const orderPrefix = "$setElementOrder";

/** The field that follows a directive and a slash. @throws {PatchError} badRequest if there is no slash */
export function fieldOf(key: string, prefix: typeof deletionPrefix | typeof orderPrefix): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw badFormat(prefix === deletionPrefix ? "primitive list" : "setElementOrder list");
}

/** The result of a patch with `$patch`. @throws {PatchError} internal for an unknown directive */
export function applyDirective(directive: JsonValue, patch: MutableJsonObject): JsonObject {
  if (directive === "replace") {
    delete patch[directiveMarker];
    return patch;
  }
  if (directive === "delete") return {};
  throw unknownDirective(directive, patch);
}

/**
 * Drops the members that `$retainKeys` does not list, and the directive from the patch.
 * @throws {PatchError} badRequest, also if the patch sets a member that is not listed
 */
export function retainKeys(object: MutableJsonObject, patch: MutableJsonObject): void {
  const listed = getKey(patch, retainKeysDirective);
  if (listed === undefined) return;
  delete patch[retainKeysDirective];
  if (!Array.isArray(listed)) throw badFormat("retainKeys");
  // Upstream looks the members up in a map, whose keys cannot be objects or lists: Go panics.
  if (listed.some((name) => typeof name === "object" && name !== null)) throw panic();
  const retained = new Set<JsonValue>(listed);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(deletionPrefix) || key.startsWith(orderPrefix)) continue;
    if (!retained.has(key)) throw badFormat("retainKeys");
  }
  for (const key of Object.keys(object)) if (!retained.has(key)) delete object[key];
}

import { goStringText, goText, goTypeOf } from "../apimachinery/go/go-text.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { PatchError } from "./patch-error.ts";

/** The names of Go types in upstream's errors. */
export const goMapType = "map[string]interface {}";
export const goListType = "[]interface {}";

/** A failure that upstream returns unchanged. */
export function failure(message: string): PatchError {
  return new PatchError("internal", message);
}

/** `invalid patch format of retainKeys`. */
export function badFormat(what: "primitive list" | "retainKeys" | "setElementOrder list"): PatchError {
  return new PatchError("badRequest", `invalid patch format of ${what}`);
}

/** An element of a merged list without the merge key. */
export function noMergeKey(map: JsonObject, mergeKey: string): PatchError {
  return failure(`map: ${goText(map)} does not contain declared merge key: ${mergeKey}`);
}

/** A value of the wrong type. */
export function badType(expected: string, actual: JsonValue): PatchError {
  return failure(`expected a ${expected}, but received a ${goTypeOf(actual) ?? "%!s(<nil>)"}`);
}

/** An unknown value of `$patch`, or one that is not allowed here. */
export function unknownDirective(directive: JsonValue, map: JsonObject): PatchError {
  return failure(`unknown patch type: ${goStringText(directive)} in map: ${goText(map)}`);
}

/** A panic of upstream, which its panic filter answers. */
export function panic(): PatchError {
  return failure("This request caused apiserver to panic. Look in the logs for details.");
}

import { goStringText, goText, goTypeOf } from "../apimachinery/go/go-text.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { PatchError } from "./patch-error.ts";

/** Go types as upstream's errors name them. */
export const goMapType = "map[string]interface {}";
export const goListType = "[]interface {}";

/** A failure that upstream hands through as it is. */
export function failure(message: string): PatchError {
  return new PatchError("internal", message);
}

/** `invalid patch format of retainKeys`. */
export function badFormat(what: "primitive list" | "retainKeys" | "setElementOrder list"): PatchError {
  return new PatchError("badRequest", `invalid patch format of ${what}`);
}

/** An element of a merged list that does not say which one it is. */
export function noMergeKey(map: JsonObject, mergeKey: string): PatchError {
  return failure(`map: ${goText(map)} does not contain declared merge key: ${mergeKey}`);
}

/** A value that is not of the type it has to be. */
export function badType(expected: string, actual: JsonValue): PatchError {
  return failure(`expected a ${expected}, but received a ${goTypeOf(actual) ?? "%!s(<nil>)"}`);
}

/** An unknown value of `$patch`, or one that is not allowed here. */
export function unknownDirective(directive: JsonValue, map: JsonObject): PatchError {
  return failure(`unknown patch type: ${goStringText(directive)} in map: ${goText(map)}`);
}

/** What upstream does not expect, and answers by the filter that catches panics. */
export function panic(): PatchError {
  return failure("This request caused apiserver to panic. Look in the logs for details.");
}

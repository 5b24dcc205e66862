import { goText } from "../apimachinery/go/go-text.ts";
import { getKey, isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import { directiveMarker, orderPrefix } from "./directives.ts";
import { asMap, keyOf } from "./element-order.ts";
import { failure, panic } from "./strategic-errors.ts";

/**
 * Checks that the elements of a patch are in the order of its `$setElementOrder` list. Deletions are ignored.
 * @throws {PatchError} internal if they do not
 */
export function checkOrder(
  changes: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string,
): void {
  if (order.length === 0 || changes.length === 0) return;
  const wanted = mergeKey === "" ? changes : changes.filter((element) => !isDeletion(asMap(element)));
  let at = 0;
  for (const listed of order) {
    while (isDirective(wanted[at])) at++;
    const change = wanted[at];
    if (change === undefined) return;
    if (isSame(change, listed, mergeKey)) at++;
  }
  if (at >= wanted.length) return;
  throw failure(
    `The order in patch list:\n${goText(changes)}\n doesn't match ${orderPrefix} list:\n${goText(order)}\n`,
  );
}

function isDeletion(element: JsonValue): boolean {
  return isJsonObject(element) && getKey(element, directiveMarker) === "delete";
}

function isDirective(element: JsonValue | undefined): boolean {
  return isJsonObject(element) && getKey(element, directiveMarker) !== undefined;
}

function isSame(change: JsonValue, listed: JsonValue, mergeKey: string): boolean {
  if (mergeKey !== "") return keyOf(asMap(change), mergeKey) === keyOf(asMap(listed), mergeKey);
  // Upstream compares two maps here, which panics in Go.
  if (isJsonObject(change) && isJsonObject(listed)) throw panic();
  return change === listed;
}

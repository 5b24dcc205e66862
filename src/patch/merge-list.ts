import { goText, goTypeOf } from "../apimachinery/go/go-text.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { Schema } from "../catalog/type-schema.ts";
import { directiveMarker } from "./directives.ts";
import { asMap, keyOf, orderElements, Positions } from "./element-order.ts";
import { PatchError } from "./patch-error.ts";
import { goKind, type PatchMeta } from "./patch-schema.ts";
import { failure, goMapType, panic, unknownDirective } from "./strategic-errors.ts";

/** Merges a patch of an element into the element. */
export type MergeElement = (original: JsonObject, patch: JsonObject, schema: Schema) => JsonObject;

/** The Go type that all elements of the lists share. @throws {PatchError} internal if they do not share one */
export function elementType(...lists: readonly (readonly JsonValue[])[]): string {
  const elements = lists.flat();
  if (elements.length === 0) throw failure("no elements in any of the given slices");
  const type = goTypeOf(elements[0] ?? null);
  // Upstream panics on the type of a nil value.
  if (type === undefined) throw panic();
  if (Array.isArray(elements[0])) throw new PatchError("unprocessable", "lists of lists are not supported");
  if (elements.every((element) => goTypeOf(element) === type)) return type;
  throw failure(`list element types are not identical: ${goText(lists)}`);
}

/** The result of merging a list. */
export interface MergedList {
  /** The list in the order that the API returns. */
  readonly list: readonly JsonValue[];
  /**
   * The order of the original list, which the caller needs to reorder. Upstream merges in place, so added elements
   * take the positions of deleted ones.
   */
  readonly serverOrder: readonly JsonValue[];
}

/**
 * The list with a patch merged in.
 * @throws {PatchError}
 */
export function mergeLists(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  meta: PatchMeta,
  mergeElement: MergeElement,
): MergedList {
  if (original.length === 0 && patch.length === 0) return { list: original, serverOrder: original };
  const { mergeKey, schema } = meta;
  if (elementType(original, patch) !== goMapType) {
    const merged = [...new Set([...original, ...patch])];
    const list = orderElements({ merged, patchOrder: patch, serverOrder: original, mergeKey });
    return { list, serverOrder: original };
  }
  if (mergeKey === "") throw failure(`cannot merge lists without merge key for ${goKind(schema)}`);
  const { kept, changes, replaces } = applyElementDirectives(original, patch, mergeKey);
  if (replaces) {
    const list = orderElements({ merged: changes, patchOrder: [], serverOrder: changes, mergeKey });
    return { list, serverOrder: kept };
  }
  const merged = mergeElements(kept, changes, meta, mergeElement);
  const list = orderElements({
    merged,
    patchOrder: changes,
    serverOrder: merged.slice(0, kept.length),
    mergeKey,
  });
  return { list, serverOrder: merged.slice(0, original.length) };
}

/** The list without the values that `$deleteFromPrimitiveList` removes. @throws {PatchError} */
export function withoutValues(
  original: readonly JsonValue[],
  values: readonly JsonValue[],
  meta: PatchMeta,
  mergeElement: MergeElement,
): readonly JsonValue[] {
  if (original.length === 0 && values.length === 0) return original;
  // Upstream does not remove objects here.
  if (elementType(original, values) === goMapType) {
    return mergeLists(original, values, meta, mergeElement).list;
  }
  const gone = new Set(values);
  return original.filter((value) => !gone.has(value));
}

/** The elements of the original that the directives of a patch keep, and the patch's elements without directives. */
interface DirectiveResult {
  readonly kept: readonly JsonValue[];
  readonly changes: readonly JsonValue[];
  /** Whether the changes replace the list. */
  readonly replaces: boolean;
}

function applyElementDirectives(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): DirectiveResult {
  const changes: JsonValue[] = [];
  const deleted = new Set<JsonValue>();
  let replaces = false;
  for (const element of patch) {
    const map = asMap(element);
    const directive = getKey(map, directiveMarker);
    if (directive === undefined) changes.push(map);
    else if (directive === "delete") deleted.add(keyOf(map, mergeKey));
    else if (directive === "replace") replaces = true;
    else if (directive === "merge") throw failure("merging lists cannot yet be specified in the patch");
    else throw unknownDirective(directive, map);
  }
  if (deleted.size === 0) return { kept: original, changes, replaces };
  const isKept = (element: JsonValue) => {
    const key = isJsonObject(element) ? getKey(element, mergeKey) : undefined;
    return key === undefined || !deleted.has(key);
  };
  return { kept: original.filter(isKept), changes, replaces };
}

/** Merges every change into the element with its key, or appends it if there is none. */
function mergeElements(
  original: readonly JsonValue[],
  changes: readonly JsonValue[],
  { mergeKey, schema }: PatchMeta,
  mergeElement: MergeElement,
): JsonValue[] {
  const merged = [...original];
  const positions = new Positions(merged, mergeKey);
  for (const element of changes) {
    const change = asMap(element);
    const at = positions.find(keyOf(change, mergeKey));
    if (at === undefined) {
      merged.push(change);
      positions.push(change);
    } else {
      merged[at] = mergeElement(asMap(merged[at] ?? null), change, schema);
    }
  }
  return merged;
}

import { formatGroupVersionKind } from "../../apimachinery/group-version.ts";
import { convertFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import {
  everything,
  type SelectionPredicate,
  selectionPredicate,
} from "../../registry/contract/selection-predicate.ts";
import type { ResourceScope } from "../contract/scope.ts";
import type { ListOptions } from "./list-options.ts";

/**
 * The predicate of a request's selectors.
 * @throws {StatusError} badRequest for a field the kind does not know.
 */
export function predicateOf(
  { fieldSelectors, gvk }: ResourceScope,
  { labelSelector, fieldSelector }: ListOptions,
): SelectionPredicate {
  if (labelSelector.isEmpty && fieldSelector.isEmpty) return everything;
  const fields = convertFieldSelector(fieldSelector, fieldSelectors.convert);
  return selectionPredicate(labelSelector, fields, fieldSelectors.valueOf, formatGroupVersionKind(gvk));
}

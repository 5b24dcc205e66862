import { convertFieldSelector, parseFieldSelector } from "../apimachinery/field-selector.ts";
import { parseLabelSelector } from "../apimachinery/label-selector.ts";
import {
  everything,
  type SelectionPredicate,
  selectionPredicate,
} from "../registry/generic/selection-predicate.ts";
import type { ListOptions } from "./list-options.ts";
import type { ResourceScope } from "./scope.ts";

/**
 * The predicate of a request's selectors.
 * @throws {StatusError} badRequest for a selector that does not parse or a field the kind does not know.
 */
export function predicateOf(scope: ResourceScope, options: ListOptions): SelectionPredicate {
  if (options.labelSelector === "" && options.fieldSelector === "") return everything;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = convertFieldSelector(
    parseFieldSelector(options.fieldSelector),
    scope.fieldSelectors.convert,
  );
  return selectionPredicate(labels, fields, scope.fieldSelectors.valueOf);
}

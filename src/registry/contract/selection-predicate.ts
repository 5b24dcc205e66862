import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import type { Labels } from "../../apimachinery/validation/label-requirement.ts";

/** An object with its labels. */
export interface Labeled {
  readonly labels: Labels;
  readonly value: KubeObject;
}

/** Selects the objects of a list, a watch or a deletecollection. */
export interface SelectionPredicate {
  /** Whether it selects everything. */
  readonly isEmpty: boolean;
  readonly matches: (object: KubeObject) => boolean;
  /** The same for an object whose labels are known. */
  readonly selects: (stored: Labeled) => boolean;
  /** The only name that can match, if the field selector requires one. */
  readonly name: string | undefined;
  /** The only namespace that can match, if the field selector requires one. */
  readonly namespace: string | undefined;
}

/** Reads a field of an object for a field selector; the empty string without a value. */
export type FieldReader = (object: KubeObject, field: string) => string;

/** A predicate of both selectors; `fieldOf` reads the fields of the kind. */
export function selectionPredicate(
  labels: LabelSelector,
  fields: FieldSelector,
  fieldOf: FieldReader,
): SelectionPredicate {
  const fieldsMatch = (object: KubeObject) => fields.matches((field) => fieldOf(object, field));
  return {
    isEmpty: labels.isEmpty && fields.isEmpty,
    matches: (object) => labels.matches(labelsOf(object)) && (fields.isEmpty || fieldsMatch(object)),
    selects: fields.isEmpty
      ? (stored) => labels.matches(stored.labels)
      : (stored) => labels.matches(stored.labels) && fieldsMatch(stored.value),
    name: fields.requiresExactMatch("metadata.name"),
    namespace: fields.requiresExactMatch("metadata.namespace"),
  };
}

/** Matches every object. */
export const everything: SelectionPredicate = {
  isEmpty: true,
  matches: () => true,
  selects: () => true,
  name: undefined,
  namespace: undefined,
};

const noLabels: Labels = {};

/** The labels of an object. */
export function labelsOf({ metadata }: KubeObject): Labels {
  return metadata.labels ?? noLabels;
}

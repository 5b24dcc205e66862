import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import type { Labels } from "../../apimachinery/validation/label-requirement.ts";

/** An object, and its labels. */
export interface Labeled {
  readonly labels: Labels;
  readonly value: KubeObject;
}

/** Which objects a list, a watch or a deletecollection is about. */
export interface SelectionPredicate {
  /** Whether everything matches, so that nobody needs to look. */
  readonly isEmpty: boolean;
  readonly matches: (object: KubeObject) => boolean;
  /** The same for whoever has the labels at hand. */
  readonly selects: (stored: Labeled) => boolean;
  /** The one name that can match, when the field selector pins it. */
  readonly name: string | undefined;
  /** The one namespace that can match, when the field selector pins it. */
  readonly namespace: string | undefined;
}

/** Reads a field of an object as field selectors compare it; a field without a value is the empty string. */
export type FieldReader = (object: KubeObject, field: string) => string;

/** The predicate of both selectors; `fieldOf` says what the kind's fields are. */
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

/** The labels of an object; none if it has none. */
export function labelsOf({ metadata }: KubeObject): Labels {
  return metadata.labels ?? noLabels;
}

import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import type { Labels } from "../../apimachinery/validation/label-requirement.ts";
import type { Selection } from "../../store/keyspace.ts";

/** An object with its labels. */
export interface Labeled {
  readonly labels: Labels;
  readonly value: KubeObject;
}

/** Selects the objects of a list, a watch or a deletecollection. */
export interface SelectionPredicate {
  /** Whether it selects everything. */
  readonly isEmpty: boolean;
  readonly selects: (stored: Labeled) => boolean;
  /** The only name that can match, if the field selector requires one. */
  readonly name: string | undefined;
  /** The only namespace that can match, if the field selector requires one. */
  readonly namespace: string | undefined;
  /** Identifies the predicate among those of a resource, if it is not empty. */
  readonly key: string;
  /** A field or a label of which it requires a value. */
  readonly pin: SelectionPin | undefined;
}

/** A value that all selected objects have. */
export interface SelectionPin {
  readonly field: string;
  readonly read: (stored: Labeled) => string | undefined;
  readonly value: string;
}

/** Reads a field of an object for a field selector; the empty string without a value. */
export type FieldReader = (object: KubeObject, field: string) => string;

/** A predicate of both selectors; `fieldOf` reads the fields of the kind, which has this name. */
export function selectionPredicate(
  labels: LabelSelector,
  fields: FieldSelector,
  fieldOf: FieldReader,
  kind: string,
): SelectionPredicate {
  const fieldsMatch = (object: KubeObject) => fields.matches((field) => fieldOf(object, field));
  return {
    isEmpty: labels.isEmpty && fields.isEmpty,
    selects: fields.isEmpty
      ? (stored) => labels.matches(stored.labels)
      : (stored) => labels.matches(stored.labels) && fieldsMatch(stored.value),
    name: fields.requiresExactMatch("metadata.name"),
    namespace: fields.requiresExactMatch("metadata.namespace"),
    // The text of a label selector has no line breaks.
    key: `${kind}\n${labels.text}\n${fields.text}`,
    pin: pinnedField(fields, fieldOf, kind) ?? pinnedLabel(labels),
  };
}

/** What a store needs to know of a predicate to pass over objects; undefined for one that is empty or has no key. */
export function selectionOf({ isEmpty, key, name }: SelectionPredicate): Selection | undefined {
  return isEmpty || key === "" ? undefined : { key, name };
}

/** Fields are read as the kind has them, so their names are those of the kind. */
function pinnedField(
  { requirements }: FieldSelector,
  fieldOf: FieldReader,
  kind: string,
): SelectionPin | undefined {
  const exact = requirements.find(({ operator, value }) => operator === "=" && value !== "");
  if (exact === undefined) return undefined;
  const { field, value } = exact;
  return { field: `${kind} ${field}`, read: (stored) => fieldOf(stored.value, field), value };
}

function pinnedLabel({ requirements }: LabelSelector): SelectionPin | undefined {
  for (const { key, operator, values } of requirements) {
    const [value, ...others] = values;
    if (value === undefined || others.length > 0 || !isExact.has(operator)) continue;
    const read = ({ labels }: Labeled) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
    return { field: `label ${key}`, read, value };
  }
  return undefined;
}

const isExact: ReadonlySet<string> = new Set(["=", "==", "in"]);

/** Matches every object. */
export const everything: SelectionPredicate = {
  isEmpty: true,
  selects: () => true,
  name: undefined,
  namespace: undefined,
  key: "",
  pin: undefined,
};

const noLabels: Labels = {};

/** The labels of an object. */
export function labelsOf({ metadata }: KubeObject): Labels {
  return metadata.labels ?? noLabels;
}

import { listAt, objectAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { editedEach, withField } from "../../../apimachinery/object-edits.ts";
import { editedAffinityTerms } from "../../pod-spec/edits/pod-edits.ts";

type Labels = { readonly [key: string]: string };

/**
 * The spec with `matchLabelKeys` and `mismatchLabelKeys` of its affinities added to their selectors: `app` in
 * `matchLabelKeys` of a pod with the label `app: web` becomes `app in (web)`.
 */
export function withLabelKeysApplied(spec: JsonObject, labels: Labels): JsonObject {
  return editedAffinityTerms(spec, (term) => withKeysApplied(term, labels));
}

function withKeysApplied(term: JsonObject, labels: Labels): JsonObject {
  const selector = objectAt(term, "labelSelector");
  // A missing selector matches nothing, with or without more expressions.
  if (selector === undefined) return term;
  const added = [
    ...expressions(textsAt(term, "matchLabelKeys"), "In", labels),
    ...expressions(textsAt(term, "mismatchLabelKeys"), "NotIn", labels),
  ];
  if (added.length === 0) return term;
  const matchExpressions = [...listAt(selector, "matchExpressions"), ...added];
  return withField(term, "labelSelector", { ...selector, matchExpressions });
}

function expressions(
  keys: readonly string[],
  operator: "In" | "NotIn",
  labels: Labels,
): readonly JsonObject[] {
  return keys
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ""] }));
}

/** The spec with `matchLabelKeys` of its topology spread constraints added to their selectors, in the same way. */
export function withSpreadKeysApplied(spec: JsonObject, labels: Labels): JsonObject {
  return editedEach(spec, "topologySpreadConstraints", (constraint) => withKeysApplied(constraint, labels));
}

import {
  emptySet,
  type FieldSet,
  isEmptySet,
  isMember,
  type MutableFieldSet,
  type Path,
} from "./field-set.ts";
import { recursiveDifference, setOf } from "./field-set-algebra.ts";
import { fieldElement, SELF } from "./path-element.ts";

/** Removes the fields that an endpoint does not change and cannot own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** The fields of a path such as `spec.replicas`. */
export function fieldPath(text: string): Path {
  return text.split(".").map(fieldElement);
}

/** Removes these fields and everything below them. The main endpoint, for example, resets `status`. */
export function allBut(paths: readonly string[]): FieldFilter {
  if (paths.length === 0) return (set) => set;
  const excluded = setOf(...paths.map(fieldPath));
  return (set) => recursiveDifference(set, excluded);
}

/**
 * Keeps these fields and everything below them. `*` matches any step: `spec.containers.*.resources` for the `resize`
 * subresource of pods.
 */
export function only(patterns: readonly string[]): FieldFilter {
  const steps = patterns.map((pattern) => pattern.split("."));
  return (set) => matching(set, steps);
}

function matching(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  const kept: MutableFieldSet = {};
  for (const element in set) {
    if (element === SELF) continue;
    const rests = patterns
      .filter(([step = ""]) => step === "*" || fieldElement(step) === element)
      .map(([, ...rest]) => rest);
    const node = rests.length === 0 ? undefined : matchingNode(set[element] as FieldSet, rests);
    if (node !== undefined) kept[element] = node;
  }
  return kept;
}

/** A container on the path to a match stays in the set if it was there, as upstream does it. */
function matchingNode(node: FieldSet, rests: readonly (readonly string[])[]): FieldSet | undefined {
  if (rests.some((rest) => rest.length === 0)) return node;
  const below = matching(node, rests);
  if (isEmptySet(below)) return isMember(node) ? emptySet : undefined;
  return isMember(node) ? { [SELF]: emptySet, ...below } : below;
}

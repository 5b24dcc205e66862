import {
  emptySet,
  type FieldSet,
  isEmptySet,
  isMember,
  type MutableFieldSet,
  type Path,
  sorted,
} from "./field-set.ts";
import { type PathElement, SELF } from "./path-element.ts";

/** What is in either of the sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  return isEmptySet(a) ? b : mergeNodes(a, b);
}

/** Both nodes have something in them. */
function mergeNodes(a: FieldSet, b: FieldSet): FieldSet {
  let merged: MutableFieldSet | undefined;
  let isGrown = false;
  for (const element in b) {
    // Own keys only: a set inherits nothing that can be enumerated.
    const theirs = b[element] as FieldSet;
    const ours = a[element];
    if (ours === undefined) isGrown = true;
    const joined = ours === undefined ? theirs : joinNodes(ours, theirs);
    if (joined === ours) continue;
    merged ??= { ...a };
    merged[element] = joined;
  }
  if (merged === undefined) return a;
  return isGrown ? sorted(merged) : merged;
}

function joinNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(b)) return withSelf(a);
  return isEmptySet(a) ? withSelf(b) : mergeNodes(a, b);
}

function withSelf(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [SELF]: emptySet, ...node };
}

/** What is in `a` and not in `b`. A container that goes leaves what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => {
    if (isEmptySet(ours)) return isMember(theirs) ? undefined : ours;
    return compact(difference(ours, isEmptySet(theirs) ? selfOnly : theirs), ours);
  });
}

/** What is in `a` and neither in `b` nor below anything that is in `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => {
    if (isMember(theirs)) return undefined;
    return isEmptySet(ours) ? ours : compact(recursiveDifference(ours, theirs), ours);
  });
}

const selfOnly: FieldSet = Object.freeze({ [SELF]: emptySet });

/** `a` with each node that `b` has too replaced by what is left of it; the rest stays. */
function without(
  a: FieldSet,
  b: FieldSet,
  leave: (ours: FieldSet, theirs: FieldSet) => FieldSet | undefined,
): FieldSet {
  let changes: Map<PathElement, FieldSet | undefined> | undefined;
  for (const element in b) {
    const ours = a[element];
    if (ours === undefined) continue;
    const left = leave(ours, b[element] as FieldSet);
    if (left === ours) continue;
    changes ??= new Map();
    changes.set(element, left);
  }
  if (changes === undefined) return a;
  const rest: MutableFieldSet = {};
  for (const element in a) {
    const node = changes.has(element) ? changes.get(element) : a[element];
    if (node !== undefined) rest[element] = node;
  }
  return rest;
}

/** What is left of a node that had children: undefined when that is nothing. */
function compact(left: FieldSet, before: FieldSet): FieldSet | undefined {
  if (left === before) return before;
  if (isEmptySet(left)) return undefined;
  return hasChildren(left) ? left : emptySet;
}

function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return true;
  return false;
}

/** What is in both sets. Takes time by the size of `b`. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const shared: MutableFieldSet = {};
  for (const element in b) {
    const ours = a[element];
    if (ours === undefined) continue;
    const node = intersectNodes(ours, b[element] as FieldSet);
    if (node !== undefined) shared[element] = node;
  }
  return shared;
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isEmptySet(a)) return isMember(b) ? a : undefined;
  if (isEmptySet(b)) return isMember(a) ? b : undefined;
  const shared = intersection(a, b);
  if (hasChildren(shared)) return shared;
  return isEmptySet(shared) ? undefined : emptySet;
}

/** Whether all of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  for (const element in a) {
    const theirs = b[element];
    if (theirs === undefined) return false;
    const ours = a[element] as FieldSet;
    if (isEmptySet(ours) ? !isMember(theirs) : !isSubset(ours, isEmptySet(theirs) ? selfOnly : theirs)) {
      return false;
    }
  }
  return true;
}

/** Whether both sets hold the same. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return a === b || (isSubset(a, b) && isSubset(b, a));
}

/** The set of these paths. */
export function setOf(...paths: readonly Path[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, chain(path)), emptySet);
}

function chain(path: Path): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), emptySet);
}

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

/** The paths that are in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  return isEmptySet(a) ? b : mergeNodes(a, b);
}

/** Neither node is empty. */
function mergeNodes(a: FieldSet, b: FieldSet): FieldSet {
  let merged: MutableFieldSet | undefined;
  let isGrown = false;
  for (const element in b) {
    // `for in` visits own keys only: a set has no inherited enumerable properties.
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

/** The union of two nodes below a root, where an empty node is a member. */
export function joinNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(b)) return withSelf(a);
  return isEmptySet(a) ? withSelf(b) : mergeNodes(a, b);
}

function withSelf(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [SELF]: emptySet, ...node };
}

/** The paths of `a` that are not in `b`. Removing a container keeps the paths below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => {
    if (isEmptySet(ours)) return isMember(theirs) ? undefined : ours;
    return compact(difference(ours, isEmptySet(theirs) ? selfOnly : theirs), ours);
  });
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => {
    if (isMember(theirs)) return undefined;
    return isEmptySet(ours) ? ours : compact(recursiveDifference(ours, theirs), ours);
  });
}

const selfOnly: FieldSet = Object.freeze({ [SELF]: emptySet });

/** `a` with `remaining` applied to each node that `b` also has. */
function without(
  a: FieldSet,
  b: FieldSet,
  remaining: (ours: FieldSet, theirs: FieldSet) => FieldSet | undefined,
): FieldSet {
  let changes: Map<PathElement, FieldSet | undefined> | undefined;
  for (const element in b) {
    const ours = a[element];
    if (ours === undefined) continue;
    const left = remaining(ours, b[element] as FieldSet);
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

/** The rest of a node that had children; undefined if it is empty. */
function compact(left: FieldSet, before: FieldSet): FieldSet | undefined {
  if (left === before) return before;
  if (isEmptySet(left)) return undefined;
  return hasChildren(left) ? left : emptySet;
}

function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return true;
  return false;
}

/** The paths that are in both sets. The cost depends on the size of `b`. */
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

/** Whether every path of `a` is in `b`. */
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

/** Whether both sets contain the same paths. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return a === b || (isSubset(a, b) && isSubset(b, a));
}

/** The set `known` if it has the same paths: what is remembered about it holds for the result, too. */
export function knownIfEqual(known: FieldSet | undefined, set: FieldSet): FieldSet {
  return known !== undefined && equalSets(known, set) ? known : set;
}

/** The set of these paths. */
export function setOf(...paths: readonly Path[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, chain(path)), emptySet);
}

function chain(path: Path): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), emptySet);
}

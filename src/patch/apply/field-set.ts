import { compareElements, type PathElement, SELF, sortElements } from "./path-element.ts";

/**
 * A set of paths, in the very form of FieldsV1: a tree of elements, sorted as upstream sorts them. An element whose node
 * is empty is in the set; one with elements below it is in the set if the node has a `.` as well. Never changed: what an
 * operation leaves as it was is the same object in its result.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

/** A set under construction. */
export interface MutableFieldSet {
  [element: PathElement]: FieldSet;
}

/** Steps from the root of the object. */
export type Path = readonly PathElement[];

/** The set without paths; below an element, the node of one that is in the set and has nothing below it. */
export const emptySet: FieldSet = Object.freeze({});

/** Whether nothing is in the set, or nothing below the element. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the element of this node is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return node[SELF] !== undefined || isEmptySet(node);
}

/** Whether the path is in the set. The empty path, the whole object, never is. */
export function hasPath(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Every path of the set: of each container first what is directly in it, then what lies below. */
export function* pathsOf(set: FieldSet, prefix: Path = []): Generator<Path> {
  for (const element in set) {
    if (element !== SELF && isMember(set[element] as FieldSet)) yield [...prefix, element];
  }
  for (const element in set) yield* pathsOf(set[element] as FieldSet, [...prefix, element]);
}

/** The set without the containers of what is in it. */
export function leavesOf(set: FieldSet): FieldSet {
  const leaves: MutableFieldSet = {};
  for (const element in set) {
    if (element !== SELF) leaves[element] = leavesOf(set[element] as FieldSet);
  }
  return leaves;
}

/** The same elements in their order. */
export function sorted(node: FieldSet): FieldSet {
  const elements = Object.keys(node);
  if (isSorted(elements)) return node;
  const result: MutableFieldSet = {};
  for (const element of sortElements(elements)) result[element] = node[element] as FieldSet;
  return result;
}

/** Whether the elements are in their order, each there once. */
export function isSorted(elements: readonly PathElement[]): boolean {
  for (let i = 1; i < elements.length; i++) {
    if (compareElements(elements[i - 1] as PathElement, elements[i] as PathElement) >= 0) return false;
  }
  return true;
}

import { compareElements, type PathElement, SELF, sortElements } from "./path-element.ts";

/**
 * A set of paths in the form of FieldsV1: a tree of elements in upstream's order. An element with an empty node is in
 * the set; an element with children is in the set if its node also has a `.`. Immutable: nodes that an operation does
 * not change are the same objects in its result.
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

/** The empty set; also the node of an element that is in the set and has no children. */
export const emptySet: FieldSet = Object.freeze({});

/** Whether the set is empty, or the node has no children. */
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

/** Every path of the set: for each container first its direct elements, then the paths below them. */
export function* pathsOf(set: FieldSet, prefix: Path = []): Generator<Path> {
  for (const element in set) {
    if (element !== SELF && isMember(set[element] as FieldSet)) yield [...prefix, element];
  }
  for (const element in set) yield* pathsOf(set[element] as FieldSet, [...prefix, element]);
}

/** The paths of the set that have no other path of the set below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const leaves: MutableFieldSet = {};
  for (const element in set) {
    if (element !== SELF) leaves[element] = leavesOf(set[element] as FieldSet);
  }
  return leaves;
}

/** The node with its elements in upstream's order. */
export function sorted(node: FieldSet): FieldSet {
  const elements = Object.keys(node);
  if (isSorted(elements)) return node;
  const result: MutableFieldSet = {};
  for (const element of sortElements(elements)) result[element] = node[element] as FieldSet;
  return result;
}

/** Whether the elements are in upstream's order without duplicates. */
export function isSorted(elements: readonly PathElement[]): boolean {
  for (let i = 1; i < elements.length; i++) {
    if (compareElements(elements[i - 1] as PathElement, elements[i] as PathElement) >= 0) return false;
  }
  return true;
}

import { noMisses, type WithMisses } from "./leaf-misses.ts";
import type { Revision } from "./revision.ts";

/** The value of a key in the tree. */
export interface TreeEntry {
  readonly key: string;
  /** Whether the key exists now. */
  readonly live: boolean;
  /** The revision of the last change. */
  readonly modRevision: Revision;
  /** The value at a revision, if the key existed then. */
  at(revision: Revision): object | undefined;
}

/** The totals of a subtree, and the owner that may change the node in place. */
interface Summary {
  readonly owner: object;
  live: number;
  /** The latest change in the subtree. It may be too high after removals. */
  modRevision: Revision;
}

/** A node with entries, in key order. */
export interface Leaf<E> extends Summary, WithMisses {
  readonly entries: E[];
  readonly children: undefined;
}

/** An inner node. The keys of `children[i]` are from `keys[i]` on and before `keys[i + 1]`; `keys[0]` is not used. */
export interface Branch<E> extends Summary {
  readonly keys: string[];
  readonly children: TreeNode<E>[];
}

export type TreeNode<E> = Leaf<E> | Branch<E>;

/** A leaf of these entries. */
export function leaf<E extends TreeEntry>(owner: object, entries: E[]): Leaf<E> {
  let live = 0;
  let modRevision = 0;
  for (const entry of entries) {
    if (entry.live) live++;
    modRevision = Math.max(modRevision, entry.modRevision);
  }
  return { owner, live, modRevision, entries, children: undefined, misses: noMisses };
}

/** A branch with these children. */
export function branch<E>(owner: object, keys: string[], children: TreeNode<E>[]): Branch<E> {
  let live = 0;
  let modRevision = 0;
  for (const child of children) {
    live += child.live;
    modRevision = Math.max(modRevision, child.modRevision);
  }
  return { owner, live, modRevision, keys, children };
}

/** Whether the first key is before the second. */
export type KeyOrder = (a: string, b: string) => boolean;

/** The index of the first entry that is not before `key`. */
export function placeOf<E extends TreeEntry>(node: Leaf<E>, key: string, isBefore: KeyOrder): number {
  const { entries } = node;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && isBefore(entry.key, key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the child for `key`. */
export function childPlaceOf<E>(node: Branch<E>, key: string, isBefore: KeyOrder): number {
  const { keys } = node;
  let low = 1;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const bound = keys[middle];
    if (bound !== undefined && isBefore(key, bound)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** The number of entries or children of the node. */
export function sizeOf<E>(node: TreeNode<E>): number {
  return node.children === undefined ? node.entries.length : node.children.length;
}

/** The node itself for its owner, otherwise a copy. */
export function owned<E>(node: TreeNode<E>, owner: object): TreeNode<E> {
  if (node.owner === owner) return node;
  const { live, modRevision } = node;
  if (node.children === undefined) {
    const entries = node.entries.slice();
    return { owner, live, modRevision, entries, children: undefined, misses: noMisses };
  }
  return { owner, live, modRevision, keys: node.keys.slice(), children: node.children.slice() };
}

/** A copy of a node and of all below it, with the entries that `change` makes of theirs. */
export function mapped<E>(node: TreeNode<E>, owner: object, change: (entry: E) => E): TreeNode<E> {
  const { live, modRevision } = node;
  if (node.children === undefined) {
    const entries = node.entries.map(change);
    return { owner, live, modRevision, entries, children: undefined, misses: noMisses };
  }
  const children = node.children.map((child) => mapped(child, owner, change));
  return { owner, live, modRevision, keys: node.keys.slice(), children };
}

/** Splits a node in two; returns the halves and the key between them. */
export function split<E extends TreeEntry>(
  node: TreeNode<E>,
  owner: object,
): readonly [left: TreeNode<E>, key: string, right: TreeNode<E>] {
  const half = sizeOf(node) >>> 1;
  if (node.children === undefined) {
    const right = node.entries.slice(half);
    return [leaf(owner, node.entries.slice(0, half)), right[0]?.key ?? "", leaf(owner, right)];
  }
  const keys = node.keys.slice(half);
  const right = branch(owner, keys, node.children.slice(half));
  return [branch(owner, node.keys.slice(0, half), node.children.slice(0, half)), keys[0] ?? "", right];
}

/**
 * Joins two neighbors with `key` between them; undefined if their heights differ, which does not occur for neighbors.
 */
export function join<E extends TreeEntry>(
  left: TreeNode<E>,
  key: string,
  right: TreeNode<E>,
  owner: object,
): TreeNode<E> | undefined {
  if (left.children === undefined) {
    return right.children === undefined ? leaf(owner, [...left.entries, ...right.entries]) : undefined;
  }
  if (right.children === undefined) return undefined;
  const keys = [...left.keys, key, ...right.keys.slice(1)];
  return branch(owner, keys, [...left.children, ...right.children]);
}

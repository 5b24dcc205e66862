import type { Revision } from "./revision.ts";

/** What a tree holds under its key. */
export interface TreeEntry {
  readonly key: string;
  /** Whether it counts now. */
  readonly live: boolean;
  /** When it changed last. */
  readonly modRevision: Revision;
  /** What there was at a revision, if it counted then. */
  at(revision: Revision): object | undefined;
}

/** Sums over a subtree, and the one who may change the node in place. */
interface Summary {
  readonly owner: object;
  live: number;
  /** No entry below changed later. May be too high once entries have been removed. */
  modRevision: Revision;
}

/** Entries in key order. */
export interface Leaf<E> extends Summary {
  readonly entries: E[];
  readonly children: undefined;
}

/** Every key under `children[i]` is `keys[i]` or after it, and before `keys[i + 1]`; `keys[0]` bounds nothing. */
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
  return { owner, live, modRevision, entries, children: undefined };
}

/** A branch over these children. */
export function branch<E>(owner: object, keys: string[], children: TreeNode<E>[]): Branch<E> {
  let live = 0;
  let modRevision = 0;
  for (const child of children) {
    live += child.live;
    modRevision = Math.max(modRevision, child.modRevision);
  }
  return { owner, live, modRevision, keys, children };
}

/** Which of two keys comes first. */
export type KeyOrder = (a: string, b: string) => boolean;

/** The place of the first entry that is not before `key`. */
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

/** The place of the child that `key` belongs under. */
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

/** How many entries or children the node has. */
export function sizeOf<E>(node: TreeNode<E>): number {
  return node.children === undefined ? node.entries.length : node.children.length;
}

/** The node itself for its owner, else a copy to change. */
export function owned<E>(node: TreeNode<E>, owner: object): TreeNode<E> {
  if (node.owner === owner) return node;
  const { live, modRevision } = node;
  if (node.children === undefined) {
    return { owner, live, modRevision, entries: node.entries.slice(), children: undefined };
  }
  return { owner, live, modRevision, keys: node.keys.slice(), children: node.children.slice() };
}

/** The halves of a node, and the key that parts them. */
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

/** One node of two neighbors, which `key` parts; undefined if they are of different heights, which no neighbors are. */
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

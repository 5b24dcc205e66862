import {
  type Branch,
  childPlaceOf,
  type KeyOrder,
  type Leaf,
  placeOf,
  type TreeEntry,
  type TreeNode,
} from "./btree-node.ts";

/** The keys from `from` on and before `end`; without `end`, to the last key. */
export interface KeyRange {
  readonly from: string;
  readonly end: string | undefined;
}

/** The callbacks of a walk. */
export interface Visitor<E> {
  /** Whether to skip the node. `isWithin` is true if all of its keys are in the range. */
  passes(node: TreeNode<E>, isWithin: boolean): boolean;
  /** Receives a leaf, whose entries from index `first` to before `last` are in the range; false ends the walk. */
  visit(leaf: Leaf<E>, first: number, last: number): boolean;
}

/** A bound of the range, undefined if all keys of the node are on its inner side. */
type Bound = string | undefined;

/**
 * Walks the entries of a range in key order. It visits leaf by leaf, which keeps the inner loop fast. The nodes must
 * not change during the walk.
 */
export function walk<E extends TreeEntry>(
  root: TreeNode<E>,
  range: KeyRange,
  isBefore: KeyOrder,
  visitor: Visitor<E>,
): void {
  // Both functions return false when the walk has ended.
  const walkNode = (node: TreeNode<E>, from: Bound, end: Bound): boolean => {
    if (visitor.passes(node, from === undefined && end === undefined)) return true;
    return node.children === undefined ? walkLeaf(node, from, end) : walkBranch(node, from, end);
  };

  const walkLeaf = (node: Leaf<E>, from: Bound, end: Bound): boolean => {
    const first = from === undefined ? 0 : placeOf(node, from, isBefore);
    const last = end === undefined ? node.entries.length : placeOf(node, end, isBefore);
    return visitor.visit(node, first, last);
  };

  const walkBranch = (node: Branch<E>, from: Bound, end: Bound): boolean => {
    const first = from === undefined ? 0 : childPlaceOf(node, from, isBefore);
    const last = end === undefined ? node.children.length - 1 : childPlaceOf(node, end, isBefore);
    for (let i = first; i <= last; i++) {
      const child = node.children[i];
      if (child === undefined) return false;
      if (!walkNode(child, i === first ? from : undefined, i === last ? end : undefined)) return false;
    }
    return true;
  };

  walkNode(root, range.from, range.end);
}

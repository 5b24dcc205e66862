import {
  type Branch,
  childPlaceOf,
  type KeyOrder,
  type Leaf,
  placeOf,
  type TreeEntry,
  type TreeNode,
} from "./btree-node.ts";

/** The keys from `from` on, up to but without `end`; without an `end`, all. */
export interface KeyRange {
  readonly from: string;
  readonly end: string | undefined;
}

/** What is done on the way. */
export interface Visitor<E> {
  /** Whether the node need not be entered. `isWithin` says that none of its keys is out of range. */
  passes(node: TreeNode<E>, isWithin: boolean): boolean;
  /** Takes the entries of a leaf from place `first` to before `last`; false ends the walk. */
  visit(entries: readonly E[], first: number, last: number): boolean;
}

/** A range as one node sees it: undefined where all of the node's keys are on the right side. */
type Bound = string | undefined;

/** Walks the entries of a range in key order, a leaf at a time: that keeps the loop over them tight. The nodes must not change meanwhile. */
export function walk<E extends TreeEntry>(
  root: TreeNode<E>,
  range: KeyRange,
  isBefore: KeyOrder,
  visitor: Visitor<E>,
): void {
  // Each of these returns false once the walk is over.
  const walkNode = (node: TreeNode<E>, from: Bound, end: Bound): boolean => {
    if (visitor.passes(node, from === undefined && end === undefined)) return true;
    return node.children === undefined ? walkLeaf(node, from, end) : walkBranch(node, from, end);
  };

  const walkLeaf = (node: Leaf<E>, from: Bound, end: Bound): boolean => {
    const first = from === undefined ? 0 : placeOf(node, from, isBefore);
    const last = end === undefined ? node.entries.length : placeOf(node, end, isBefore);
    return visitor.visit(node.entries, first, last);
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

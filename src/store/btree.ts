import {
  type Branch,
  branch,
  childPlaceOf,
  join,
  type KeyOrder,
  type Leaf,
  leaf,
  mapped,
  owned,
  placeOf,
  sizeOf,
  split,
  type TreeEntry,
  type TreeNode,
} from "./btree-node.ts";
import { type KeyRange, walk } from "./btree-walk.ts";
import { isBefore, needsByteOrder } from "./key-order.ts";
import { forgetMisses, noteMiss } from "./leaf-misses.ts";
import type { Revision } from "./revision.ts";

const maxSize = 64;
const minSize = 16;

const inUnits: KeyOrder = (a, b) => a < b;

/**
 * Receives the entries of a leaf from index `first` to before `last`, and says whether it took some or none. "end" ends the
 * scan.
 */
type VisitEntries<E> = (entries: readonly E[], first: number, last: number) => "some" | "none" | "end";

type Change<E> = (entry: E | undefined, owner: object) => E | undefined;

/**
 * A B-tree of entries, ordered by the UTF-8 bytes of their keys, that counts the live entries of each node. `fork`
 * shares all nodes; a write copies the path that it changes.
 */
export class BTree<E extends TreeEntry> {
  #owner: object = {};
  #root: TreeNode<E>;
  /** Compares with `<` until a key occurs for which that is not the byte order. */
  #isBefore: KeyOrder = inUnits;

  constructor() {
    this.#root = leaf<E>(this.#owner, []);
  }

  /** A tree with the same entries; later writes to one tree do not affect the other. */
  fork(): BTree<E> {
    const copy = new BTree<E>();
    copy.#root = this.#root;
    copy.#isBefore = this.#isBefore;
    this.#owner = {};
    return copy;
  }

  /** A tree of the entries that `change` makes, which have the same keys and revisions. */
  map(change: (entry: E) => E): BTree<E> {
    const copy = new BTree<E>();
    copy.#root = mapped(this.#root, copy.#owner, change);
    copy.#isBefore = this.#isBefore;
    return copy;
  }

  /**
   * Replaces the entry of a key with the result of `change`; undefined removes it. `change` may modify the entry in
   * place if it belongs to `owner`, and must not throw.
   */
  update(key: string, change: Change<E>): void {
    if (this.#isBefore === inUnits && needsByteOrder(key)) this.#isBefore = isBefore;
    const root = this.#edit(this.#root, key, change);
    if (sizeOf(root) > maxSize) {
      const [left, middle, right] = split(root, this.#owner);
      this.#root = branch(this.#owner, ["", middle], [left, right]);
    } else {
      const only = root.children?.length === 1 ? root.children[0] : undefined;
      this.#root = only ?? root;
    }
  }

  /**
   * Visits entries in order until `visit` ends it. It may skip entries that were not live at `at`. The tree
   * must not change during the scan.
   */
  scan(range: KeyRange, at: Revision, visit: VisitEntries<E>): void {
    const isDead = (node: TreeNode<E>): boolean => node.live === 0 && node.modRevision <= at;
    const visitor = {
      passes: isDead,
      visit: ({ entries }: Leaf<E>, first: number, last: number) => visit(entries, first, last) !== "end",
    };
    walk(this.#root, range, this.#isBefore, visitor);
  }

  /**
   * The same for a selection, which always selects the same entries as long as they do not change. Leaves in which it found none
   * are skipped the next time.
   */
  scanSelection(range: KeyRange, at: Revision, selection: string, visit: VisitEntries<E>): void {
    const isCurrent = (node: TreeNode<E>): boolean => node.modRevision <= at;
    walk(this.#root, range, this.#isBefore, {
      passes: (node) =>
        isCurrent(node) &&
        (node.live === 0 || (node.children === undefined && node.misses.includes(selection))),
      visit: (node, first, last) => {
        const result = visit(node.entries, first, last);
        const isComplete = first === 0 && last === node.entries.length;
        if (result === "none" && isComplete && isCurrent(node)) noteMiss(node, selection);
        return result !== "end";
      },
    });
  }

  /**
   * The number of live entries of the range at `at`. Enters only nodes that changed since or that are partly in the
   * range.
   */
  count(range: KeyRange, at: Revision): number {
    let counted = 0;
    walk(this.#root, range, this.#isBefore, {
      passes(node, isWithin) {
        if (node.modRevision > at || (!isWithin && node.live > 0)) return false;
        counted += node.live;
        return true;
      },
      visit({ entries }, first, last) {
        for (let i = first; i < last; i++) {
          if (entries[i]?.at(at) !== undefined) counted++;
        }
        return true;
      },
    });
    return counted;
  }

  #edit(node: TreeNode<E>, key: string, change: Change<E>): TreeNode<E> {
    const mine = owned(node, this.#owner);
    if (mine.children === undefined) {
      this.#editLeaf(mine, key, change);
      return mine;
    }
    const place = childPlaceOf(mine, key, this.#isBefore);
    const child = mine.children[place];
    if (child === undefined) return mine;
    const before = child.live;
    const edited = this.#edit(child, key, change);
    mine.children[place] = edited;
    mine.live += edited.live - before;
    mine.modRevision = Math.max(mine.modRevision, edited.modRevision);
    if (sizeOf(edited) > maxSize) this.#splitChild(mine, place, edited);
    else if (sizeOf(edited) < minSize) this.#joinChild(mine, place > 0 ? place - 1 : 0);
    return mine;
  }

  #editLeaf(mine: Leaf<E>, key: string, change: Change<E>): void {
    const place = placeOf(mine, key, this.#isBefore);
    const found = mine.entries[place];
    const entry = found?.key === key ? found : undefined;
    const before = entry?.live ? 1 : 0;
    forgetMisses(mine);
    const next = change(entry, this.#owner);
    if (next === undefined) {
      if (entry !== undefined) mine.entries.splice(place, 1);
      mine.live -= before;
      return;
    }
    if (entry === undefined) mine.entries.splice(place, 0, next);
    else mine.entries[place] = next;
    mine.live += (next.live ? 1 : 0) - before;
    mine.modRevision = Math.max(mine.modRevision, next.modRevision);
  }

  #splitChild(mine: Branch<E>, place: number, child: TreeNode<E>): void {
    const [left, key, right] = split(child, this.#owner);
    mine.children.splice(place, 1, left, right);
    mine.keys.splice(place + 1, 0, key);
  }

  /** Joins the child and its right neighbor, if they fit into one node. */
  #joinChild(mine: Branch<E>, place: number): void {
    const left = mine.children[place];
    const right = mine.children[place + 1];
    const key = mine.keys[place + 1];
    if (left === undefined || right === undefined || key === undefined) return;
    if (sizeOf(left) + sizeOf(right) > maxSize) return;
    const joined = join(left, key, right, this.#owner);
    if (joined === undefined) return;
    mine.children.splice(place, 2, joined);
    mine.keys.splice(place + 1, 1);
  }
}

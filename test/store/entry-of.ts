import type { BTree } from "../../src/store/btree.ts";
import type { TreeEntry } from "../../src/store/btree-node.ts";

/** The entry of a key, dead or alive. */
export function entryOf<E extends TreeEntry>(tree: BTree<E>, key: string): E | undefined {
  let found: E | undefined;
  tree.scan({ from: key, end: `${key}\0` }, -1, (entries, first, last) => {
    if (first === last) return "none";
    found = entries[first];
    return "end";
  });
  return found;
}

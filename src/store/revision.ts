/**
 * A point in the life of a store. One counter serves all keys: every write takes the next revision, so a revision
 * names one write and the state of every key right after it.
 */
export type Revision = number;

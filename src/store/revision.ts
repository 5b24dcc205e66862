/**
 * The number of a write. One counter serves all keys, so a revision identifies one write and the state of every key
 * after it.
 */
export type Revision = number;

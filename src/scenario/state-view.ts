/** The state of a cluster as it was at some time. It stands still there. */
export interface StateView {
  /** Shows what has happened since, to watches that are open on it as well, and all that happens from now on. */
  catchUp(): void;
}

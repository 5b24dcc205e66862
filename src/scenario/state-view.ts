/** The state of a cluster at some revision. It does not change until `catchUp`. */
export interface StateView {
  /** Moves to the newest state and follows it from now on; watches that are open on the view see the changes. */
  catchUp(): void;
}

/** The types of watch events, as on the wire. */
export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** One event of a watch. */
export interface WatchEvent<T> {
  readonly type: WatchEventType;
  readonly object: T;
}

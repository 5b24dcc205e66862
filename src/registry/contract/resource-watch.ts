import type { Encodable } from "../../codec/encodable.ts";
import type { StorageError } from "../../store/storage-error.ts";

/** A change for a watcher; `revision` is the resourceVersion of its object. */
export interface ResourceEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Encodable;
  readonly revision: number;
}

/** An open watch. The reader drains it, and is called back when there are more events. */
export interface ResourceWatch {
  /** The current state, if it was requested. */
  readonly initial: readonly Encodable[];
  /** The revision of the current state, or where the watch starts. */
  readonly revision: number;
  /** Removes and returns the waiting events. */
  drain(): readonly ResourceEvent[];
  /** Calls back, never during a write, when events are waiting or the watch has ended. */
  onReady(callback: () => void): void;
  /** The revision up to which the reader has seen every change, after a drain. Bookmarks carry it. */
  readonly progress: number;
  /** Whether half of the events that may wait do, so that the reader should drain it soon. */
  readonly isCrowded: boolean;
  readonly ended: boolean;
  /** The error that ended the watch, unless it was closed. */
  readonly error: StorageError | undefined;
  close(): void;
}

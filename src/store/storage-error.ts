import type { Revision } from "./revision.ts";

/**
 * What the store could not do: the revision is older than the history or has not come yet; the watcher did not keep
 * up; the state was replaced under the watcher; the watcher's callback threw.
 */
export type StorageErrorReason = "compacted" | "future" | "tooSlow" | "restored" | "callbackFailed";

/** The revision that was asked for, among those that the store had. */
export interface RequestedRevision {
  readonly requested: Revision;
  readonly compactRevision: Revision;
  readonly revision: Revision;
}

/** The store's own failure; the floor above puts it into a Status. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly reason: StorageErrorReason;
  /** Set for `compacted` and `future`. */
  readonly requested: RequestedRevision | undefined;

  constructor(
    reason: StorageErrorReason,
    message: string,
    options: { readonly requested?: RequestedRevision; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.requested = options.requested;
  }

  /** By the name: a test runner that resets its modules gives the store and the server that reads it a class each. */
  static override [Symbol.hasInstance](value: unknown): value is StorageError {
    return value instanceof Error && value.name === "StorageError";
  }
}

/** The revision is older than the oldest that is kept. */
export function compacted(requested: RequestedRevision): StorageError {
  const { requested: wanted, compactRevision } = requested;
  const message = `revision ${wanted} has been compacted, the oldest is ${compactRevision}`;
  return new StorageError("compacted", message, { requested });
}

/** The revision has not been written yet. */
export function future(requested: RequestedRevision): StorageError {
  const message = `revision ${requested.requested} is yet to come, the newest is ${requested.revision}`;
  return new StorageError("future", message, { requested });
}

/** The watcher left more events unread than its queue holds. */
export function tooSlow(capacity: number): StorageError {
  return new StorageError("tooSlow", `the watcher left more than ${capacity} events unread`);
}

/** The state of the store was replaced, so the watcher's events do not lead to the present state. */
export function restored(): StorageError {
  return new StorageError("restored", "the store was restored from a snapshot");
}

/** The watcher's callback threw. */
export function callbackFailed(cause: unknown): StorageError {
  return new StorageError("callbackFailed", "the watcher's callback threw", { cause });
}

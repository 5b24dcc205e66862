import type { Revision } from "./revision.ts";

/**
 * Why the store failed: the revision is compacted or in the future; the watcher was too slow; the state was replaced
 * under the watcher; the watcher's callback threw.
 */
export type StorageErrorReason = "compacted" | "future" | "tooSlow" | "restored" | "callbackFailed";

/** The requested revision, and the range of available ones. */
export interface RequestedRevision {
  readonly requested: Revision;
  readonly compactRevision: Revision;
  readonly revision: Revision;
}

/** An error of the store, which the registry turns into a Status. */
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

  /** Compares by name: a test runner that resets its modules loads this class twice. */
  static override [Symbol.hasInstance](value: unknown): value is StorageError {
    return value instanceof Error && value.name === "StorageError";
  }
}

/** The requested revision is compacted. */
export function compacted(requested: RequestedRevision): StorageError {
  const { requested: wanted, compactRevision } = requested;
  const message = `revision ${wanted} has been compacted, the oldest is ${compactRevision}`;
  return new StorageError("compacted", message, { requested });
}

/** The requested revision is in the future. */
export function future(requested: RequestedRevision): StorageError {
  const message = `revision ${requested.requested} is yet to come, the newest is ${requested.revision}`;
  return new StorageError("future", message, { requested });
}

/** The events of a watcher exceeded the capacity of its queue. */
export function tooSlow(capacity: number): StorageError {
  return new StorageError("tooSlow", `the watcher left more than ${capacity} events unread`);
}

/** The state of the store was replaced, so the next events do not continue those that the watcher has. */
export function restored(): StorageError {
  return new StorageError("restored", "the store was restored from a snapshot");
}

/** The watcher's callback threw. */
export function callbackFailed(cause: unknown): StorageError {
  return new StorageError("callbackFailed", "the watcher's callback threw", { cause });
}

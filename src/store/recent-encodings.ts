/** A superseded version that has encodings. */
export interface Encoded {
  /** Drops the encodings, which are made again when they are needed. */
  dropEncodings(): void;
}

/** How many bytes of encodings superseded versions keep. */
const bytesKept = 16 * 1024 * 1024;

/**
 * The encodings of superseded versions. Only watches still need them, and most of them soon: those that follow a write,
 * and those that replay the same events. So only the latest are kept. A store shares them with its forks.
 */
export class RecentEncodings {
  /** The versions with the size of their encodings, oldest first. */
  readonly #sizes = new Map<Encoded, number>();
  #bytes = 0;
  readonly #capacity: number;

  constructor(capacity: number = bytesKept) {
    this.#capacity = capacity;
  }

  /** The size of all encodings. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an encoding of a superseded version, and drops the oldest ones if they are too many. */
  add(version: Encoded, bytes: number): void {
    this.#sizes.set(version, (this.#sizes.get(version) ?? 0) + bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#capacity) this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [version, bytes] of this.#sizes) {
      this.#sizes.delete(version);
      this.#bytes -= bytes;
      version.dropEncodings();
      return;
    }
  }
}

/** A version that has encodings. */
export interface Encoded {
  /** Drops the encodings that are needed for a short time only: all of them if the version is superseded. They can be made again. */
  dropEncodings(): void;
}

/** How many bytes of encodings superseded versions keep. */
const bytesKept = 2 * 1024 * 1024;

/**
 * Encodings that are needed for a short time, such as those of superseded versions: only watches still need them, and most of them
 * soon, those that follow a write and those that replay the same events. So only the latest are kept. A store shares them with
 * its forks.
 */
export class RecentEncodings {
  /** The versions and the sizes of their encodings, oldest first. A version with several encodings occurs several times. */
  #versions: Encoded[] = [];
  #sizes: number[] = [];
  /** The index of the oldest. */
  #head = 0;
  #bytes = 0;
  readonly #capacity: number;

  constructor(capacity: number = bytesKept) {
    this.#capacity = capacity;
  }

  /** The size of all encodings. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an encoding of a version, and drops the oldest ones if they are too many. */
  add(version: Encoded, bytes: number): void {
    this.#versions.push(version);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#capacity) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#bytes -= this.#sizes[this.#head] ?? 0;
    this.#versions[this.#head]?.dropEncodings();
    this.#head++;
    // Each entry is moved at most once.
    if (this.#head * 2 < this.#versions.length) return;
    this.#versions = this.#versions.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }
}

import type { Labels } from "../apimachinery/validation/label-requirement.ts";
import type { Revision } from "./revision.ts";

/** A value as it was after one write. Every reader shares it. */
export interface StoredValue<T extends object = object> {
  readonly key: string;
  /** Frozen all the way down. */
  readonly value: T;
  /** The value's labels. They are at hand, as a selection from very many values costs by the memory that it touches. */
  readonly labels: Labels;
  /** The write that made the key. */
  readonly createRevision: Revision;
  /** The write that made this value. */
  readonly modRevision: Revision;
  /** How often the key was put since it was made; 1 for a new key. */
  readonly version: number;
  /** Whether the write left something that cannot be read: `value` is then what was there before. */
  readonly corrupt: boolean;
  /**
   * The value's bytes in a media type, made by the first caller and shared by all. The media type is only a name here;
   * whoever encodes in two ways needs two names.
   */
  encoded(mediaType: string, encode: (value: T) => Uint8Array): Uint8Array;
}

/** One write. */
export interface StoreEvent<T extends object = object> {
  readonly type: "put" | "delete";
  readonly revision: Revision;
  readonly key: string;
  /** What was put; for a delete the last value, stamped with the revision of the delete. */
  readonly value: StoredValue<T>;
  readonly previous: StoredValue<T> | undefined;
}

/** Encodings of one value. A chain: there are one to three, and most values have none. */
interface Encoding {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly next: Encoding | undefined;
}

/** A `StoredValue` as the store keeps it: a tombstone is the value of a delete's event, and no reader's. */
export class Version<T extends object> implements StoredValue<T> {
  // What a walk over many values reads stands together.
  readonly value: T;
  readonly labels: Labels;
  readonly modRevision: Revision;
  readonly tombstone: boolean;
  readonly corrupt: boolean;
  readonly key: string;
  readonly createRevision: Revision;
  readonly version: number;
  #encodings: Encoding | undefined;

  /** `previous` is the key's live value before this write. */
  constructor(
    type: StoreEvent["type"] | "corrupt",
    key: string,
    value: T,
    labels: Labels,
    modRevision: Revision,
    previous: StoredValue<T> | undefined,
  ) {
    this.value = value;
    this.labels = labels;
    this.modRevision = modRevision;
    this.tombstone = type === "delete";
    this.corrupt = type === "corrupt";
    this.key = key;
    this.createRevision = previous === undefined ? modRevision : previous.createRevision;
    this.version = (previous === undefined ? 0 : previous.version) + (this.tombstone ? 0 : 1);
  }

  /** Whether the key exists after this write. */
  get live(): boolean {
    return !this.tombstone;
  }

  /** What a reader at `revision` sees of a key that has no other revision. */
  at(revision: Revision): this | undefined {
    return this.modRevision <= revision && !this.tombstone ? this : undefined;
  }

  encoded(mediaType: string, encode: (value: T) => Uint8Array): Uint8Array {
    for (let known = this.#encodings; known !== undefined; known = known.next) {
      if (known.mediaType === mediaType) return known.bytes;
    }
    const bytes = encode(this.value);
    this.#encodings = { mediaType, bytes, next: this.#encodings };
    return bytes;
  }
}

import type { Labels } from "../apimachinery/validation/label-requirement.ts";
import type { RecentEncodings } from "./recent-encodings.ts";
import type { Revision } from "./revision.ts";

/** A value after a write, shared by all readers. */
export interface StoredValue<T extends object = object> {
  readonly key: string;
  /** Deeply frozen. */
  readonly value: T;
  /** The labels of the value. They are kept here because a selection over many values is bound by memory access. */
  readonly labels: Labels;
  /** The revision that created the key. */
  readonly createRevision: Revision;
  /** The revision that wrote this value. */
  readonly modRevision: Revision;
  /** The number of puts since the key was created; 1 for a new key. */
  readonly version: number;
  /** Whether the value is unreadable; `value` is then the last readable one. */
  readonly corrupt: boolean;
  /** Set if another form of the value is stored, so that a write that changes nothing still changes what is stored. */
  readonly stale: StaleForm | undefined;
  /**
   * The bytes of the value in a media type, encoded once and shared; those of superseded values are dropped after a time.
   * The media type serves as the key of the cache, so two encodings need two names. By default, the bytes are for a read.
   */
  encoded(mediaType: string, encode: (value: T) => Uint8Array, use?: EncodingUse): Uint8Array;
  /** Whether the bytes in a media type are there already. */
  isEncoded(mediaType: string): boolean;
  /** The bytes in a media type as they are kept, if they are. */
  kept(mediaType: string): KeptBytes | undefined;
  /** Keeps the bytes in a media type in another way. They must be equal to those that `encoded` makes. */
  keep(mediaType: string, bytes: KeptBytes): void;
}

/** Bytes, or how to make them from memory that several values share. */
export type KeptBytes = Uint8Array | PackedBytes;

export interface PackedBytes {
  readonly byteLength: number;
  bytes(): Uint8Array;
}

/**
 * What needs the bytes of a value: a read, which others may repeat, or a write and the events of it, soon after which nothing needs
 * them. Most values are never read one by one.
 */
export type EncodingUse = "read" | "write";

/** What is known of a value that is stored in the form of another release. */
export interface StaleForm {
  /** Why this release cannot read it; undefined if it can. */
  readonly unreadable: string | undefined;
}

/** One write. */
export interface StoreEvent<T extends object = object> {
  readonly type: "put" | "delete";
  readonly revision: Revision;
  readonly key: string;
  /** The value that was put; for a delete, the last value with the revision of the delete. */
  readonly value: StoredValue<T>;
  readonly previous: StoredValue<T> | undefined;
}

/** The encodings of a value, as a linked list: most values have none, few have more than one. */
interface Encoding {
  readonly mediaType: string;
  bytes: KeptBytes;
  use: EncodingUse;
  readonly next: Encoding | undefined;
}

/** A `StoredValue` in the store. A tombstone is visible only in the event of a delete. */
export class Version<T extends object> implements StoredValue<T> {
  // The fields that a scan of many values reads are adjacent.
  readonly value: T;
  readonly labels: Labels;
  readonly modRevision: Revision;
  readonly tombstone: boolean;
  readonly corrupt: boolean;
  readonly key: string;
  readonly createRevision: Revision;
  readonly version: number;
  readonly stale: StaleForm | undefined;
  #encodings: Encoding | undefined;
  /** Where all encodings are counted since the version was superseded; undefined before. */
  #recent: RecentEncodings | undefined;
  /** Where the encodings for writes are counted before that; undefined if they are kept like others. */
  #ofWrites: RecentEncodings | undefined;

  /** `previous` is the value of the key before this write, if it existed. */
  constructor(
    type: StoreEvent["type"] | "corrupt",
    key: string,
    value: T,
    labels: Labels,
    modRevision: Revision,
    previous: Pick<StoredValue<T>, "createRevision" | "version"> | undefined,
    stale?: StaleForm,
  ) {
    this.stale = stale;
    this.value = value;
    this.labels = labels;
    this.modRevision = modRevision;
    this.tombstone = type === "delete";
    this.corrupt = type === "corrupt";
    this.key = key;
    this.createRevision = previous === undefined ? modRevision : previous.createRevision;
    this.version = (previous === undefined ? 0 : previous.version) + (this.tombstone ? 0 : 1);
  }

  /** The same write as another release reads it. It does not share encodings, which can differ. */
  readAs(value: T, stale: StaleForm | undefined): Version<T> {
    const { key, labels, modRevision, createRevision, tombstone } = this;
    const type = stale?.unreadable === undefined ? "put" : "corrupt";
    const before = { createRevision, version: this.version - (tombstone ? 0 : 1) };
    return new Version(tombstone ? "delete" : type, key, value, labels, modRevision, before, stale);
  }

  /** Whether the key exists after this write. */
  get live(): boolean {
    return !this.tombstone;
  }

  /** The value of a key with a single revision, as of `revision`. */
  at(revision: Revision): this | undefined {
    return this.modRevision <= revision && !this.tombstone ? this : undefined;
  }

  encoded(mediaType: string, encode: (value: T) => Uint8Array, use: EncodingUse = "read"): Uint8Array {
    const known = this.#find(mediaType);
    if (known !== undefined) {
      if (use === "read") known.use = use;
      // In the sandboxes of test runners, bytes can be of another realm.
      return ArrayBuffer.isView(known.bytes) ? known.bytes : known.bytes.bytes();
    }
    const bytes = encode(this.value);
    this.#encodings = { mediaType, bytes, use, next: this.#encodings };
    const counted = this.#recent ?? (use === "write" ? this.#ofWrites : undefined);
    counted?.add(this, bytes.byteLength);
    return bytes;
  }

  /** Lets the encodings for writes be dropped when those of later ones need the room. */
  countWrites(ofWrites: RecentEncodings): void {
    this.#ofWrites = ofWrites;
  }

  /** Notes that the version is no longer the newest of its key, so that its encodings are kept for a short time only. */
  supersede(recent: RecentEncodings): void {
    if (this.#recent !== undefined) return;
    this.#recent = recent;
    for (let known = this.#encodings; known !== undefined; known = known.next) {
      recent.add(this, known.bytes.byteLength);
    }
  }

  dropEncodings(): void {
    let kept: Encoding | undefined;
    if (this.#recent === undefined) {
      for (let known = this.#encodings; known !== undefined; known = known.next) {
        if (known.use === "read") kept = { ...known, next: kept };
      }
    }
    this.#encodings = kept;
  }

  isEncoded(mediaType: string): boolean {
    return this.kept(mediaType) !== undefined;
  }

  kept(mediaType: string): KeptBytes | undefined {
    return this.#find(mediaType)?.bytes;
  }

  keep(mediaType: string, bytes: KeptBytes): void {
    const known = this.#find(mediaType);
    if (known !== undefined) {
      known.bytes = bytes;
      known.use = "read";
      return;
    }
    this.#encodings = { mediaType, bytes, use: "read", next: this.#encodings };
    this.#recent?.add(this, bytes.byteLength);
  }

  #find(mediaType: string): Encoding | undefined {
    let known = this.#encodings;
    while (known !== undefined && known.mediaType !== mediaType) known = known.next;
    return known;
  }
}

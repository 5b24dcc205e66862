import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { PackedBytes } from "../store/stored-value.ts";
import type { Encodable } from "./encodable.ts";

/** How the items of a list are written. */
export interface ItemLayout {
  /** The form under which an object caches its bytes as an item. */
  readonly item: string;
  /** The form of the whole JSON of an object: what an item omits, the item and a line break. */
  readonly json: string;
  readonly omitted: string;
  /** The bytes before each item but the first, of which a comma is left out. */
  readonly separator: Uint8Array;
  /** The bytes of an object as an item, cached. */
  readonly bytesOf: (object: Encodable) => Uint8Array;
  /** The whole JSON of an object that is not cached, without a line break. */
  readonly textOf: (value: KubeObject) => string;
}

/** The place of an item in memory. */
class Place implements PackedBytes {
  readonly memory: Uint8Array;
  readonly start: number;
  readonly end: number;

  constructor(memory: Uint8Array, start: number, end: number) {
    this.memory = memory;
    this.start = start;
    this.end = end;
  }

  get byteLength(): number {
    return this.end - this.start;
  }

  bytes(): Uint8Array {
    return this.memory.subarray(this.start, this.end);
  }
}

/** The whole JSON of a packed object. It is made for each use, because few objects of a long list are read one by one. */
class PackedDocument implements PackedBytes {
  readonly #head: Uint8Array;
  readonly #item: Place;

  constructor(head: Uint8Array, item: Place) {
    this.#head = head;
    this.#item = item;
  }

  get byteLength(): number {
    return this.#head.byteLength + this.#item.byteLength + 1;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.byteLength);
    bytes.set(this.#head);
    bytes.set(this.#item.bytes(), this.#head.byteLength);
    bytes[bytes.length - 1] = lineBreak;
    return bytes;
  }
}

const lineBreak = 0x0a;
/** The sizes of the memory that items share: the first is small, because a list may be. What is left of the last one is lost. */
const [smallest, largest] = [16 * 1024, 256 * 1024];
/** An item with more bytes is not packed. */
const largestPacked = 16 * 1024;
/** How many packed items lie behind one another at least, on average. */
const itemsPerRun = 4;

const encoder = new TextEncoder();

/**
 * The bytes of all items, with the separators between them. The items lie behind one another in memory, so that lists are written in large
 * pieces without being copied again; only when many have changed are they packed again. The memory of items that were packed before is
 * free when no object has a place in it, so at most as much is lost as the list is large.
 */
export function packedPieces(items: readonly Encodable[], layout: ItemLayout): readonly Uint8Array[] {
  const pieces = piecesOf(items, layout, items.length / itemsPerRun);
  if (pieces !== undefined) return pieces;
  pack(items, layout);
  return piecesOf(items, layout);
}

/** The pieces; undefined if items that could be packed make more than `mostRuns` pieces. */
function piecesOf(items: readonly Encodable[], layout: ItemLayout): Uint8Array[];
function piecesOf(
  items: readonly Encodable[],
  layout: ItemLayout,
  mostRuns: number,
): Uint8Array[] | undefined;
function piecesOf(
  items: readonly Encodable[],
  { item, separator, bytesOf }: ItemLayout,
  mostRuns = Number.POSITIVE_INFINITY,
): Uint8Array[] | undefined {
  const pieces: Uint8Array[] = [];
  const gap = separator.byteLength;
  let first: Place | undefined;
  let last: Place | undefined;
  let runs = 0;
  const endRun = () => {
    if (first !== undefined && last !== undefined) pieces.push(first.memory.subarray(first.start, last.end));
  };
  for (const object of items) {
    const kept = object.kept(item);
    const place = kept instanceof Place ? kept : undefined;
    if (place === undefined || place.memory !== last?.memory || place.start !== last.end + gap) {
      endRun();
      pieces.push(pieces.length === 0 ? separator.subarray(1) : separator);
      first = place;
      const bytes = place === undefined ? bytesOf(object) : undefined;
      if (bytes !== undefined) pieces.push(bytes);
      if (bytes === undefined || bytes.byteLength <= largestPacked) runs += 1;
      if (runs > mostRuns) return undefined;
    }
    last = place;
  }
  endRun();
  return pieces;
}

function pack(items: readonly Encodable[], layout: ItemLayout): void {
  const { item, json, separator, bytesOf, textOf } = layout;
  const memory = new SharedMemory(separator);
  const head = encoder.encode(layout.omitted);
  for (const object of items) {
    // An object whose bytes are cached may be in the version of the storage.
    const place = object.isEncoded(json)
      ? memory.add(bytesOf(object))
      : memory.addText(textOf(object.value).slice(layout.omitted.length));
    if (place === undefined) continue;
    object.keep(item, place);
    object.keep(json, new PackedDocument(head, place));
  }
}

/** Memory that is filled with items. */
class SharedMemory {
  readonly #separator: Uint8Array;
  #memory: Uint8Array = new Uint8Array(smallest);
  #used = 0;

  constructor(separator: Uint8Array) {
    this.#separator = separator;
  }

  /** The place of a copy; undefined for a large item. */
  add(item: Uint8Array): Place | undefined {
    const size = item.byteLength;
    if (size > largestPacked) return undefined;
    while (this.#start + size > this.#memory.byteLength) this.#renew();
    this.#memory.set(item, this.#start);
    return this.#take(size);
  }

  /** The place of the bytes of a text; undefined for a large one. */
  addText(text: string): Place | undefined {
    if (text.length > largestPacked) return undefined;
    for (;;) {
      const { read, written } = encoder.encodeInto(text, this.#memory.subarray(this.#start));
      if (read === text.length) return this.#take(written);
      this.#renew();
    }
  }

  /** Where the next item starts. */
  get #start(): number {
    return this.#used + this.#separator.byteLength;
  }

  #take(size: number): Place {
    const [memory, start] = [this.#memory, this.#start];
    memory.set(this.#separator, this.#used);
    this.#used = start + size;
    return new Place(memory, start, this.#used);
  }

  #renew(): void {
    this.#memory = new Uint8Array(Math.min(largest, this.#memory.byteLength * 2));
    this.#used = 0;
  }
}

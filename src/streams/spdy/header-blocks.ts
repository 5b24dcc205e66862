import { concatenate } from "../../apimachinery/bytes.ts";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import { headerDictionary } from "./header-dictionary.ts";

/** The headers of a stream, by their names in lower case. A header that repeats has its first value. */
export type StreamHeaders = ReadonlyMap<string, string>;

/** As much as the headers of one frame may be. Those of clients have less than 200 bytes. */
const longestBlock = 16 * 1024;

/** What is used of Node's module for compression; Deno and Bun have it, too. */
interface NodeZlib {
  createInflate(options: { readonly dictionary: Uint8Array }): Inflate;
}

interface Inflate {
  on(event: "data", listener: (piece: Uint8Array) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  write(piece: Uint8Array, written: (error?: Error | null) => void): boolean;
  destroy(): void;
}

interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => NodeZlib | undefined };
}

/** Reads the headers of all frames of a connection in their order: one stream of zlib runs through them. */
export class HeaderReader {
  readonly #inflate: Inflate;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #fail: ((error: Error) => void) | undefined;

  constructor() {
    // The types of the core know no runtime.
    const zlib = (globalThis as NodeGlobal).process?.getBuiltinModule?.("node:zlib");
    if (zlib === undefined) throw new Error("this runtime cannot read SPDY");
    this.#inflate = zlib.createInflate({ dictionary: headerDictionary() });
    this.#inflate.on("data", (piece) => this.#take(piece));
    this.#inflate.on("error", (error) => this.#fail?.(error));
  }

  /** @throws {Error} for what is not compressed as it should be, is malformed or is too long */
  async read(block: Uint8Array): Promise<StreamHeaders> {
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#inflate.write(block, (error) => (error ? reject(error) : resolve()));
    });
    const bytes = concatenate(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    return headersIn(bytes);
  }

  close(): void {
    this.#inflate.destroy();
  }

  #take(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (this.#size <= longestBlock) this.#pieces.push(piece);
    else {
      this.#fail?.(new Error("the headers of a stream are too long"));
      this.#inflate.destroy();
    }
  }
}

/** The number of headers, then the length and the text of each name and value. */
function headersIn(bytes: Uint8Array): StreamHeaders {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  let at = 4;
  const next = () => {
    const length = view.getUint32(at);
    const start = at + 4;
    at = start + length;
    if (at > bytes.byteLength) throw new Error("the headers of a stream are malformed");
    return decoder.decode(bytes.subarray(start, at));
  };
  const headers = new Map<string, string>();
  for (let left = view.getUint32(0); left > 0; left--) {
    const name = next().toLowerCase();
    const [value = ""] = next().split("\0");
    headers.set(name, value);
  }
  return headers;
}

/** The start of a stream of zlib with the dictionary, whose checksum it names. */
const zlibHead = Uint8Array.of(0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2);

/** An empty stored block. Only at one does Go's reader hand over what it has. */
const flush = Uint8Array.of(0, 0, 0, 0xff, 0xff);

/** Writes the headers of all frames of a connection: stored, since they are short, which every reader of zlib takes. */
export class HeaderWriter {
  #isStarted = false;

  write(headers: readonly (readonly [name: string, value: string])[]): Uint8Array {
    const block = concatenate([
      uint32(headers.length),
      ...headers.flatMap(([name, value]) => [text(name), text(value)]),
    ]);
    const { byteLength: length } = block;
    const stored = Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff);
    const head = this.#isStarted ? [] : [zlibHead];
    this.#isStarted = true;
    return concatenate([...head, stored, block, flush]);
  }
}

function text(value: string): Uint8Array {
  const bytes = utf8Bytes(value);
  return concatenate([uint32(bytes.byteLength), bytes]);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

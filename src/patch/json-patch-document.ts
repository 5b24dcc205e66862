import { utf8Length } from "../apimachinery/utf8.ts";
import { type Container, containersEqual, LazyNode, nodeOf, writeContainer } from "./lazy-node.ts";
import { PatchError } from "./patch-error.ts";

/** All that the `copy` operations of one patch may add to the document, in bytes. */
const COPY_LIMIT = 3 * 1024 * 1024;

const INTEGER = /^[+-]?\d+$/;

/** Where an operation's pointer leads: a key of a container, which need not be there. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/**
 * A document under the operations of a JSON patch, in upstream's dialect of RFC 6902:
 * - `replace` of a missing member adds it, and `add` cannot replace the whole document
 * - negative indices count from the end
 * - a missing member counts as null where it is tested or copied
 * - what comes before the first slash of a pointer does not matter
 *
 * Every operation throws a PatchError when it does not apply; the document is then of no more use.
 */
export class JsonPatchDocument {
  #root: Container;
  #copied = 0;

  /** Of the compact text of an object. */
  constructor(text: string) {
    this.#root = new LazyNode(text).open() ?? new Map();
  }

  add(path: string, value: LazyNode | null): void {
    addAt(this.#find(path), value);
  }

  remove(path: string): void {
    removeAt(this.#find(path));
  }

  replace(path: string, value: LazyNode | null): void {
    if (path === "") {
      // Upstream takes a scalar here for success without effect.
      this.#root = value?.open() ?? this.#root;
      return;
    }
    const { container, key } = this.#find(path);
    if (container instanceof Map) container.set(key, value);
    else container[existingIndex(container, key)] = value;
  }

  move(from: string, path: string): void {
    const source = this.#find(from);
    const value = valueAt(source);
    removeAt(source);
    addAt(this.#find(path), value);
  }

  copy(from: string, path: string): void {
    const value = valueAt(this.#find(from));
    const target = this.#find(path);
    if (value === null) {
      addAt(target, null);
      return;
    }
    const text = value.write();
    this.#copied += utf8Length(text);
    if (this.#copied > COPY_LIMIT) throw failed("the copies are too large");
    addAt(target, nodeOf(text));
  }

  test(path: string, value: LazyNode | null): void {
    if (!this.#holds(path, value)) throw failed(`testing value ${path} failed`);
  }

  /** The document as JSON text. */
  write(): string {
    return writeContainer(this.#root);
  }

  #holds(path: string, value: LazyNode | null): boolean {
    if (path === "") {
      const container = value?.open();
      return container !== undefined && containersEqual(this.#root, container);
    }
    const current = valueAt(this.#find(path));
    return current === null || value === null ? current === value : current.equals(value);
  }

  #find(pointer: string): Place {
    const tokens = pointer.split("/");
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2) throw failed(`doc is missing path: ${pointer}`);
    let container = this.#root;
    for (const token of tokens.slice(1, -1)) {
      const next = valueAt({ container, key: unescaped(token) })?.open();
      if (next === undefined) throw failed(`doc is missing path: ${pointer}`);
      container = next;
    }
    return { container, key: unescaped(last) };
  }
}

function unescaped(token: string): string {
  return token.includes("~") ? token.replace(/~[01]/g, (sequence) => (sequence === "~1" ? "/" : "~")) : token;
}

/** The value of a place, null if there is none; only a list must have it. */
function valueAt({ container, key }: Place): LazyNode | null {
  if (container instanceof Map) return container.get(key) ?? null;
  return container[existingIndex(container, key)] ?? null;
}

function addAt({ container, key }: Place, value: LazyNode | null): void {
  if (container instanceof Map) container.set(key, value);
  else if (key === "-") container.push(value);
  else container.splice(indexWithin(container.length + 1, key), 0, value);
}

function removeAt({ container, key }: Place): void {
  if (!(container instanceof Map)) container.splice(existingIndex(container, key), 1);
  else if (!container.delete(key)) throw failed(`unable to remove nonexistent key: ${key}`);
}

function existingIndex(list: readonly unknown[], key: string): number {
  return indexWithin(list.length, key);
}

/** The index that the token names, of as many as there are. */
function indexWithin(length: number, token: string): number {
  const index = INTEGER.test(token) ? Number(token) : Number.NaN;
  const fromStart = index < 0 ? index + length : index;
  if (fromStart >= 0 && fromStart < length) return fromStart;
  throw failed(`invalid index referenced: ${token}`);
}

function failed(message: string): PatchError {
  return new PatchError("unprocessable", message);
}

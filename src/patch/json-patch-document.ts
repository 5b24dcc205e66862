import { utf8Length } from "../apimachinery/utf8.ts";
import { type Container, containersEqual, LazyNode, nodeOf, writeContainer } from "./lazy-node.ts";
import { PatchError } from "./patch-error.ts";

/** The number of bytes that the `copy` operations of one patch may add to the document. */
const COPY_LIMIT = 3 * 1024 * 1024;

const INTEGER = /^[+-]?\d+$/;

/** The target of an operation's pointer: a key of a container. The container need not have the key. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/**
 * A document that the operations of a JSON patch change, in upstream's dialect of RFC 6902:
 * - `replace` of a missing member adds it, and `add` cannot replace the whole document
 * - negative indices count from the end
 * - `test` and `copy` read a missing member as null
 * - the text before the first slash of a pointer is ignored
 *
 * An operation that does not apply throws a PatchError and leaves the document in an undefined state.
 */
export class JsonPatchDocument {
  #root: Container;
  #copied = 0;

  /** `text` is the compact JSON text of an object. */
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
      // Upstream accepts a scalar here and ignores it.
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

/** The value at a place. Null for a missing member; a missing list index is an error. */
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

/** The index that the token names in a list of this length. */
function indexWithin(length: number, token: string): number {
  const index = INTEGER.test(token) ? Number(token) : Number.NaN;
  const fromStart = index < 0 ? index + length : index;
  if (fromStart >= 0 && fromStart < length) return fromStart;
  throw failed(`invalid index referenced: ${token}`);
}

function failed(message: string): PatchError {
  return new PatchError("unprocessable", message);
}

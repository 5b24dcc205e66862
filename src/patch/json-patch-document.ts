import { goQuote } from "../apimachinery/go/go-quote.ts";
import { utf8Length } from "../apimachinery/utf8.ts";
import { type Container, containersEqual, LazyNode, nodeOf, writeContainer } from "./lazy-node.ts";
import { FailedTest, PatchError } from "./patch-error.ts";

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
 * An operation that does not apply throws a PatchError with the text of upstream's library (github.com/evanphx/json-patch, v4,
 * patch.go) and leaves the document in an undefined state.
 */
export class JsonPatchDocument {
  #root: Container;
  #copied = 0;

  /** `text` is the compact JSON text of an object. */
  constructor(text: string) {
    this.#root = new LazyNode(text).open() ?? new Map();
  }

  add(path: string, value: LazyNode | null): void {
    const place = this.#find(path, `add operation does not apply: doc is missing path: "${path}"`);
    within(`error in add for path: '${path}'`, () => addAt(place, value));
  }

  remove(path: string): void {
    const place = this.#find(path, `remove operation does not apply: doc is missing path: "${path}"`);
    within(`error in remove for path: '${path}'`, () => removeAt(place));
  }

  replace(path: string, value: LazyNode | null): void {
    if (path === "") {
      // Upstream accepts a scalar here and ignores it.
      this.#root = value?.open() ?? this.#root;
      return;
    }
    const problem = "replace operation does not apply: doc is missing";
    const { container, key } = this.#find(path, `${problem} path: ${path}`);
    if (container instanceof Map) {
      container.set(key, value);
      return;
    }
    const index = indexWithin(container.length, key);
    if (typeof index === "string") throw failed(`${problem} key: ${path}: ${missing}`);
    container[index] = value;
  }

  move(from: string, path: string): void {
    const source = this.#find(from, `move operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const found = valueAt(source);
      removeAt(source);
      return found;
    });
    const target = this.#find(
      path,
      `move operation does not apply: doc is missing destination path: ${path}`,
    );
    within(`error in move for path: '${path}'`, () => addAt(target, value));
  }

  copy(from: string, path: string): void {
    const source = this.#find(from, `copy operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in copy for from: '${from}'`, () => valueAt(source));
    const target = this.#find(
      path,
      `copy operation does not apply: doc is missing destination path: ${path}`,
    );
    const copied = value === null ? null : this.#copyOf(value);
    within("error while adding value during copy", () => addAt(target, copied));
  }

  test(path: string, value: LazyNode | null): void {
    if (!this.#holds(path, value)) throw new FailedTest(path);
  }

  /** The document as JSON text. */
  write(): string {
    return writeContainer(this.#root);
  }

  #copyOf(value: LazyNode): LazyNode | null {
    const text = value.write();
    this.#copied += utf8Length(text);
    if (this.#copied <= COPY_LIMIT) return nodeOf(text);
    const increase = `the accumulated size increase of copy is ${this.#copied}`;
    throw failed(`Unable to complete the copy, ${increase}, exceeding the limit ${COPY_LIMIT}`);
  }

  #holds(path: string, value: LazyNode | null): boolean {
    if (path === "") {
      const container = value?.open();
      return container !== undefined && containersEqual(this.#root, container);
    }
    const place = this.#find(path, `test operation does not apply: is missing path: ${path}`);
    const current = within(`error in test for path: '${path}'`, () => valueAt(place));
    return current === null || value === null ? current === value : current.equals(value);
  }

  /** @throws {PatchError} with the problem, if a container on the way is missing */
  #find(pointer: string, problem: string): Place {
    const tokens = pointer.split("/");
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2) throw failed(`${problem}: ${missing}`);
    let container = this.#root;
    for (const token of tokens.slice(1, -1)) {
      const next = nextContainer(container, unescaped(token));
      if (next === undefined) throw failed(`${problem}: ${missing}`);
      container = next;
    }
    return { container, key: unescaped(last) };
  }
}

const missing = "missing value";

function unescaped(token: string): string {
  return token.includes("~") ? token.replace(/~[01]/g, (sequence) => (sequence === "~1" ? "/" : "~")) : token;
}

function nextContainer(container: Container, key: string): Container | undefined {
  if (container instanceof Map) return container.get(key)?.open();
  const index = indexWithin(container.length, key);
  return typeof index === "string" ? undefined : container[index]?.open();
}

/** The value at a place. Null for a missing member; a missing list index is an error. */
function valueAt({ container, key }: Place): LazyNode | null {
  if (container instanceof Map) return container.get(key) ?? null;
  return container[existingIndex(container, key)] ?? null;
}

function addAt({ container, key }: Place, value: LazyNode | null): void {
  if (container instanceof Map) container.set(key, value);
  else if (key === "-") container.push(value);
  else {
    const index = indexWithin(container.length + 1, key);
    if (typeof index === "number") container.splice(index, 0, value);
    else if (INTEGER.test(key)) throw failed(index);
    else throw failed(`value was not a proper array index: '${key}': ${index}`);
  }
}

function removeAt({ container, key }: Place): void {
  if (!(container instanceof Map)) container.splice(existingIndex(container, key), 1);
  else if (!container.delete(key)) throw failed(`Unable to remove nonexistent key: ${key}: ${missing}`);
}

function existingIndex(list: readonly unknown[], key: string): number {
  const index = indexWithin(list.length, key);
  if (typeof index === "string") throw failed(index);
  return index;
}

/** The index that the token names in a list of this length, or why it names none. */
function indexWithin(length: number, token: string): number | string {
  if (!INTEGER.test(token)) return `strconv.Atoi: parsing ${goQuote(token)}: invalid syntax`;
  const index = Number(token);
  const fromStart = index < 0 ? index + length : index;
  if (fromStart >= 0 && fromStart < length) return fromStart;
  if (!Number.isSafeInteger(index)) return `strconv.Atoi: parsing ${goQuote(token)}: value out of range`;
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}

/** What `run` returns; the text of its PatchError begins with what was attempted. */
function within<T>(attempt: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new PatchError(error.kind, `${attempt}: ${error.message}`);
  }
}

function failed(message: string): PatchError {
  return new PatchError("unprocessable", message);
}

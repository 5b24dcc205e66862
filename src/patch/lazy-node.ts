import { compareText } from "../apimachinery/text-order.ts";
import { encodeJson } from "../codec/json/json.ts";
import { PatchError } from "./patch-error.ts";
import { escapeHtml, rawElements, rawMembers } from "./raw-json.ts";

/** The members of an object or the elements of a list; `null` is JSON's null. */
export type Container = Map<string, LazyNode | null> | (LazyNode | null)[];

/** The maximum depth, as for bodies, so that operations cannot exhaust the stack. */
const MAX_DEPTH = 1000;

/**
 * A JSON value that is parsed only as far as needed, as in upstream's patch library. Unparsed parts are written
 * unchanged; parsed objects are written with sorted keys. Clients see this in error messages that print the document,
 * and in `test`, which compares scalars by their text.
 */
export class LazyNode {
  /** Compact JSON. Outdated once the container exists. */
  readonly #raw: string;
  #container: Container | undefined;

  constructor(raw: string) {
    this.#raw = raw;
  }

  /** Parses one level of the value. Undefined for a scalar. */
  open(): Container | undefined {
    if (this.#container !== undefined) return this.#container;
    if (this.#raw.startsWith("{")) {
      this.#container = new Map(rawMembers(this.#raw).map(([key, raw]) => [key, nodeOf(raw)]));
    } else if (this.#raw.startsWith("[")) {
      this.#container = rawElements(this.#raw).map(nodeOf);
    }
    return this.#container;
  }

  /** Whether the values are equal: keys in any order, scalars by their text, so `1.0` is not `1`. */
  equals(other: LazyNode): boolean {
    const mine = this.open();
    if (mine === undefined) return this.#raw === other.#raw;
    const others = other.open();
    return others !== undefined && containersEqual(mine, others);
  }

  /** The value as JSON text. */
  write(depth = 1): string {
    if (depth > MAX_DEPTH) throw new PatchError("unprocessable", "exceeded max depth");
    return this.#container === undefined ? escapeHtml(this.#raw) : writeContainer(this.#container, depth);
  }
}

/** A node of compact JSON text. */
export function nodeOf(raw: string): LazyNode | null {
  return raw === "null" ? null : new LazyNode(raw);
}

/** Whether two containers are of the same kind and have equal contents. */
export function containersEqual(a: Container, b: Container): boolean {
  if (a instanceof Map) return b instanceof Map && membersEqual(a, b);
  if (b instanceof Map || a.length !== b.length) return false;
  return a.every((element, i) => nodesEqual(element, b[i] ?? null));
}

function membersEqual(a: Map<string, LazyNode | null>, b: Map<string, LazyNode | null>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !nodesEqual(value, other)) return false;
  }
  return true;
}

function nodesEqual(a: LazyNode | null, b: LazyNode | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** A container as JSON text. */
export function writeContainer(container: Container, depth = 1): string {
  if (!(container instanceof Map)) {
    return `[${container.map((element) => writeNode(element, depth + 1)).join(",")}]`;
  }
  const keys = [...container.keys()].sort(compareText);
  const members = keys.map((key) => `${encodeJson(key)}:${writeNode(container.get(key) ?? null, depth + 1)}`);
  return `{${members.join(",")}}`;
}

function writeNode(node: LazyNode | null, depth: number): string {
  return node === null ? "null" : node.write(depth);
}

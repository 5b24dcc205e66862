import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";

/** How deep below a removed field the parts are that a new field can take over, with their comments and their form. */
const depthOfParts = 3;

/**
 * Changes a document where two objects differ, and nothing else: fields that have another name keep their place and their
 * comments, parts that move keep their form, and the comments of fields that go are those of what replaces them.
 */
export class DocumentEdits {
  readonly #document: Document;
  /** The parts of removed fields, by their values as JSON. */
  readonly #removed = new Map<string, Node>();
  readonly #taken = new Set<unknown>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Changes the node of an object from `before` to `after`. */
  apply(map: YAMLMap, before: JsonObject, after: JsonObject): void {
    this.#collect(map, before, after);
    this.#editMap(map, before, after);
  }

  #collect(node: unknown, before: JsonValue, after: JsonValue | undefined): void {
    if (jsonEqual(before, after)) return;
    if (isJsonObject(before) && isMap(node)) {
      for (const [key, value] of Object.entries(before)) {
        const pair = pairOf(node, key);
        if (pair === undefined) continue;
        const left = isJsonObject(after) ? after[key] : undefined;
        if (left === undefined) this.#keepParts(pair.value, value, 0);
        else this.#collect(pair.value, value, left);
      }
    } else if (Array.isArray(before) && isSeq(node)) {
      const items: readonly JsonValue[] = before;
      for (const [index, item] of items.entries()) {
        this.#collect(node.items[index], item, Array.isArray(after) ? after[index] : undefined);
      }
    }
  }

  #keepParts(node: unknown, value: JsonValue, depth: number): void {
    if (!isNode(node)) return;
    const key = encodeJson(value);
    if (!this.#removed.has(key)) this.#removed.set(key, node);
    if (depth === depthOfParts) return;
    if (isJsonObject(value) && isMap(node)) {
      for (const [name, part] of Object.entries(value)) {
        this.#keepParts(pairOf(node, name)?.value, part, depth + 1);
      }
    } else if (Array.isArray(value) && isSeq(node)) {
      const items: readonly JsonValue[] = value;
      for (const [index, item] of items.entries()) this.#keepParts(node.items[index], item, depth + 1);
    }
  }

  #editMap(map: YAMLMap, before: JsonObject, after: JsonObject): void {
    for (const [key, value] of Object.entries(after)) {
      const old = before[key];
      const pair = old === undefined || jsonEqual(old, value) ? undefined : pairOf(map, key);
      if (pair !== undefined && old !== undefined) this.#editValue(pair, old, value);
    }
    const removed = Object.keys(before).filter((key) => !(key in after) && map.has(key));
    const added = Object.keys(after).filter((key) => isMissing(map, key, before[key], after[key]));
    for (const [from, to] of renamings(removed, added, before, after)) {
      this.#rename(map, from, to, before, after);
      removed.splice(removed.indexOf(from), 1);
      added.splice(added.indexOf(to), 1);
    }
    this.#replace(map, removed, added, after);
  }

  #editValue(pair: Pair, before: JsonValue, after: JsonValue): void {
    const { value: node } = pair;
    if (isJsonObject(before) && isJsonObject(after) && isMap(node)) this.#editMap(node, before, after);
    else if (Array.isArray(before) && Array.isArray(after) && isSeq(node)) this.#editSeq(node, before, after);
    else pair.value = this.#withComments(node, this.#nodeOf(after));
  }

  #editSeq(seq: YAMLSeq, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    for (const [index, item] of after.entries()) {
      const [node, old] = [seq.items[index], before[index]];
      if (old !== undefined && jsonEqual(old, item)) continue;
      if (isMap(node) && isJsonObject(old) && isJsonObject(item)) this.#editMap(node, old, item);
      else seq.items[index] = this.#withComments(node, this.#nodeOf(item));
    }
    seq.items.length = Math.min(seq.items.length, after.length);
  }

  #rename(map: YAMLMap, from: string, to: string, before: JsonObject, after: JsonObject): void {
    const [pair, old, value] = [pairOf(map, from), before[from], after[to]];
    if (pair === undefined || old === undefined || value === undefined) return;
    if (isScalar(pair.key)) pair.key.value = to;
    this.#taken.add(pair.value);
    if (!jsonEqual(old, value)) this.#editValue(pair, old, value);
  }

  /** New fields stand where the removed ones stood. */
  #replace(map: YAMLMap, removed: readonly string[], added: readonly string[], after: JsonObject): void {
    const gone = new Set(removed.map((key) => pairOf(map, key)));
    const first = map.items.findIndex((pair) => gone.has(pair));
    const place = first < 0 ? map.items.length : first;
    const pairs = added.map((key) =>
      this.#document.createPair(new Scalar(key), this.#nodeOf(after[key] ?? null)),
    );
    const rest = map.items.filter((pair) => !gone.has(pair));
    rest.splice(place, 0, ...pairs);
    map.items = rest;
    const comments = [...gone].flatMap((pair) => this.#commentsOf(pair));
    if (comments.length > 0) addComments(map, place, comments);
  }

  /** What is left of the comments in a removed field. */
  #commentsOf(pair: Pair | undefined): readonly string[] {
    const comments: string[] = [];
    const note = (node: unknown) => {
      if (this.#taken.has(node)) return visit.SKIP;
      if (!isNode(node)) return undefined;
      if (node.commentBefore) comments.push(node.commentBefore);
      if (node.comment) comments.push(node.comment);
      return undefined;
    };
    if (pair === undefined) return [];
    if (isNode(pair.key)) note(pair.key);
    if (isNode(pair.value)) visit(pair.value, (_, node) => (isPair(node) ? undefined : note(node)));
    return comments;
  }

  /** The node of a new value; a part of what was removed, if there is one with this value. */
  #nodeOf(value: JsonValue): Node {
    const part = this.#removed.get(encodeJson(value));
    if (part !== undefined) {
      this.#taken.add(part);
      // A part can go to several places, as the schema of a definition goes to each of its versions.
      return part.clone() as Node;
    }
    if (isJsonObject(value)) {
      const map = new YAMLMap(this.#document.schema);
      for (const [key, field] of Object.entries(value)) {
        if (field === null) continue;
        map.items.push(this.#document.createPair(new Scalar(key), this.#nodeOf(field)));
      }
      return map;
    }
    if (!Array.isArray(value)) return this.#document.createNode(value);
    const items: readonly JsonValue[] = value;
    const seq = new YAMLSeq(this.#document.schema);
    seq.items = items.map((item) => this.#nodeOf(item));
    return seq;
  }

  #withComments(old: unknown, node: Node): Node {
    if (!isNode(old) || this.#taken.has(old)) return node;
    if (old.commentBefore) node.commentBefore ??= old.commentBefore;
    // A comment after a collection stands below it.
    if (old.comment && !isCollection(node)) node.comment ??= old.comment;
    return node;
  }
}

/** Replaces aliases by what they stand for, and merged keys by their fields: a change to one of the places is not one to all. */
export function expandAliases(document: Document): void {
  visit(document, {
    Alias: (_, alias) => {
      const target = alias.resolve(document);
      return target === undefined ? undefined : (target.clone() as Node);
    },
  });
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) delete node.anchor;
    },
    Map: (_, map) => {
      delete map.anchor;
      mergeKeys(map);
    },
  });
}

function mergeKeys(map: YAMLMap): void {
  for (let pair = pairOf(map, "<<"); pair !== undefined; pair = pairOf(map, "<<")) {
    const sources = isSeq(pair.value) ? pair.value.items : [pair.value];
    const place = map.items.indexOf(pair);
    map.items.splice(place, 1);
    const known = new Set(map.items.map(({ key }) => nameOf(key)));
    const merged = sources
      .filter((source) => isMap(source))
      .flatMap(({ items }) => items)
      .filter(({ key }) => !known.has(nameOf(key)) && known.add(nameOf(key)));
    map.items.splice(place, 0, ...merged);
  }
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => nameOf(pair.key) === key);
}

/** The library reads the key of a merge as a symbol. */
function nameOf(key: unknown): string {
  const value = isScalar(key) ? key.value : key;
  return typeof value === "symbol" ? (value.description ?? "") : String(value);
}

/** Whether a field has to be written. Null is what a server answers for a field that is not set. */
function isMissing(
  map: YAMLMap,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): boolean {
  return after !== null && !jsonEqual(before, after) && pairOf(map, key) === undefined;
}

/** Fields with another name: those with the same value, and one structure that replaces another one. */
function renamings(
  removed: readonly string[],
  added: readonly string[],
  before: JsonObject,
  after: JsonObject,
): readonly (readonly [from: string, to: string])[] {
  const free = new Set(added);
  const found: [string, string][] = [];
  for (const from of removed) {
    const to = [...free].find((name) => jsonEqual(before[from], after[name]));
    if (to === undefined) continue;
    free.delete(to);
    found.push([from, to]);
  }
  const [from, ...otherRemoved] = removed;
  const [to, ...otherAdded] = added;
  if (found.length > 0 || from === undefined || to === undefined) return found;
  const isOne = otherRemoved.length === 0 && otherAdded.length === 0;
  const areAlike =
    (isJsonObject(before[from]) && isJsonObject(after[to])) ||
    (Array.isArray(before[from]) && Array.isArray(after[to]));
  return isOne && areAlike ? [[from, to]] : [];
}

/** Adds comments above the field at a place, or below the last one. */
function addComments(map: YAMLMap, place: number, comments: readonly string[]): void {
  const text = comments.join("\n");
  const key = map.items[place]?.key;
  if (isNode(key)) key.commentBefore = key.commentBefore ? `${text}\n${key.commentBefore}` : text;
  else map.comment = map.comment ? `${map.comment}\n${text}` : text;
}

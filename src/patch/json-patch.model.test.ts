import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, type JsonValue, jsonCopy, jsonEqual } from "../apimachinery/json.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { applyJsonPatch, parseJsonPatch } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: JsonValue;
}

type Tree = JsonValue[] | { [key: string]: JsonValue };

/** RFC 6902 by the letter and the dialect on top, on a tree that is changed in place. */
function modelOf(document: JsonObject, operations: readonly Operation[]): JsonValue {
  const root = jsonCopy(document) as Tree;
  for (const { op, path, from, value } of operations) {
    if (op === "add") insert(root, path, jsonCopy(value));
    else if (op === "remove") take(root, path);
    else if (op === "replace") put(root, path, jsonCopy(value));
    else if (op === "test" && !jsonEqual(read(root, path), value)) throw new RangeError(path);
    else if (op === "move") insert(root, path, take(root, from));
    else if (op === "copy") insert(root, path, jsonCopy(read(root, from)));
  }
  return root;
}

function parentOf(root: Tree, path: string): [parent: Tree, key: string] {
  const tokens = path.split("/").slice(1);
  const key = tokens.pop() ?? "";
  let parent: JsonValue = root;
  for (const token of tokens) {
    if (typeof parent !== "object" || parent === null) throw new RangeError(path);
    parent = Array.isArray(parent) ? existing(parent, token) : ((parent as JsonObject)[token] ?? null);
  }
  if (typeof parent !== "object" || parent === null) throw new RangeError(path);
  return [parent as Tree, key];
}

function indexOf(token: string, length: number): number {
  const index = Number(token);
  const at = index < 0 ? length + index : index;
  if (!/^-?\d+$/.test(token) || at < 0 || at >= length) throw new RangeError(token);
  return at;
}

function existing(list: readonly JsonValue[], token: string): JsonValue {
  return list[indexOf(token, list.length)] ?? null;
}

function read(root: Tree, path: string): JsonValue {
  const [parent, key] = parentOf(root, path);
  return Array.isArray(parent) ? existing(parent, key) : (parent[key] ?? null);
}

function insert(root: Tree, path: string, value: JsonValue): void {
  const [parent, key] = parentOf(root, path);
  if (!Array.isArray(parent)) parent[key] = value;
  else if (key === "-") parent.push(value);
  else parent.splice(indexOf(key, parent.length + 1), 0, value);
}

function put(root: Tree, path: string, value: JsonValue): void {
  const [parent, key] = parentOf(root, path);
  if (Array.isArray(parent)) parent[indexOf(key, parent.length)] = value;
  else parent[key] = value;
}

function take(root: Tree, path: string): JsonValue {
  const [parent, key] = parentOf(root, path);
  const value = read(root, path);
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length), 1);
  else if (!Object.hasOwn(parent, key)) throw new RangeError(path);
  else delete parent[key];
  return value;
}

const keys = fc.constantFrom("a", "b", "c");
const { value, object } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, "x", "", true, null, "ü<"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(keys, tie("value"), { maxKeys: 3, noNullPrototype: true }),
}));
const tokens = fc.oneof({ weight: 3, arbitrary: keys }, fc.constantFrom("0", "1", "-1", "-", "2"));
const paths = fc.array(tokens, { minLength: 1, maxLength: 3 }).map((path) => `/${path.join("/")}`);
const operations = fc.record<Operation>({
  op: fc.constantFrom("add", "add", "remove", "replace", "test", "move", "copy"),
  path: paths,
  from: paths,
  value,
});

function outcomeOf(run: () => unknown, refusal: new (...args: never[]) => Error): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof refusal) return "refused";
    throw error;
  }
}

test("a JSON patch does what a plain evaluator of RFC 6902 does, and leaves the document as it was", () => {
  fc.assert(
    fc.property(object, fc.array(operations, { maxLength: 6 }), (document, list) => {
      const body = JSON.stringify(list).replaceAll("<", "\\u003c");
      const frozen = deepFreeze(document);
      const actual = outcomeOf(
        () => applyJsonPatch(frozen, parseJsonPatch(body, "Strict").operations),
        PatchError,
      );
      expect(actual).toEqual(outcomeOf(() => modelOf(frozen, list), RangeError));
    }),
    { numRuns: 2000 },
  );
});

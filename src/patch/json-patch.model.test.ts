import fc from "fast-check";
import { expect, test } from "vitest";
import { patchText } from "../../test/oracles/json-patch-library.ts";
import { otherPlaces, patchedDocuments } from "../../test/oracles/json-patches.ts";
import { plainJson } from "../apimachinery/go/parsed-json.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  jsonEqual,
  setKey,
} from "../apimachinery/json.ts";
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

/** RFC 6902 with upstream's dialect, on a tree that is changed in place. */
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
  const keys = path.split("/").slice(1).map(unescaped);
  const last = keys.pop() ?? "";
  let parent: JsonValue = root;
  for (const key of keys) parent = child(asTree(parent), key);
  return [asTree(parent), last];
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function asTree(value: JsonValue): Tree {
  if (typeof value !== "object" || value === null) throw new RangeError("a scalar has no members");
  // The model owns its whole tree.
  return value as Tree;
}

/** The value of a key; null for a member that is missing. */
function child(parent: Tree, key: string): JsonValue {
  if (isJsonObject(parent)) return getKey(parent, key) ?? null;
  return parent[indexOf(key, parent.length)] ?? null;
}

function indexOf(token: string, length: number): number {
  const index = Number(token);
  const at = index < 0 ? length + index : index;
  if (!/^-?\d+$/.test(token) || at < 0 || at >= length) throw new RangeError(token);
  return at;
}

function read(root: Tree, path: string): JsonValue {
  return child(...parentOf(root, path));
}

function insert(root: Tree, path: string, value: JsonValue): void {
  const [parent, key] = parentOf(root, path);
  if (!Array.isArray(parent)) setKey(parent, key, value);
  else if (key === "-") parent.push(value);
  else parent.splice(indexOf(key, parent.length + 1), 0, value);
}

function put(root: Tree, path: string, value: JsonValue): void {
  const [parent, key] = parentOf(root, path);
  if (Array.isArray(parent)) parent[indexOf(key, parent.length)] = value;
  else setKey(parent, key, value);
}

function take(root: Tree, path: string): JsonValue {
  const [parent, key] = parentOf(root, path);
  const value = child(parent, key);
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length), 1);
  else if (!Object.hasOwn(parent, key)) throw new RangeError(path);
  else delete parent[key];
  return value;
}

function outcomeOf(run: () => unknown, refusal: new (...args: never[]) => Error): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof refusal) return "refused";
    throw error;
  }
}

test("a JSON patch has the same result as a simple model of RFC 6902, and does not change the input", () => {
  const numRuns = 2_000;
  let patched = 0;
  fc.assert(
    fc.property(patchedDocuments(otherPlaces), ({ document, operations }) => {
      const body = patchText(operations);
      const frozen = deepFreeze(document);
      const actual = outcomeOf(
        () => plainJson(applyJsonPatch(frozen, parseJsonPatch(body, "Strict").operations)),
        PatchError,
      );
      expect(actual).toEqual(outcomeOf(() => modelOf(frozen, JSON.parse(body)), RangeError));
      if (actual !== "refused") patched++;
    }),
    { numRuns },
  );
  // Most patches must apply; comparing only errors would prove little.
  expect(patched / numRuns).toBeGreaterThan(0.7);
});

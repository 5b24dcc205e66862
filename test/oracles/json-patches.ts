import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import { type Operation, patchedByLibrary } from "./json-patch-library.ts";
import { containersIn, escapedToken, type Place, placesIn } from "./json-pointers.ts";
import { isAccepted, outcomeOf } from "./known-difference.ts";

/** A document and a patch for it. */
export interface PatchedDocument {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
}

const keys = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(..."a b c name a/b m~n ~1 0 1 - é %41".split(" "), "", " ") },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "prototype") },
);
const scalars = fc.constantFrom<JsonValue>(0, 1, -3, 1.5, "x", "", "<ü>", true, false, null);
const { value, object } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalars, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(keys, tie("value"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
}));

/** The random choices that make an operation once its document is known. */
interface Choice {
  readonly op: string;
  readonly target: number;
  readonly source: number;
  readonly key: string;
  readonly value: JsonValue;
  readonly misspell: Misspelling;
}

/** A change of an operation that may make it invalid. */
export type Misspelling = (operation: Operation) => Operation;

const unchanged: Misspelling = (operation) => operation;

function withPath(change: (path: string) => string): Misspelling {
  return (operation) => ({ ...operation, path: change(operation.path) });
}

function withSource(change: (from: string) => string): Misspelling {
  return ({ from, ...operation }) => (from === undefined ? operation : { ...operation, from: change(from) });
}

function withLastToken(token: string): (pointer: string) => string {
  return (pointer) => pointer.replace(/[^/]*$/, () => token);
}

function withToken(token: string): Misspelling[] {
  return [withPath(withLastToken(token)), withSource(withLastToken(token))];
}

/** Changes that make pointers point elsewhere, or nowhere. */
export const otherPlaces: readonly Misspelling[] = [
  ...["-1", "-2", "-9", "9", "x", "-", "missing"].flatMap(withToken),
  withPath((path) => `${path}/`),
  withPath((path) => path.replace(/^\/[^/]*/, "/missing")),
  withSource((from) => `${from}/x`),
];

/** Changes that one of the dialects refuses, or that they read differently. */
export const misspellings: readonly Misspelling[] = [
  ...otherPlaces,
  ...["+0", "00", "-0", "0.0", "toString", "~2"].flatMap(withToken),
  withPath((path) => path.slice(1)),
  withPath((path) => `x${path}`),
  withPath(() => ""),
  withSource(() => ""),
  ({ op, path, value }) => ({ op, path, value }),
  ({ op, path, from }) => ({ op, path, from }),
  (operation) => ({ ...operation, value: "null" }),
  (operation) => ({ ...operation, value: " [ 1.0 , 1e2 ] " }),
  (operation) => ({ ...operation, value: operation.value?.replaceAll("\\u003c", "<") }),
  (operation) => ({ ...operation, value: operation.value?.replace(/(?<=[\d])$/, ".0") }),
  (operation) => ({ ...operation, op: "merge" }),
];

/**
 * Patches whose pointers come from the document to which the operation applies. A few operations are changed afterwards.
 */
export function patchedDocuments(mistakes: readonly Misspelling[]): fc.Arbitrary<PatchedDocument> {
  const choice = fc.record<Choice>({
    op: fc.constantFrom("add", "add", "remove", "replace", "test", "move", "copy"),
    target: fc.nat(),
    source: fc.nat(),
    key: keys,
    value,
    misspell: fc.oneof(
      { weight: 30, arbitrary: fc.constant(unchanged) },
      { weight: 1, arbitrary: fc.constantFrom(...mistakes) },
    ),
  });
  const choices = fc.array(choice, { minLength: 1, maxLength: 6 });
  return fc.record({ document: object, choices }).map(({ document, choices }) => {
    const operations: Operation[] = [];
    let current: JsonValue = document;
    for (const chosen of choices) {
      const operation = chosen.misspell(operationFor(current, chosen));
      operations.push(operation);
      current = documentAfter(current, operation);
    }
    return { document, operations };
  });
}

function operationFor(document: JsonValue, { op, target, source, key, value }: Choice): Operation {
  const places = placesIn(document);
  const place = places[target % Math.max(places.length, 1)];
  if (place === undefined || op === "add")
    return { op: "add", path: freePlace(document, target, key), value: spelled(value) };
  if (op === "remove") return { op, path: place.pointer };
  if (op === "replace") return { op, path: place.pointer, value: spelled(value) };
  if (op === "test")
    return { op, path: place.pointer, value: spelled(target % 16 === 0 ? value : place.value) };
  const from = places[source % places.length]?.pointer ?? place.pointer;
  return { op, from, path: freePlace(op === "move" ? without(document, from) : document, target, key) };
}

/** A pointer where a value can be added: a key of an object, or an index or the end of a list. */
function freePlace(document: JsonValue, target: number, key: string): string {
  const containers = containersIn(document);
  const { pointer, value } = containers[target % containers.length] as Place;
  if (isJsonObject(value)) return `${pointer}/${escapedToken(key)}`;
  const length = (value as readonly JsonValue[]).length;
  return `${pointer}/${target % 3 === 0 ? "-" : target % (length + 1)}`;
}

function without(document: JsonValue, pointer: string): JsonValue {
  return documentAfter(document, { op: "remove", path: pointer });
}

/** The document after an operation; unchanged if the library refuses the operation or the result is a scalar. */
function documentAfter(document: JsonValue, operation: Operation): JsonValue {
  const after = outcomeOf(() => patchedByLibrary(document, operation));
  return isAccepted(after) && isContainer(after.value) ? after.value : document;
}

function isContainer(value: unknown): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

/** A value as JSON text that is escaped as Go does, because `test` compares text. */
function spelled(value: JsonValue): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026");
}

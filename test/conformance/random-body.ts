import { stringify as toYaml } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { Random } from "./random.ts";

/** Values that have crashed servers. */
const nasty: readonly string[] = [
  ...[
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "1e400",
    "9223372036854775808",
    '""',
    "[]",
    "{}",
    "[[]]",
    '[{"a":[null]}]',
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\u2028"',
    '"😀"',
    '"a/b"',
    '".."',
    '"%2e"',
    '"1Gi"',
  ],
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1}'],
  ...['"2026-01-01T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"99999-01-01T00:00:00Z"', `"${"x".repeat(300)}"`],
  ...[
    '{"matchLabels":{"a":"b"}}',
    '"$patch"',
    '{"$patch":"delete"}',
    '{"$retainKeys":["a"]}',
    '"-----BEGIN"',
    '"=="',
  ],
  `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
];
const nastyKeys: readonly string[] = [
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "0",
    "a.b/c",
    "$patch",
    "$setElementOrder/a",
    "é",
  ],
  ...[
    "metadata",
    "items",
    "kind",
    "apiVersion",
    "spec",
    "status",
    "name",
    "resourceVersion",
    "ownerReferences",
    "finalizers",
  ],
];
/** A placeholder in a tree for text that only handwritten JSON can contain. */
class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
type Tree = JsonValue | Literal | readonly Tree[] | { readonly [key: string]: Tree };

/** The object as text of JSON, with some of its parts replaced by others. */
export function mutatedJson(random: Random, object: JsonValue, mutations: number): string {
  let tree: Tree = object;
  for (let count = 0; count < mutations; count += 1) tree = mutated(random, tree);
  return write(tree);
}

function mutated(random: Random, tree: Tree): Tree {
  if (tree instanceof Literal || typeof tree !== "object" || tree === null || random.chance(10)) {
    return new Literal(random.pick(nasty));
  }
  const entries: [string, Tree][] = Object.entries(tree);
  if (entries.length === 0 || random.chance(15))
    entries.push([random.pick(nastyKeys), new Literal(random.pick(nasty))]);
  const at = random.below(entries.length);
  const [key = "", value = null] = entries[at] ?? [];
  const change = random.below(100);
  if (change < 10) entries.splice(at, 1);
  else if (change < 20) entries[at] = [random.pick(nastyKeys), value];
  else if (change < 25) entries.push([key, value]);
  else entries[at] = [key, mutated(random, value)];
  if (Array.isArray(tree)) return entries.map(([, item]) => item);
  return new Pairs(entries) as unknown as Tree;
}

/** An object that may have a duplicate key, or a key that assignments treat specially. */
class Pairs {
  readonly #entries: readonly [string, Tree][];

  constructor(entries: readonly [string, Tree][]) {
    this.#entries = entries;
    for (const [key, value] of entries)
      Object.defineProperty(this, key, { value, enumerable: true, configurable: true });
  }

  get text(): string {
    return `{${this.#entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join()}}`;
  }
}

function write(tree: Tree): string {
  if (tree instanceof Literal) return tree.text;
  if (typeof tree !== "object" || tree === null) return JSON.stringify(tree);
  if (Array.isArray(tree)) return `[${tree.map(write).join()}]`;
  if (tree instanceof Pairs) return tree.text;
  return `{${Object.entries(tree)
    .map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`)
    .join()}}`;
}

/** The bytes with some of them changed, removed, duplicated, or truncated. */
export function mutatedBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = [...bytes.subarray(0, 20_000)];
  for (let count = random.below(6); count >= 0; count -= 1) {
    const at = random.below(changed.length + 1);
    switch (random.below(5)) {
      case 0:
        changed.length = Math.min(changed.length, at);
        break;
      case 1:
        changed.splice(at, random.below(4));
        break;
      case 2:
        changed.splice(at, 0, ...changed.slice(at, at + random.below(20)));
        break;
      default:
        changed[Math.min(at, Math.max(0, changed.length - 1))] = random.below(256);
    }
  }
  return Uint8Array.from(changed);
}

/** JSON text as YAML, if it is valid JSON. */
export function yamlOf(json: string): string {
  try {
    return toYaml(JSON.parse(json), { aliasDuplicateObjects: false });
  } catch {
    return json;
  }
}

/** A patch that could belong to the object. */
export function patchOf(random: Random, type: string, object: JsonObject): JsonValue {
  if (!type.startsWith("application/json-patch")) return partOf(random, object);
  const paths = pointersOf(object, "");
  return Array.from({ length: 1 + random.below(3) }, () => ({
    op: random.pick(["add", "remove", "replace", "move", "copy", "test", "constructor"]),
    path: random.pick([...paths, "", "/", "/__proto__/x", "/metadata/labels/a~1b", "/spec/-", "/data/0"]),
    from: random.pick([...paths, "/__proto__"]),
    value: random.pick<JsonValue>([null, "x", 1, {}, [], { a: "b" }]),
  }));
}

function partOf(random: Random, object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(() => random.chance(60));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isJsonObject(value) ? partOf(random, value) : value]),
  );
}

function pointersOf(value: JsonValue, at: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, item]) =>
    pointersOf(item, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [at, ...below].slice(0, 50);
}

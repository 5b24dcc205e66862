import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";

/** Compares two objects: the JSON patch that makes the second one of the first. */
export type Compare = (before: JsonObject, after: JsonObject) => readonly JsonObject[];

/** The comparison. It loads a library that few clusters need. */
export async function loadCompare(): Promise<Compare> {
  const { default: library } = await import("fast-json-patch");
  return (before, after) => {
    // The library compares what JSON.stringify can write.
    const operations = library.compare(asObject(marked(before)), asObject(marked(after)));
    return operations.map((operation) =>
      "value" in operation
        ? { op: operation.op, path: operation.path, value: unmarked(operation.value) }
        : { op: operation.op, path: operation.path },
    );
  };
}

/** Before the digits of a number that only a bigint holds. */
const mark = "\u0000bigint:";

function marked(value: JsonValue): JsonValue {
  return mapped(value, (leaf) => (typeof leaf === "bigint" ? mark + leaf : leaf));
}

function unmarked(value: JsonValue): JsonValue {
  return mapped(value, (leaf) =>
    typeof leaf === "string" && leaf.startsWith(mark) ? BigInt(leaf.slice(mark.length)) : leaf,
  );
}

function mapped(value: JsonValue, change: (leaf: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapped(item, change));
  if (!isJsonObject(value)) return change(value);
  const copy: MutableJsonObject = {};
  for (const [key, member] of Object.entries(value)) setKey(copy, key, mapped(member, change));
  return copy;
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

import { isJsonObject, type JsonValue } from "../json.ts";
import { sortedKeys } from "../text-order.ts";
import { goJson } from "./go-json.ts";
import { goQuote } from "./go-quote.ts";
import type { GoPointer, GoScalar, GoShape, GoStruct } from "./go-shape.ts";
import { goDate } from "./go-time.ts";
import { goNumber } from "./go-value.ts";

/** Formats a value as Go's `%#v` does. An empty list or map was sent; those in storage are omitted and so read as nil. */
export function goShapeText(shape: GoShape, value: JsonValue | undefined): string {
  switch (shape.kind) {
    case "pointer":
      return pointerText(shape, value);
    case "struct":
      return structText(shape, value);
    case "slice": {
      if (!Array.isArray(value)) return `${shape.type}(nil)`;
      const items = value.map((item: JsonValue) => goShapeText(shape.element, item));
      return `${shape.type}{${items.join(", ")}}`;
    }
    case "map": {
      if (!isJsonObject(value)) return `${shape.type}(nil)`;
      const entries = sortedKeys(value).map(
        (key) => `${goQuote(key)}:${goShapeText(shape.values, value[key])}`,
      );
      return `${shape.type}{${entries.join(", ")}}`;
    }
    default:
      return scalarText(shape, value);
  }
}

function scalarText({ kind }: GoScalar, value: JsonValue | undefined): string {
  switch (kind) {
    case "text":
      return goQuote(typeof value === "string" ? value : "");
    case "number":
      return typeof value === "bigint" ? String(value) : goNumber(typeof value === "number" ? value : 0);
    case "boolean":
      return String(value === true);
    case "time":
      return goDate(value) ?? "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)";
    case "raw":
      return `runtime.RawExtension{Raw:${rawBytes(value)}, Object:runtime.Object(nil)}`;
  }
}

function rawBytes(value: JsonValue | undefined): string {
  if (value === undefined) return "[]uint8(nil)";
  const bytes = [...new TextEncoder().encode(goJson(value))].map((byte) => `0x${byte.toString(16)}`);
  return `[]uint8{${bytes.join(", ")}}`;
}

/** Go prints the address of a pointer within a value, which cannot be known and has no meaning. Times print themselves. */
function pointerText({ target, to }: GoPointer, value: JsonValue | undefined): string {
  const isNil = value === undefined || value === null;
  if (to.kind === "time") return isNil ? "<nil>" : scalarText(to, value);
  return `(*${target})(${isNil ? "nil" : "0xc000000000"})`;
}

function structText(shape: GoStruct, value: JsonValue | undefined): string {
  const fields = shape.fields().map(({ name, read, shape: of }) => `${name}:${goShapeText(of, read(value))}`);
  return `${shape.type}{${fields.join(", ")}}`;
}

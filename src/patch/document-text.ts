import {
  DuplicateKeys,
  isPlainJson,
  NumberLiteral,
  type ParsedJson,
} from "../apimachinery/go/parsed-json.ts";
import { encodeJson } from "../codec/json/json.ts";

/** A patched document as JSON text. Keeps numbers as they were sent and repeated keys. */
export function documentText(value: ParsedJson): string {
  if (isPlainJson(value)) return encodeJson(value);
  if (value instanceof NumberLiteral) return value.text;
  if (Array.isArray(value)) return `[${value.map(documentText).join(",")}]`;
  // Every other kind of value returned above, so this is an object.
  const entries = value instanceof DuplicateKeys ? value.entries : Object.entries(value as object);
  return `{${entries.map(([key, item]) => `${encodeJson(key)}:${documentText(item)}`).join(",")}}`;
}

import { DecodeError } from "../../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseJson } from "../../../codec/json/json.ts";

/** The JSON value of an annotation; undefined if it is missing or malformed, which upstream ignores. */
export function parsedAnnotation<T>(
  { metadata }: Pick<KubeObject, "metadata">,
  name: string,
  read: (value: JsonValue) => T | undefined,
): T | undefined {
  const text = metadata.annotations?.[name];
  if (text === undefined) return undefined;
  try {
    return read(parseJson(text));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

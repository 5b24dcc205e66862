import { isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject } from "../json.ts";

/** The value at the field of an error, such as `spec.containers[0].name`; undefined if there is none. */
export function valueAtField(object: JsonObject, field: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const [, inBrackets, name] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const key = inBrackets ?? name ?? "";
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/**
 * A value with the empty lists and maps that the client has sent and that storage leaves out: in Go, they are not nil while an
 * object is validated.
 */
export function withEmptyValues(
  value: JsonValue | undefined,
  sent: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined || value === null) return isEmpty(sent) ? sent : value;
  if (Array.isArray(value) && Array.isArray(sent)) {
    // Another length means that defaulting or a client's removal has moved the elements.
    return value.length === sent.length
      ? value.map((item: JsonValue, at) => withEmptyValues(item, sent[at]) ?? item)
      : value;
  }
  if (!isJsonObject(value) || !isJsonObject(sent)) return value;
  const shown: MutableJsonObject = { ...value };
  for (const key of Object.keys(sent)) {
    const inner = withEmptyValues(value[key], sent[key]);
    if (inner !== undefined) shown[key] = inner;
  }
  return shown;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

import type { GoScalar, GoShape, GoStruct, GoStructField } from "../apimachinery/go/go-shape.ts";
import type { JsonValue } from "../apimachinery/json.ts";

export const text: GoScalar = { kind: "text" };
export const number: GoScalar = { kind: "number" };

/** A struct whose fields are computed once. */
export function structShape(type: string, makeFields: () => readonly GoStructField[]): GoStruct {
  let fields: readonly GoStructField[] | undefined;
  return {
    kind: "struct",
    type,
    fields: () => {
      fields ??= makeFields();
      return fields;
    },
    isWhole: false,
  };
}

/** A field whose value is computed from the struct. */
export function computed(name: string, shape: GoShape, read: (value: JsonValue) => JsonValue): GoStructField {
  return { name, shape, read: (value) => (value === undefined || value === null ? undefined : read(value)) };
}

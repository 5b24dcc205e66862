import type { JsonValue } from "../json.ts";

/** The parts of a Go type that comparing and printing its values need. JSON omits zero values, so undefined is zero. */
export type GoShape = GoScalar | GoPointer | GoStruct | GoSlice | GoMap;

/** Finds a Go type by its name: `core.Taint`, `[]core.Taint`, `map[string]string`. @throws {Error} if there is none */
export type GoTypes = (name: string) => GoShape;

/** For errors that show no value by its Go type. */
export const noGoTypes: GoTypes = (name) => {
  throw new Error(`the Go type ${name} is not known here`);
};

export interface GoScalar {
  /** `raw` is a `runtime.RawExtension`, which keeps the JSON that was sent. */
  readonly kind: "text" | "number" | "boolean" | "time" | "raw";
}

export interface GoPointer {
  readonly kind: "pointer";
  /** The name of the type that it points to: `int32`, `core.Probe`. */
  readonly target: string;
  readonly to: GoShape;
}

export interface GoStruct {
  readonly kind: "struct";
  /** The name with its package: `core.PodSpec`. */
  readonly type: string;
  /** A function, because types can be recursive. */
  readonly fields: () => readonly GoStructField[];
  /** The type has an `Equal` method, so its values are compared as a whole. */
  readonly isWhole: boolean;
}

export interface GoStructField {
  readonly name: string;
  /** The value of the field; undefined if it is zero. */
  readonly read: (value: JsonValue | undefined) => JsonValue | undefined;
  readonly shape: GoShape;
  /** The field is embedded: in JSON it has no name, and its fields belong to the struct. */
  readonly isEmbedded?: boolean;
  /** The JSON tag of the field. Internal types have none. */
  readonly tag?: { readonly name: string; readonly omitsZero: boolean };
}

export interface GoSlice {
  readonly kind: "slice";
  /** `[]core.Toleration`, or the name of a slice type. */
  readonly type: string;
  readonly element: GoShape;
}

export interface GoMap {
  readonly kind: "map";
  /** `map[string]string`, or the name of a map type. */
  readonly type: string;
  /** Diffs mark the keys of types with a `String()` method. */
  readonly keyMark: "" | "s";
  readonly values: GoShape;
}

/** Whether the value is zero in Go. Empty lists and maps are not stored, so those that are present have items. */
export function isZeroValue(shape: GoShape, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (shape.kind === "struct") {
    return shape.fields().every((field) => isZeroValue(field.shape, field.read(value)));
  }
  return shape.kind !== "pointer" && (value === "" || value === 0 || value === false);
}

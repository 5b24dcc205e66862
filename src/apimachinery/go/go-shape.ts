import type { JsonValue } from "../json.ts";

/** A Go type as far as its values can be told apart and printed. JSON leaves out what is zero, which reads as undefined. */
export type GoShape = GoScalar | GoPointer | GoStruct | GoSlice | GoMap;

export interface GoScalar {
  readonly kind: "text" | "number" | "boolean";
}

export interface GoPointer {
  readonly kind: "pointer";
  readonly to: GoShape;
}

export interface GoStruct {
  readonly kind: "struct";
  /** With its package: `core.PodSpec`. */
  readonly type: string;
  /** Types may hold themselves, so fields are made when they are asked for. */
  readonly fields: () => readonly GoStructField[];
  /** It has an `Equal` of its own, so nobody looks into it to compare it. */
  readonly isWhole: boolean;
}

export interface GoStructField {
  readonly name: string;
  /** Gives the field of a value; undefined if it is zero. */
  readonly read: (value: JsonValue | undefined) => JsonValue | undefined;
  readonly shape: GoShape;
  /** It has no name of its own: what it holds is held by the structure as well. */
  readonly isEmbedded?: boolean;
}

export interface GoSlice {
  readonly kind: "slice";
  /** `[]core.Toleration` */
  readonly type: string;
  readonly element: GoShape;
}

export interface GoMap {
  readonly kind: "map";
  /** `map[string]string`, or the name of a type that is one. */
  readonly type: string;
  /** Keys of a type with a `String()` method are marked in diffs. */
  readonly keyMark: "" | "s";
  readonly values: GoShape;
}

/** Whether Go would call a value zero. Empty lists and maps are not kept, so all that are there have something in them. */
export function isZeroValue(shape: GoShape, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (shape.kind === "struct") {
    return shape.fields().every((field) => isZeroValue(field.shape, field.read(value)));
  }
  return shape.kind !== "pointer" && (value === "" || value === 0 || value === false);
}

import type { Range } from "../environment/estimates.ts";

/** A step from a variable to a value in it: the name of a field, `@items`, `@indices`, `@keys` or `@values`. */
export type PathElement = string;

/** The size that a schema declares for the values at a path; undefined if it declares none. */
export type SizeOfPath = (path: readonly PathElement[]) => Range | undefined;

/** The sizes of the keys, or the indices, and the values of a container. */
export interface EntrySizes {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

import type { Release } from "../../../apimachinery/release.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";

/** What an update may keep although a new definition must not have it, because the stored definition has it. */
export type Tolerance = "types" | "schemas" | "structure" | "unprunedDefaults" | "sets" | "mapKeys";

export type Tolerances = ReadonlySet<Tolerance>;

/** The place of a schema, on which its rules depend. */
export interface SchemaPlace {
  readonly path: string;
  readonly isRoot: boolean;
  readonly isInMetadata: boolean;
  /** Why the schema may have no default; undefined if it may. */
  readonly noDefaults: string | undefined;
  readonly tolerances: Tolerances;
}

/** The place of the schema of a version. */
export function rootPlace(
  path: string,
  { tolerances, noDefaults }: Pick<SchemaRules, "tolerances" | "noDefaults">,
): SchemaPlace {
  return { path, isRoot: true, isInMetadata: false, noDefaults, tolerances };
}

/** What the schema of a version must fulfil. */
export interface SchemaRules {
  readonly tolerances: Tolerances;
  /** Why the schema may have no default; undefined if it may, and empty if errors do not say why. */
  readonly noDefaults: string | undefined;
  /** Whether the schema must be structural. */
  readonly isStructural: boolean;
  readonly release: Release;
  /** The expressions of the stored definition. */
  readonly storedExpressions: ReadonlySet<string>;
  /** The metadata of resources within objects, by which defaults are validated; undefined for v1beta1. */
  readonly objectMeta: StructSchema | undefined;
}

import type { FieldError } from "../apimachinery/errors/field.ts";
import type { ParsedJson } from "../apimachinery/go/parsed-json.ts";
import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { canonicalize, canonicalizeStored, outline } from "./canonical.ts";
import { withEqualQuantities } from "./equal-quantities.ts";
import { fromUnstructured } from "./from-unstructured.ts";
import type { Converted, Decoded, KindSchema, StructType } from "./kind-schema.ts";
import { decodeInto } from "./typed-decode.ts";

/** The schema of a kind of the release; undefined for a kind that the release does not know. */
export function builtInKindSchema(catalog: Catalog, gvk: GroupVersionKind): KindSchema | undefined {
  return catalog.kind(gvk)?.compiled(builtInSchema);
}

/** The schema of a structure of the catalog. */
export function builtInSchema(struct: StructSchema): KindSchema {
  return new BuiltInSchema(struct);
}

const noErrors: readonly FieldError[] = [];

class BuiltInSchema implements KindSchema {
  readonly type: StructType;
  readonly #struct: StructSchema;

  constructor(struct: StructSchema) {
    this.type = { from: "struct", struct };
    this.#struct = struct;
  }

  decode(value: ParsedJson): Decoded {
    return decodeInto(this.#struct, value);
  }

  fromUnstructured(document: JsonObject): Converted {
    return fromUnstructured(this.#struct, document);
  }

  canonicalize<T extends JsonObject>(object: T, old?: JsonObject): T {
    // The canonical form has the type of the object: it keeps each field that is set, and adds none but zero values.
    return canonicalize(this.#struct, object, old) as T;
  }

  canonicalizeStored<T extends JsonObject>(object: T, old?: JsonObject): T {
    // As in `canonicalize`.
    return canonicalizeStored(this.#struct, object, old) as T;
  }

  outline<T extends JsonObject>(object: T, old?: JsonObject): T {
    // As in `canonicalize`.
    return outline(this.#struct, object, old) as T;
  }

  withEqualQuantities<T extends JsonObject>(old: T, now: JsonObject): T {
    return withEqualQuantities(this.#struct, old, now);
  }

  /** Decoding drops unknown fields. */
  prune(): void {}

  setDefaults(): void {}

  validate(): readonly FieldError[] {
    return noErrors;
  }
}

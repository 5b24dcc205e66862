import { fieldRequired } from "../../src/apimachinery/errors/field.ts";
import { plainJson, StrictErrors } from "../../src/apimachinery/go/parsed-json.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../src/apimachinery/json.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import type { StructSchema } from "../../src/catalog/type-schema.ts";
import { canonicalizeUntyped } from "../../src/schema/canonical.ts";
import type { KindSchema } from "../../src/schema/kind-schema.ts";

/** The structure of ObjectMeta, which custom resources share with built-in kinds. */
function objectMeta(): StructSchema {
  const schema = catalogOf({ release: "1.32" }).type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (schema?.type !== "struct") throw new Error("there is no ObjectMeta");
  return schema;
}

/**
 * A kind without a Go structure: besides kind, apiVersion and metadata its objects have the top-level fields
 * `properties`, of which `size` is 1 by default and `owner` is required.
 */
export function toySchema(properties: JsonObject): KindSchema {
  const names = new Set(["apiVersion", "kind", "metadata", ...Object.keys(properties)]);
  const prune = (object: MutableJsonObject): void => {
    for (const name of Object.keys(object)) if (!names.has(name)) delete object[name];
  };
  const canonicalize: KindSchema["canonicalize"] = <T extends JsonObject>(object: T): T =>
    // Sorting keys takes nothing away.
    canonicalizeUntyped(object) as T;
  return {
    type: {
      from: "openApi",
      openApiSchema: { type: "object", properties },
      preserveUnknownFields: false,
      objectMeta: objectMeta(),
    },
    decode: (value) => {
      const errors = new StrictErrors();
      const sent = plainJson(value, errors);
      const object: MutableJsonObject = isJsonObject(sent) ? { ...sent } : {};
      for (const name of Object.keys(object)) if (!names.has(name)) errors.add("unknown field", name);
      prune(object);
      return { object, strictErrors: errors.list() };
    },
    fromUnstructured: (document) => {
      const unknownFields = Object.keys(document).filter((name) => !names.has(name));
      const object = { ...document };
      prune(object);
      return { object, unknownFields: unknownFields.map((name) => `unknown field "${name}"`).sort() };
    },
    canonicalize,
    canonicalizeStored: canonicalize,
    outline: canonicalize,
    withEqualQuantities: (old) => old,
    prune,
    setDefaults: (object) => {
      if ("size" in properties) object.size ??= 1;
    },
    validate: (object) => (object.owner === undefined ? [fieldRequired("owner")] : []),
  };
}

import type { Catalog } from "./catalog.ts";
import type { StructSchema } from "./type-schema.ts";

/** The type of the metadata of objects. */
export function objectMetaOf(catalog: Catalog): StructSchema {
  const type = catalog.type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (type?.type !== "struct") throw new Error(`${catalog.release} has no ObjectMeta`);
  return type;
}

import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { structSchema } from "../catalog/struct-schema.ts";
import type { FieldSchema, StructSchema } from "../catalog/type-schema.ts";

const anyListKind: GroupVersionKind = { group: "", version: "v1", kind: "NamespaceList" };

/** The schema of the list of a kind that the catalog does not have. All lists differ in their items alone. */
export function listSchema(list: GroupVersionKind, items: StructSchema, catalog: Catalog): StructSchema {
  const template = catalog.kind(anyListKind);
  if (template === undefined) throw new Error(`${catalog.release} has no ${anyListKind.kind}`);
  const fields = template.fields.map((field): FieldSchema => {
    const own = { ...field, declaredBy: list.kind };
    return field.name === "items" ? { ...own, schema: { type: "list", items, message: undefined } } : own;
  });
  return structSchema({
    name: list.kind,
    gv: { group: list.group, version: list.version },
    typeMeta: true,
    fields,
    message: [],
    mapType: undefined,
    unions: [],
  });
}

import type { StructSchema } from "../../catalog/type-schema.ts";
import { type KindSchema, requiredStruct } from "../../schema/kind-schema.ts";

/** The struct of the field `spec` of a built-in kind. */
export function specOf(kind: KindSchema): StructSchema {
  return structOf(requiredStruct(kind), "spec");
}

/** @throws {Error} if the field is not a struct or a list of structs */
export function structOf(owner: StructSchema, name: string): StructSchema {
  const found = owner.field(name)?.schema;
  const schema = found?.type === "list" ? found.items : found;
  if (schema?.type !== "struct") throw new Error(`${owner.name} has no structure ${name}`);
  return schema;
}

import type { FieldSchema, StructSchema } from "./type-schema.ts";

/** What is computed from a structure once and kept with it: plans to decode and print it, its protobuf readers and writers. */
export class Compilations {
  readonly #results = new Map<(schema: StructSchema) => unknown, unknown>();

  /** The result of `compile` for `schema`, which owns these compilations. */
  of<T>(schema: StructSchema, compile: (schema: StructSchema) => T): T {
    // The map stores the result of each function under the function.
    const known = this.#results.get(compile) as T | undefined;
    if (known !== undefined) return known;
    const made = compile(schema);
    this.#results.set(compile, made);
    return made;
  }
}

/** A structure whose fields are all known. */
export function structSchema(parts: Omit<StructSchema, "type" | "field" | "compiled">): StructSchema {
  const compilations = new Compilations();
  const fields: ReadonlyMap<string, FieldSchema> = new Map(parts.fields.map((field) => [field.name, field]));
  const schema: StructSchema = {
    ...parts,
    type: "struct",
    field: (name) => fields.get(name),
    compiled: (compile) => compilations.of(schema, compile),
  };
  return schema;
}

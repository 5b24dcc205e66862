import type { FieldEntry } from "./catalog-file.ts";

const packedField = /^([^:]+):([^#!*+^@{]+)(?:#(\d*))?([!*+^@]*)(.*)$/;

/**
 * Reads the fields of a type as `tools/packers/catalog.mjs` writes them, in the order of declaration. A field is its name and
 * its type, `metadata:meta/v1.ObjectMeta`. What may follow, in this order: `#3` is its number in protobuf, which is one
 * more than that of the previous field if omitted, and `#` alone means that it has none; `!` is required, `*` ptr, `+` emit,
 * `^` inline and `@` an atomic list; everything else is JSON with single quotes and without spaces.
 */
export function* unpackFields(packed: string): Generator<[name: string, field: FieldEntry]> {
  let previous = 0;
  for (const text of packed === "" ? [] : packed.split(" ")) {
    const [, name, type, number = String(previous + 1), flags = "", others] = packedField.exec(text) ?? [];
    if (name === undefined || type === undefined) throw new Error(`the catalog has a field ${text}`);
    if (number !== "") previous = Number(number);
    yield [
      name,
      {
        type,
        ...(number !== "" && { proto: previous }),
        ...(flags.includes("!") && { required: true }),
        ...(flags.includes("*") && { ptr: true }),
        ...(flags.includes("+") && { emit: true }),
        ...(flags.includes("^") && { inline: true }),
        ...(flags.includes("@") && { list: "atomic" as const }),
        ...(others && JSON.parse(others.replaceAll("'", '"'))),
      },
    ];
  }
}

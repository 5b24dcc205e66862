import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packedCatalog, packedFiles } from "../../tools/pack-catalog.mjs";
import { builtinCatalog } from "./builtin.ts";
import { catalogFile } from "./catalog-file.ts";
import { unpackFields } from "./packed-fields.ts";

const directory = fileURLToPath(new URL("generated", import.meta.url));

test("the packed catalog is what its generator makes of the files", () => {
  expect(builtinCatalog).toBe(packedCatalog(directory));
});

test.each(packedFiles(directory))(
  "what is packed of %s comes out as it went in, in the same order",
  (name) => {
    const { types, ...rest } = JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
    const packed = catalogFile(name.replace(/_(v\w+)\.json$/, "/$1"));
    const unpacked = Object.entries(packed?.types ?? {}).map(([type, { fields, ...others }]) => {
      return [type, others, [...unpackFields(fields)]];
    });
    const given = Object.entries<{ fields?: object }>(types).map(([type, { fields = {}, ...others }]) => {
      return [type, others, Object.entries(fields)];
    });
    expect({ ...packed, types: unpacked }).toEqual({ ...rest, types: given });
  },
);

import { expect, test } from "vitest";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import type { KindDefinition } from "./contract/kind-definition.ts";
import { printerOf, tableShape } from "./table-shape.ts";

const columns = [{ name: "Name", type: "string", format: "name", priority: 0 }];
const printing = (name: string): Printer => ({ cells: () => [name] });
const [printer, newer, ofVersion] = [printing("old"), printing("new"), printing("v2")];
const definition: KindDefinition = { group: "g", resource: "things", kind: "Thing", printer };
const renewed: KindDefinition = { ...definition, newerPrinter: { since: "1.33", printer: newer } };
const versioned: KindDefinition = {
  ...definition,
  printerOf: (version) => (version === "v2" ? ofVersion : undefined),
};

test.each<[string, KindDefinition, "1.32" | "1.33", string, Printer]>([
  ["of its kind", definition, "1.32", "v1", printer],
  ["of older releases", renewed, "1.32", "v1", printer],
  ["of newer releases", renewed, "1.33", "v1", newer],
  ["of its version", versioned, "1.32", "v2", ofVersion],
  ["of its kind, if its version has none", versioned, "1.32", "v1", printer],
])("a Table has the printer %s, and the columns of the catalog", (_of, kind, release, version, expected) => {
  const shape = tableShape(kind, columns, release, version);
  expect(shape.printer).toBe(expected);
  expect(shape.columns).toMatchObject(columns);
});

test.each([
  ["without a definition", undefined],
  ["without a printer", { group: "g", resource: "things", kind: "Thing" }],
])("a Table of a kind %s shows the creation time", (_title, kind) => {
  const shape = tableShape(kind, columns, "1.32", "v1");
  expect(shape.printer).toBe(defaultPrinter);
  expect(shape.columns.map(({ name }) => name)).toEqual(["Name", "Created At"]);
});

test("a kind may have no printer", () => {
  expect(printerOf({ group: "g", resource: "things", kind: "Thing" }, "1.32")).toBeUndefined();
});

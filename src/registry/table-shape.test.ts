import { expect, test } from "vitest";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import type { KindRules } from "./contract/kind-definition.ts";
import { printerOf, tableShape } from "./table-shape.ts";

const columns = [{ name: "Name", type: "string", format: "name", priority: 0 }];
const printing = (name: string): Printer => ({ cells: () => [name] });
const [printer, newer, ofVersion] = [printing("old"), printing("new"), printing("v2")];
const rules: KindRules = { printer };
const renewed: KindRules = { ...rules, newerPrinter: { since: "1.33", printer: newer } };
const versioned: KindRules = {
  ...rules,
  printerOf: (version) => (version === "v2" ? ofVersion : undefined),
};

test.each<[string, KindRules, "1.32" | "1.33", string, Printer | undefined]>([
  ["of its kind", rules, "1.32", "v1", printer],
  ["of older releases", renewed, "1.32", "v1", printer],
  ["of newer releases", renewed, "1.33", "v1", newer],
  ["of its version", versioned, "1.32", "v2", ofVersion],
  ["of its kind, if its version has none", versioned, "1.32", "v1", printer],
  ["of nothing, if its kind has none", {}, "1.32", "v1", undefined],
])("a Table has the printer %s", (_of, kind, release, version, expected) => {
  expect(printerOf(kind, release, version)).toBe(expected);
});

test("a Table with a printer has the columns of the catalog", () => {
  const shape = tableShape(printer, columns);
  expect(shape.printer).toBe(printer);
  expect(shape.columns).toMatchObject(columns);
});

test("a Table without a printer shows the creation time", () => {
  const shape = tableShape(undefined, columns);
  expect(shape.printer).toBe(defaultPrinter);
  expect(shape.columns.map(({ name }) => name)).toEqual(["Name", "Created At"]);
});

import { expect, test } from "vitest";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import { tableShape } from "./table-shape.ts";

const columns = [{ name: "Name", type: "string", format: "name", priority: 0 }];
const printer: Printer = { cells: () => ["x"] };

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

import { isJsonObject, type JsonObject, type JsonValue } from "../src/apimachinery/json.ts";
import type { Release } from "../src/apimachinery/release.ts";
import { printerOf } from "../src/registry/table-shape.ts";
import { viewOf } from "./api-view.ts";

/** The time at which the tests print tables. */
export const printedAt: number = Date.UTC(2030, 0, 1);

const view = viewOf({ release: "1.32" });
const metadata = { name: "x", creationTimestamp: "2029-12-31T23:00:00Z" };

/**
 * The cells of an object, by `group/resource`, without its name and age, which nearly every row has: the object is
 * named x and an hour old.
 */
export function printedCells(
  name: string,
  object: JsonObject,
  release: Release = "1.32",
): readonly JsonValue[] {
  const [resource = "", group = ""] = name.split("/").reverse();
  const definition = view.definitionOf({ group, resource });
  const printer = definition && printerOf(definition, release);
  if (printer === undefined) throw new Error(`${name} has no printer`);
  const own = isJsonObject(object.metadata) ? object.metadata : {};
  const whole = { kind: "", apiVersion: "", ...object, metadata: { ...metadata, ...own } };
  return printer.cells(whole, printedAt).filter((cell) => cell !== "x" && cell !== "60m");
}

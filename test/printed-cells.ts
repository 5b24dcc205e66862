import { isJsonObject, type JsonObject, type JsonValue } from "../src/apimachinery/json.ts";
import type { Release } from "../src/apimachinery/release.ts";
import { builtInPrinter } from "./built-in-printer.ts";

/** The time at which the tests print tables. */
export const printedAt: number = Date.UTC(2030, 0, 1);

const metadata = { name: "x", creationTimestamp: "2029-12-31T23:00:00Z" };

/**
 * The cells of an object, by `group/resource`, without its name and age, which nearly every row has: the object is
 * named x and an hour old.
 */
export async function printedCells(
  name: string,
  object: JsonObject,
  release: Release = "1.32",
): Promise<readonly JsonValue[]> {
  const [resource = "", group = ""] = name.split("/").reverse();
  const printer = await builtInPrinter({ group, resource, version: "" }, release);
  if (printer === undefined) throw new Error(`${name} has no printer`);
  const own = isJsonObject(object.metadata) ? object.metadata : {};
  const whole = { kind: "", apiVersion: "", ...object, metadata: { ...metadata, ...own } };
  return printer.cells(whole, printedAt).filter((cell) => cell !== "x" && cell !== "60m");
}

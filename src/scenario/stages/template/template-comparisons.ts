import { jsonEqual } from "../../../apimachinery/json.ts";
import type { TemplateValue } from "./template-nodes.ts";

/** Whether the first argument equals one of the others (text/template/funcs.go, eq). @throws {Error} for values of different types */
export function comparesEqual([first, ...others]: readonly TemplateValue[]): boolean {
  if (others.length === 0) throw new Error("missing argument for comparison");
  return others.some((other) => {
    const [left, right] = [first ?? null, other ?? null];
    if (left !== null && right !== null && typeOf(left) !== typeOf(right))
      throw new Error("incompatible types for comparison");
    return typeOf(left) === "text" && typeOf(right) === "text"
      ? String(left) === String(right)
      : jsonEqual(left, right);
  });
}

/** Negative, zero or positive. @throws {Error} for values that have no order */
export function compared(left: TemplateValue, right: TemplateValue): number {
  if (typeOf(left) !== typeOf(right)) throw new Error("incompatible types for comparison");
  if (typeof left === "bigint" && typeof right === "bigint") return Number(left - right);
  if (typeOf(left) !== "text") throw new Error("invalid type for comparison");
  const [a, b] = [String(left), String(right)];
  return a < b ? -1 : Number(a > b);
}

/** Numbers of the object are `json.Number`, whose kind is string. */
function typeOf(value: TemplateValue): string {
  return typeof value === "number" || typeof value === "string" ? "text" : typeof value;
}

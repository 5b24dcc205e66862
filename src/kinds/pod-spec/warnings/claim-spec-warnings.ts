import { textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { isInteger } from "../../quantities/resources.ts";

/** Warns about fractional bytes in the storage of a claim. */
export function claimSpecWarnings(spec: JsonObject, path: string): readonly string[] {
  return ["requests", "limits"].flatMap((list) => {
    const field = key(child(path, "resources", list), "storage");
    return fractionWarnings(textAt(spec, "resources", list, "storage"), field);
  });
}

/** Amounts that are certainly integers, as most are. Larger ones may overflow. */
const plainAmount = /^\d{1,5}(?:[KMG]i|[kMG])?$/;

/** Warns about a fractional number of bytes; an empty string is not an amount. */
export function fractionWarnings(amount: string, field: string): readonly string[] {
  if (amount === "" || plainAmount.test(amount) || isInteger(parseQuantity(amount))) return [];
  return [`${field}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
}

import { compareText } from "../text-order.ts";
import { goJson } from "./go-json.ts";
import { goQuote } from "./go-quote.ts";
import { type GoValue, go } from "./go-value.ts";

/** A `sets.String`, which Go prints in the order of its elements. */
export function goStringSet(values: Iterable<string>): GoValue {
  const sorted = [...values].sort(compareText);
  const text = `sets.String{${sorted.map((value) => `${goQuote(value)}:sets.Empty{}`).join(", ")}}`;
  return go.raw(text, goJson(Object.fromEntries(sorted.map((value) => [value, {}]))));
}

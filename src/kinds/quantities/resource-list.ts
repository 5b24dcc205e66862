import { type JsonValue, setKey } from "../../apimachinery/json.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { type Defaulter, sentStruct } from "../defaulting/defaulter.ts";

/** Quantities in whole units or thousandths, the common case, which need no rounding. */
const COARSE = /^\d{1,15}(?:[mkMGTPE]|[KMGTPE]i)?$/;

/** The exponent of the smallest unit of a resource. */
const MILLI = -3;

/** Rounds quantities in these resource lists up to thousandths. */
export function roundedAmounts(...fields: readonly string[]): Defaulter {
  return (struct) => {
    for (const field of fields) {
      const amounts = sentStruct(struct, field);
      for (const name in amounts) {
        const amount = amounts[name] ?? null;
        const whole = rounded(amount);
        if (whole !== amount) setKey(amounts, name, whole);
      }
    }
  };
}

/** Copies the quantities of `source` to `field` for resources that `field` does not have. */
export function amountsFrom(source: string, field: string): Defaulter {
  return (struct) => {
    const amounts = sentStruct(struct, source);
    if (amounts === undefined) return;
    const known = sentStruct(struct, field);
    const target = known ?? {};
    for (const name in amounts) {
      if (!Object.hasOwn(target, name)) setKey(target, name, amounts[name] ?? null);
    }
    if (known === undefined) struct[field] = target;
  };
}

function rounded(amount: JsonValue): JsonValue {
  if (typeof amount !== "string" || COARSE.test(amount)) return amount;
  return parseQuantity(amount).roundUp(MILLI).toString();
}

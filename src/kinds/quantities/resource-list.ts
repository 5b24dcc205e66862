import { type JsonValue, setKey } from "../../apimachinery/json.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { type Defaulter, sentStruct } from "../defaulting/defaulter.ts";

/** Whole amounts and thousandths, which is nearly all: nothing to round. */
const COARSE = /^\d{1,15}(?:[mkMGTPE]|[KMGTPE]i)?$/;

/** The finest amount of a resource is a thousandth. */
const MILLI = -3;

/** Amounts in these maps of resources that are finer than a thousandth are rounded up. */
export function roundedAmounts(...fields: readonly string[]): Defaulter {
  return (struct) => {
    for (const field of fields) {
      const amounts = sentStruct(struct, field);
      for (const name in amounts) setKey(amounts, name, rounded(amounts[name] ?? null));
    }
  };
}

/** Resources that `field` does not name get the amount that `source` has for them. */
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

import type { OptionType } from "../apimachinery/option-checks.ts";
import { parseQuantity, type Quantity } from "../apimachinery/quantity.ts";

/** A quantity as text, which must be given. */
export const quantity: OptionType = {
  accepts: 'a quantity such as "250m" or "64Mi"',
  isRequired: true,
  isValid: (value) => quantityOf(value) !== undefined,
};

/** A quantity of what is used, or of what there is. */
export const amount: OptionType = {
  accepts: 'a quantity such as "250m" or "64Mi" that is not negative',
  isRequired: true,
  isValid: (value) => (quantityOf(value)?.sign ?? -1) >= 0,
};

/** The name of an object of the cluster. */
export const filledText: OptionType = {
  accepts: "text that is not empty",
  isValid: (value) => typeof value === "string" && value !== "",
};

function quantityOf(value: unknown): Quantity | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return parseQuantity(value);
  } catch {
    return undefined;
  }
}

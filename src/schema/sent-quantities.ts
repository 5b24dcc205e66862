import type { JsonObject } from "../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../apimachinery/quantity.ts";

/**
 * The quantities of a decoded object that were not sent in their canonical form, by that form. Go keeps such a quantity
 * as it was sent, and prints it so in validation errors. If an object spells one amount in several ways, the first one
 * stands for all.
 */
export type SentQuantities = ReadonlyMap<string, Quantity>;

/** The exponent of the smallest unit of a resource: defaulting rounds amounts in resource lists up to it. */
const MILLI = -3;

/** Collects the quantities of one decode. */
export class QuantityRecord {
  readonly #sent: Map<string, Quantity> = new Map();

  /** Adds a quantity that is not in its canonical form, and what defaulting may round it to. */
  add(text: string): void {
    const quantity = parseQuantity(text);
    for (const one of [quantity, quantity.roundUp(MILLI)]) {
      const canonical = one.toString();
      if (!this.#sent.has(canonical)) this.#sent.set(canonical, one);
    }
  }

  /** Remembers the quantities as long as the decoded object lives. */
  keepFor(object: JsonObject): void {
    sentQuantities.set(object, this.#sent);
  }
}

const sentQuantities = new WeakMap<JsonObject, SentQuantities>();

/** Says that a copy has the quantities of the decoded object `original`. */
export function keepSentQuantities<T extends JsonObject>(original: JsonObject, copy: T): T {
  const sent = sentQuantities.get(original);
  if (sent !== undefined) sentQuantities.set(copy, sent);
  return copy;
}

/** The quantities of a decoded object; undefined if all were sent in their canonical form. */
export function sentQuantitiesOf(object: JsonObject): SentQuantities | undefined {
  return sentQuantities.get(object);
}

import { DecodeError } from "../../../apimachinery/decode-error.ts";
import { parseQuantity, Quantity } from "../../../apimachinery/quantity.ts";
import type { Library } from "../../environment/declarations.ts";
import { declare, global, member } from "../../environment/declare.ts";
import { type CelType, types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import { double, type Int, intOf } from "../../values/numbers.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, unary } from "../arguments.ts";
import { traversing } from "../costs.ts";
import { type Guard, isInteger, isString } from "../guards.ts";
import { namedType } from "./named-type.ts";

export const quantityType: CelType = namedType("kubernetes.Quantity");

class QuantityValue extends OpaqueValue {
  readonly type = quantityType;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: QuantityValue): boolean {
    return this.quantity.compare(other.quantity) === 0;
  }

  toString(): string {
    return this.quantity.toString();
  }
}

const isQuantity: Guard<QuantityValue> = (value): value is QuantityValue => value instanceof QuantityValue;
const { bool, double: doubleType, int, string } = types;
const pair = [quantityType, quantityType];

/** quantity, isQuantity, and the arithmetic of quantities. */
export const quantities: Library = {
  functions: [
    declare(
      "quantity",
      global("string_to_quantity", [string], quantityType, unary(isString, quantityOf), traversing(0)),
    ),
    declare(
      "isQuantity",
      global(
        "is_quantity_string",
        [string],
        bool,
        unary(isString, (text) => quantityOf(text) instanceof QuantityValue),
        traversing(0),
      ),
    ),
    // Upstream declares it as a global function, although its documentation calls it as a member.
    declare(
      "sign",
      global(
        "quantity_sign",
        [quantityType],
        int,
        unary(isQuantity, ({ quantity }) => quantity.sign),
      ),
    ),
    declare(
      "isGreaterThan",
      member(
        "quantity_is_greater_than",
        pair,
        bool,
        comparing((order) => order > 0),
      ),
    ),
    declare(
      "isLessThan",
      member(
        "quantity_is_less_than",
        pair,
        bool,
        comparing((order) => order < 0),
      ),
    ),
    declare(
      "compareTo",
      member(
        "quantity_compare_to",
        pair,
        int,
        comparing((order) => order),
      ),
    ),
    declare(
      "asApproximateFloat",
      member(
        "quantity_get_float",
        [quantityType],
        doubleType,
        unary(isQuantity, ({ quantity }) => double(quantity.asApproximateFloat())),
      ),
    ),
    declare("asInteger", member("quantity_get_int", [quantityType], int, unary(isQuantity, asInteger))),
    declare(
      "isInteger",
      member(
        "quantity_is_integer",
        [quantityType],
        bool,
        unary(isQuantity, ({ quantity }) => quantity.asInt64() !== undefined),
      ),
    ),
    declare(
      "add",
      member(
        "quantity_add",
        pair,
        quantityType,
        binary(isQuantity, isQuantity, (a, b) => new QuantityValue(a.quantity.add(b.quantity))),
      ),
      member(
        "quantity_add_int",
        [quantityType, int],
        quantityType,
        binary(isQuantity, isInteger, (a, b) => new QuantityValue(a.quantity.add(whole(b)))),
      ),
    ),
    declare(
      "sub",
      member(
        "quantity_sub",
        pair,
        quantityType,
        binary(isQuantity, isQuantity, (a, b) => new QuantityValue(a.quantity.sub(b.quantity))),
      ),
      member(
        "quantity_sub_int",
        [quantityType, int],
        quantityType,
        binary(isQuantity, isInteger, (a, b) => new QuantityValue(a.quantity.sub(whole(b)))),
      ),
    ),
  ],
};

function comparing(result: (order: number) => CelValue) {
  return binary(isQuantity, isQuantity, (a, b) => result(a.quantity.compare(b.quantity)));
}

function quantityOf(text: string): CelValue {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    if (error instanceof DecodeError) return celError(error.message);
    throw error;
  }
}

function asInteger({ quantity }: QuantityValue): CelValue {
  const value = quantity.asInt64();
  return value === undefined ? celError("cannot convert value to integer") : (intOf(value) ?? value);
}

function whole(value: Int): Quantity {
  return new Quantity(BigInt(value), 0, "DecimalExponent");
}

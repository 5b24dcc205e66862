import type { GoShape, GoStruct, GoTypes } from "../apimachinery/go/go-shape.ts";
import type { JsonValue } from "../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../apimachinery/quantity.ts";
import { computed, number, structShape, text } from "./go-shapes.ts";
import type { SentQuantities } from "./sent-quantities.ts";

/** Finds the quantity of a canonical text. */
type Interpret = (text: string) => Quantity;

/** What the field `s` has: the text from parsing, or always one, because upstream has formatted this very variable. */
type CachedText = "parsed" | "formatted";

/**
 * A quantity as Go holds it (apimachinery, pkg/api/resource/quantity.go): the digits and the power of ten as they were
 * sent, and a text only if parsing has found it canonical or the quantity was formatted. Reading from storage parses
 * the canonical text.
 */
export const quantity: GoStruct = quantityShape(parseQuantity, "parsed");

/**
 * A quantity that upstream has formatted before it shows it. Go evaluates the call that makes the detail of an error
 * before it copies the variable into the error.
 */
export const formattedQuantity: GoStruct = quantityShape(parseQuantity, "formatted");

/** The same types, with quantities as they were sent. */
export function showingSentQuantities(types: GoTypes, sent: SentQuantities): GoTypes {
  const interpret: Interpret = (canonical) => sent.get(canonical) ?? parseQuantity(canonical);
  const parsed = quantityShape(interpret, "parsed");
  const formatted = quantityShape(interpret, "formatted");
  const replaced = (shape: GoShape): GoShape => {
    if (shape === quantity) return parsed;
    if (shape === formattedQuantity) return formatted;
    switch (shape.kind) {
      case "pointer":
        return { ...shape, to: replaced(shape.to) };
      case "slice":
        return { ...shape, element: replaced(shape.element) };
      case "map":
        return { ...shape, values: replaced(shape.values) };
      case "struct": {
        const fields = () => shape.fields().map((field) => ({ ...field, shape: replaced(field.shape) }));
        return { ...shape, fields };
      }
      default:
        return shape;
    }
  };
  return (name) => replaced(types(name));
}

function quantityShape(interpret: Interpret, cached: CachedText): GoStruct {
  const read = (field: (quantity: Quantity) => JsonValue) => (value: JsonValue) =>
    field(interpret(String(value)));
  const isDecimal = ({ representation }: Quantity) => representation === "decimal";
  const amount = structShape("resource.int64Amount", () => [
    computed(
      "value",
      number,
      read((one) => (isDecimal(one) ? 0 : one.value)),
    ),
    computed(
      "scale",
      number,
      read((one) => (isDecimal(one) ? 0 : one.scale)),
    ),
  ]);
  const decimal = structShape("resource.infDecAmount", () => [
    {
      name: "Dec",
      shape: { kind: "pointer", target: "inf.Dec", to: text },
      read: (value) => (value && isDecimal(interpret(String(value))) ? value : undefined),
    },
  ]);
  const formatted = cached === "formatted" ? String : read(({ cachedText = "" }) => cachedText);
  return {
    ...structShape("resource.Quantity", () => [
      { name: "i", shape: amount, read: (value) => value },
      { name: "d", shape: decimal, read: (value) => value },
      computed("s", text, formatted),
      computed(
        "Format",
        text,
        read(({ format }) => format),
      ),
    ]),
    isWhole: true,
  };
}

import { isJsonObject, type JsonValue } from "../json.ts";
import { sortedKeys } from "../text-order.ts";
import { goJson } from "./go-json.ts";
import { type GoShape, type GoStruct, type GoStructField, isZeroValue } from "./go-shape.ts";

/** Types with a `MarshalJSON` of their own, which write the value as it was read. */
const asWritten: ReadonlySet<string> = new Set(["intstr.IntOrString", "resource.Quantity"]);

/** Formats a value as Go's `json.Marshal` does. Fields without a JSON tag show with Go's names and with zero values. */
export function goShapeJson(shape: GoShape, value: JsonValue | undefined): string {
  switch (shape.kind) {
    case "text":
      return goJson(value ?? "");
    case "number":
      return goJson(value ?? 0);
    case "boolean":
      return goJson(value ?? false);
    case "time":
    case "raw":
      return goJson(value);
    case "pointer":
      return value === undefined || value === null ? "null" : goShapeJson(shape.to, value);
    case "struct":
      if (asWritten.has(shape.type)) return goJson(value ?? (shape.type === "resource.Quantity" ? "0" : 0));
      return `{${membersOf(shape, value).join(",")}}`;
    case "slice":
      if (!Array.isArray(value)) return "null";
      return `[${value.map((item: JsonValue) => goShapeJson(shape.element, item)).join(",")}]`;
    case "map":
      if (!isJsonObject(value)) return "null";
      return `{${sortedKeys(value)
        .map((key) => `${goJson(key)}:${goShapeJson(shape.values, value[key])}`)
        .join(",")}}`;
  }
}

/** The members of an embedded struct become members of the outer one. */
function membersOf(shape: GoStruct, value: JsonValue | undefined): readonly string[] {
  return shape.fields().flatMap((field) => {
    const inner = field.read(value);
    if (field.isEmbedded === true && field.shape.kind === "struct") return membersOf(field.shape, inner);
    if (field.tag?.omitsZero && isOmitted(field, inner)) return [];
    return [`${goJson(field.tag?.name ?? field.name)}:${goShapeJson(field.shape, inner)}`];
  });
}

function isOmitted({ shape }: GoStructField, value: JsonValue | undefined): boolean {
  if (shape.kind === "slice") return !Array.isArray(value) || value.length === 0;
  if (shape.kind === "map") return !isJsonObject(value) || Object.keys(value).length === 0;
  return isZeroValue(shape, value);
}

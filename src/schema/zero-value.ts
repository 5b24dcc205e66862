import type { JsonValue } from "../apimachinery/json.ts";
import type { Schema } from "../catalog/type-schema.ts";

/** Go's zero value of a type, as JSON shows it. */
export function zeroValue(schema: Schema): JsonValue {
  switch (schema.type) {
    case "list":
    case "map":
      return null;
    case "struct":
      return {};
    case "either":
      return schema.alternatives.some((alternative) => alternative.type === "scalar") ? false : null;
    case "scalar":
      break;
  }
  switch (schema.scalar) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "double":
    case "float":
    case "intOrString":
      return 0;
    case "duration":
      return "0s";
    case "quantity":
      return "0";
    case "bytes":
    case "time":
    case "microtime":
    case "rawExtension":
    case "json":
    case "fieldsV1":
    case "unknown":
      return null;
  }
}

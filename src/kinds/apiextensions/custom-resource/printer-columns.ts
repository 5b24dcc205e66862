import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { PrinterColumn } from "../../../catalog/printer-column.ts";

/** A column that shows the value at a JSON path. */
export interface CustomColumn extends PrinterColumn {
  readonly jsonPath: string;
}

const ageColumn: JsonObject = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** The printer columns of a version; the age, if it states none. */
export function printerColumns(version: JsonObject): readonly CustomColumn[] {
  const declared = listAt(version, "additionalPrinterColumns");
  return (declared.length === 0 ? [ageColumn] : declared).map((column) => {
    const jsonPath = textAt(column, "jsonPath") || textAt(column, "JSONPath");
    const own = textAt(column, "description");
    return {
      name: textAt(column, "name"),
      type: textAt(column, "type"),
      format: textAt(column, "format"),
      priority: Number(column["priority"] ?? 0),
      description: own || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
      jsonPath,
    };
  });
}

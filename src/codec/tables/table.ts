import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { PrinterColumn } from "../../catalog/printer-column.ts";
import type { ListMeta } from "../encoding-target.ts";
import { columnDescription } from "./column-descriptions.ts";
import type { Printer } from "./printer.ts";

/** A column definition of a Table. */
export interface TableColumn extends JsonObject {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The common parts of all Tables of a resource. */
export interface TableShape {
  readonly columns: readonly TableColumn[];
  readonly printer: Printer;
}

/** Values of the rows beyond the shape of the Table. */
export interface RowOptions {
  /** The current time for ages, in milliseconds since the epoch. */
  readonly now: number;
  /** The object of a row. */
  readonly object: (object: KubeObject) => JsonValue;
}

/** The shape of a printer. `columns` are the default for a printer without columns. */
export function shapeOf(printer: Printer, columns: readonly PrinterColumn[]): TableShape {
  return { printer, columns: (printer.columns ?? columns).map(tableColumn) };
}

/** A Table, without columns if the client has received them. */
export function table(
  version: string,
  { selfLink, resourceVersion, continue: continueToken, remainingItemCount }: ListMeta,
  columns: readonly TableColumn[] | undefined,
  rows: readonly JsonObject[],
): JsonObject {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {
      ...(selfLink !== undefined && { selfLink }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(continueToken !== undefined && { continue: continueToken }),
      ...(remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: columns ?? null,
    rows,
  };
}

/** A row for each object, in the order of the printer. */
export function tableRows(
  objects: readonly KubeObject[],
  { printer }: TableShape,
  { now, object: shown }: RowOptions,
): JsonObject[] {
  const { cells, conditions: conditionsOf, compare } = printer;
  const sorted = compare === undefined ? objects : objects.toSorted(compare);
  return sorted.map((object) => {
    const conditions = conditionsOf?.(object);
    return {
      cells: cells(object, now),
      ...(conditions !== undefined && { conditions }),
      object: shown(object),
    };
  });
}

/** The object with the metadata that its row shows. */
export function withRowMetadata(object: KubeObject, { printer }: TableShape): KubeObject {
  return printer.metadata === undefined ? object : { ...object, metadata: printer.metadata(object) };
}

function tableColumn({ name, type, format, priority, description }: PrinterColumn): TableColumn {
  return { name, type, format, description: description ?? columnDescription(name), priority };
}

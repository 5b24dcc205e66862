import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import type { PrinterColumn } from "../../catalog/resource-facts.ts";

/** How `kubectl get` shows the objects of a resource. Objects come from storage and may be incomplete. */
export interface Printer {
  /** The columns of a resource that 1.32 does not have, or has otherwise; the catalog has those of all others. */
  readonly columns?: readonly PrinterColumn[];
  /** One cell a column. `now` is what ages are counted up to, in milliseconds since the epoch. */
  readonly cells: (object: KubeObject, now: number) => readonly JsonValue[];
  /** The conditions of a row. */
  readonly conditions?: (object: KubeObject) => readonly JsonObject[] | undefined;
  /** The order of the rows; without it they come as the objects do. */
  readonly compare?: (a: KubeObject, b: KubeObject) => number;
  /** The metadata that upstream's internal version has, where that differs from the stored one. */
  readonly metadata?: (object: KubeObject) => ObjectMeta;
}

/** Columns that are always shown and hold text; the first is the name. */
export function textColumns(...names: readonly string[]): readonly PrinterColumn[] {
  return names.map((name, i) => ({ name, type: "string", format: i === 0 ? "name" : "", priority: 0 }));
}

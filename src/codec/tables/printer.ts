import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import type { PrinterColumn } from "../../catalog/printer-column.ts";

/** How `kubectl get` shows the objects of a resource. Objects come from storage and may be incomplete. */
export interface Printer {
  /** The columns of a resource that is not in 1.32 or has other columns there. The catalog has all other columns. */
  readonly columns?: readonly PrinterColumn[];
  /** One cell per column. `now` is the end of ages, in milliseconds since the epoch. */
  readonly cells: (object: KubeObject, now: number) => readonly JsonValue[];
  /** The conditions of a row. */
  readonly conditions?: (object: KubeObject) => readonly JsonObject[] | undefined;
  /** The order of the rows. Default: the order of the objects. */
  readonly compare?: (a: KubeObject, b: KubeObject) => number;
  /** The metadata of upstream's internal version, if it differs from the stored version. */
  readonly metadata?: (object: KubeObject) => ObjectMeta;
}

/** Text columns that are always shown. The first is the name. */
export function textColumns(...names: readonly string[]): readonly PrinterColumn[] {
  return names.map((name, i) => ({ name, type: "string", format: i === 0 ? "name" : "", priority: 0 }));
}

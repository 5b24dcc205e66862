import { goText } from "../../../apimachinery/go/go-text.ts";
import { humanDuration } from "../../../apimachinery/go/human-duration.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import { textColumns } from "../../../codec/tables/printer.ts";
import type { KindSchema } from "../../../schema/kind-schema.ts";
import { compileJsonPath } from "./json-path.ts";
import type { CustomColumn } from "./printer-columns.ts";

type Cell = (value: JsonValue, now: number) => JsonValue;

const cells: { readonly [type: string]: Cell } = {
  integer: (value) =>
    typeof value === "number" ? Math.trunc(value) : onlyIf(typeof value === "bigint", value),
  number: (value) => onlyIf(typeof value === "number" || typeof value === "bigint", value),
  boolean: (value) => onlyIf(typeof value === "boolean", value),
  string: (value) => (value === null ? null : goText(value)),
  date: (value, now) => (typeof value === "string" ? ageOf(value, now) : null),
};

function onlyIf(holds: boolean, value: JsonValue): JsonValue {
  return holds ? value : null;
}

function ageOf(text: string, now: number): string {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(time) ? "<invalid>" : humanDuration(now - time);
}

/**
 * Shows custom resources in the columns of their definition, after the name. A cell is null if its path leads nowhere or to
 * a value of another type. Upstream: apiextensions-apiserver, pkg/registry/customresource/tableconvertor/tableconvertor.go.
 */
export function customResourcePrinter(columns: readonly CustomColumn[], metadata: KindSchema): Printer {
  const paths = columns.map(({ jsonPath }) => compileJsonPath(jsonPath));
  const [name] = textColumns("Name");
  return {
    columns: [...(name === undefined ? [] : [name]), ...columns],
    metadata: (object) => metadata.canonicalize(object.metadata),
    cells: (object, now) => [
      object.metadata.name ?? "",
      ...columns.map(({ type }, i) => {
        const value = paths[i]?.(object);
        return value === undefined ? null : (cells[type]?.(value, now) ?? null);
      }),
    ],
  };
}

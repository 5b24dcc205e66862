import { formatGroupVersion, type GroupVersionResource } from "../apimachinery/group-version.ts";
// The file does not exist: `tools/packed-files.mjs` makes its text during a build or a test run.
import packed from "./generated/table-columns.json?raw";
import type { PrinterColumn } from "./printer-column.ts";

/** The columns of a kind without a printer. Upstream: `rest.NewDefaultTableConvertor`. */
const defaultColumns: readonly PrinterColumn[] = [
  { name: "Name", type: "string", format: "name", priority: 0 },
  { name: "Created At", type: "date", format: "", priority: 0 },
];

/** A resource of 1.32 with its columns. */
type Entry = readonly [
  groupVersion: string,
  resource: string,
  columns: readonly (readonly [name: string, type: string, format: string, priority: number])[],
];

let known: ReadonlyMap<string, readonly PrinterColumn[]> | undefined;

/**
 * The columns of resources as of 1.32, which few clients want, so that they are not among the other facts. The first of these resources
 * counts that 1.32 has, in this version or in another one of its group; without one, the columns are those of a kind without a printer.
 */
export function tableColumns(resources: readonly GroupVersionResource[]): readonly PrinterColumn[] {
  known ??= recordedColumns();
  for (const gvr of resources) {
    const { group, resource } = gvr;
    const columns = known.get(`${formatGroupVersion(gvr)}/${resource}`) ?? known.get(`${group}/${resource}`);
    if (columns !== undefined) return columns;
  }
  return defaultColumns;
}

/** By group, version and resource, and for the first version of a group that the records list, by group and resource. */
function recordedColumns(): ReadonlyMap<string, readonly PrinterColumn[]> {
  const found = new Map<string, readonly PrinterColumn[]>();
  // The records are our own data; a test reads every entry.
  for (const [groupVersion, resource, entry] of JSON.parse(packed) as readonly Entry[]) {
    const columns = entry.map(([name, type, format, priority]) => ({ name, type, format, priority }));
    const slash = groupVersion.indexOf("/");
    const anyVersion = `${slash < 0 ? "" : groupVersion.slice(0, slash)}/${resource}`;
    found.set(`${groupVersion}/${resource}`, columns);
    if (!found.has(anyVersion)) found.set(anyVersion, columns);
  }
  return found;
}

import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { builtinResourceFacts } from "./builtin.ts";
import { storedAs } from "./storage-version.ts";

/** A column of `kubectl get`. The descriptions are not kept. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 0 for columns that are always shown, 1 for those of `-o wide`. */
  readonly priority: number;
}

/** What a built-in resource does that its types do not tell. As of 1.32, which stands for every release. */
export interface ResourceFacts {
  /** Where its objects are kept: `/registry/services/specs`; namespace and name follow. */
  readonly storagePrefix: string;
  readonly columns: readonly PrinterColumn[];
  /** The field labels a field selector may name. */
  readonly fieldSelectors: readonly string[];
  /** The paths that a write through an endpoint leaves as they were: `main`, or the name of a subresource. */
  readonly resetFields: ReadonlyMap<string, readonly string[]>;
  /** Whether PUT makes an object that is not there. */
  readonly createOnUpdate: boolean;
  /** Whether PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** Whether DELETE answers with the object in place of a Status. */
  readonly deleteReturnsObject: boolean;
}

/** An entry of the packed facts. A missing member has its default value. */
interface FactsEntry {
  readonly groupVersion: string;
  readonly resource: string;
  readonly columns?: readonly (readonly [name: string, type: string, format: string, priority: number])[];
  readonly storageKey?: string;
  readonly fieldSelectors?: readonly string[];
  readonly resetFields?: { readonly [endpoint: string]: readonly string[] };
  readonly createOnUpdate?: boolean;
  readonly unconditionalUpdate?: boolean;
  readonly deleteReturnsObject?: boolean;
}

/** What a server shows of a kind that has no printer. */
const defaultColumns: readonly PrinterColumn[] = [
  { name: "Name", type: "string", format: "name", priority: 0 },
  { name: "Created At", type: "date", format: "", priority: 0 },
];

let known: ReadonlyMap<string, ResourceFacts> | undefined;

/**
 * The facts of a built-in resource. A version that 1.32 does not have borrows those of another version of the
 * group, or of the group it shares its storage with; a resource 1.32 does not have gets the usual ones.
 */
export function resourceFacts(gvr: GroupVersionResource): ResourceFacts {
  known ??= readFacts();
  const home = storedAs(gvr);
  return (
    known.get(`${formatGroupVersion(gvr)}/${gvr.resource}`) ??
    known.get(`${gvr.group}/${gvr.resource}`) ??
    known.get(`${home.group}/${home.resource}`) ??
    factsOf({ groupVersion: formatGroupVersion(gvr), resource: gvr.resource })
  );
}

/** By group, version and resource, and by group and resource alone for the first version listed. */
function readFacts(): ReadonlyMap<string, ResourceFacts> {
  const facts = new Map<string, ResourceFacts>();
  // Our own data; resource-facts.test.ts reads every entry.
  for (const entry of JSON.parse(builtinResourceFacts) as readonly FactsEntry[]) {
    const value = factsOf(entry);
    const slash = entry.groupVersion.indexOf("/");
    const group = slash < 0 ? "" : entry.groupVersion.slice(0, slash);
    facts.set(`${entry.groupVersion}/${entry.resource}`, value);
    const anyVersion = `${group}/${entry.resource}`;
    if (!facts.has(anyVersion)) facts.set(anyVersion, value);
  }
  return facts;
}

function factsOf(entry: FactsEntry): ResourceFacts {
  return {
    storagePrefix: entry.storageKey?.replace(/(\/\{ns\})?\/\{name\}$/, "") ?? `/registry/${entry.resource}`,
    columns:
      entry.columns?.map(([name, type, format, priority]) => ({ name, type, format, priority })) ??
      defaultColumns,
    fieldSelectors: entry.fieldSelectors ?? ["metadata.name", "metadata.namespace"],
    resetFields: new Map(Object.entries(entry.resetFields ?? {})),
    createOnUpdate: entry.createOnUpdate ?? false,
    unconditionalUpdate: entry.unconditionalUpdate ?? true,
    deleteReturnsObject: entry.deleteReturnsObject ?? false,
  };
}

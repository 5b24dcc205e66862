import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { builtinResourceFacts } from "./builtin.ts";

/** What a server does with a resource beyond what its types say. For built-in resources as of 1.32, for every release. */
export interface ResourceFacts {
  /** The prefix of the keys in etcd, such as `/registry/services/specs`; namespace and name follow. */
  readonly storagePrefix: string;
  /** The field labels that a field selector may use. */
  readonly fieldSelectors: readonly string[];
  /** The paths that a write does not change, by endpoint: `main`, or the name of a subresource. Upstream: `GetResetFields`. */
  readonly resetFields: ReadonlyMap<string, readonly string[]>;
  /** Whether PUT creates a missing object. Upstream: `AllowCreateOnUpdate`. */
  readonly createOnUpdate: boolean;
  /** Whether PUT works without a resourceVersion. Upstream: `AllowUnconditionalUpdate`. */
  readonly unconditionalUpdate: boolean;
  /** Whether DELETE returns the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
}

/** An entry of the packed facts. A missing field has its default value. */
interface FactsEntry {
  readonly groupVersion: string;
  readonly resource: string;
  readonly storagePrefix?: string;
  readonly fieldSelectors?: readonly string[];
  readonly resetFields?: { readonly [endpoint: string]: readonly string[] };
  readonly createOnUpdate?: boolean;
  readonly unconditionalUpdate?: boolean;
  readonly deleteReturnsObject?: boolean;
}

/** The recorded facts of built-in resources. */
export class RecordedFacts {
  /** By group, version and resource, and for the first version of a group that the records list, by group and resource. */
  readonly #facts = new Map<string, ResourceFacts>();

  constructor() {
    // The records are our own data; a test reads every entry.
    for (const entry of JSON.parse(builtinResourceFacts) as readonly FactsEntry[]) {
      const facts = factsOf(entry);
      const slash = entry.groupVersion.indexOf("/");
      const group = slash < 0 ? "" : entry.groupVersion.slice(0, slash);
      this.#facts.set(`${entry.groupVersion}/${entry.resource}`, facts);
      const anyVersion = `${group}/${entry.resource}`;
      if (!this.#facts.has(anyVersion)) this.#facts.set(anyVersion, facts);
    }
  }

  /** A version that 1.32 does not have has the facts of another version of its group. */
  of(gvr: GroupVersionResource): ResourceFacts | undefined {
    return (
      this.#facts.get(`${formatGroupVersion(gvr)}/${gvr.resource}`) ??
      this.#facts.get(`${gvr.group}/${gvr.resource}`)
    );
  }
}

/** The facts of a resource without recorded ones: those that most resources have. */
export function defaultFacts(resource: string): ResourceFacts {
  return factsOf({ groupVersion: "", resource });
}

function factsOf(entry: FactsEntry): ResourceFacts {
  return {
    storagePrefix: entry.storagePrefix ?? `/registry/${entry.resource}`,
    fieldSelectors: entry.fieldSelectors ?? ["metadata.name", "metadata.namespace"],
    resetFields: new Map(Object.entries(entry.resetFields ?? {})),
    createOnUpdate: entry.createOnUpdate ?? false,
    unconditionalUpdate: entry.unconditionalUpdate ?? true,
    deleteReturnsObject: entry.deleteReturnsObject ?? false,
  };
}

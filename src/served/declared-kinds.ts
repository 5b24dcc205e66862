import {
  formatGroupResource,
  formatGroupVersion,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from "../apimachinery/group-version.ts";
import { customResourcePriority, type GroupPriority } from "../catalog/group-priority.ts";
import type { DeclaredVersion, ServedKind } from "./served-kind.ts";

/** A group and version with its place in discovery. */
export interface RankedGroupVersion extends GroupVersion {
  readonly priority: GroupPriority;
}

/** The versions of one group and version, by resource and by kind. */
interface DeclaredGroupVersion {
  readonly gv: GroupVersion;
  readonly byResource: Map<string, DeclaredVersion>;
  readonly byKind: Map<string, DeclaredVersion>;
}

/** The kinds that objects in a cluster declare, indexed. Immutable. */
export class DeclaredKinds<K extends ServedKind> {
  readonly #kinds = new Map<string, K>();
  readonly #versions = new Map<string, DeclaredGroupVersion>();

  /** `isTaken`: whether the release itself serves a group and version, so that no kind can be declared in it. */
  constructor(kinds: readonly K[], isTaken: (gv: GroupVersion) => boolean) {
    for (const kind of kinds) {
      this.#kinds.set(formatGroupResource(kind), kind);
      for (const version of kind.served?.versions ?? []) {
        if (!isTaken(version.resource)) this.#add(version);
      }
    }
  }

  #add(version: DeclaredVersion): void {
    const { group, version: name, resource, kind } = version.resource;
    const gv = { group, version: name };
    const key = formatGroupVersion(gv);
    const known = this.#versions.get(key) ?? { gv, byResource: new Map(), byKind: new Map() };
    this.#versions.set(key, known);
    known.byResource.set(resource, version);
    known.byKind.set(kind, version);
  }

  /** The groups and versions in which something is served, with their places in discovery. */
  groupVersions(): readonly RankedGroupVersion[] {
    return [...this.#versions.values()].flatMap(({ gv, byResource }) => {
      const served = [...byResource.values()].filter(({ isServed }) => isServed);
      const priority = served.find((version) => version.priority !== undefined)?.priority;
      return served.length === 0 ? [] : { ...gv, priority: priority ?? customResourcePriority };
    });
  }

  /** The versions in a group and version, by the names of their resources, served or not. */
  versionsIn(gv: GroupVersion): readonly DeclaredVersion[] {
    const byResource = this.#versions.get(formatGroupVersion(gv))?.byResource ?? new Map();
    return [...byResource].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version);
  }

  versionOf(gvr: GroupVersionResource): DeclaredVersion | undefined {
    return this.#versions.get(formatGroupVersion(gvr))?.byResource.get(gvr.resource);
  }

  versionOfKind(gvk: GroupVersionKind): DeclaredVersion | undefined {
    return this.#versions.get(formatGroupVersion(gvk))?.byKind.get(gvk.kind);
  }

  kindOf(gr: GroupResource): K | undefined {
    return this.#kinds.get(formatGroupResource(gr));
  }

  /** The version in which objects of a resource are stored. */
  storedVersionOf(gr: GroupResource): DeclaredVersion | undefined {
    const version = this.kindOf(gr)?.served?.storageVersion;
    return version === undefined
      ? undefined
      : this.versionOf({ group: gr.group, version, resource: gr.resource });
  }
}

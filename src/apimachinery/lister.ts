import type { GroupResource } from "./group-version.ts";
import type { KubeObject } from "./object-meta.ts";

/** Reads of the newest state, for floors that need a little and should not know the registry. */
export interface Lister {
  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined;
  /** The empty namespace lists all of them. */
  list(gr: GroupResource, namespace: string): readonly KubeObject[];
}

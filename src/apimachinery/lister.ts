import type { GroupResource } from "./group-version.ts";
import type { KubeObject } from "./object-meta.ts";

/** Reads the latest state. Low floors use it instead of the registry. */
export interface Lister {
  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined;
  /** The empty namespace lists the objects of all namespaces. */
  list(gr: GroupResource, namespace: string): readonly KubeObject[];
}

import type { Lister } from "../apimachinery/lister.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.ts";

/** The plugins that are on by default, in upstream's order. */
export function defaultPlugins(lister: Lister): readonly AdmissionPlugin[] {
  return [namespaceLifecycle(lister)];
}

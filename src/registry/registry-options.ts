import type { Clock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Store } from "../store/store.ts";
import type { Identifiers } from "./generic/system-fields.ts";

/** What the resources are kept in and made of. */
export interface RegistryOptions {
  readonly catalog: Catalog;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { labelsOf } from "../registry/contract/selection-predicate.ts";
import { stampRevision } from "../registry/contract/system-fields.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import { ApiView } from "../served/api-view.ts";
import { ServedApi } from "../served/served-api.ts";
import { Store } from "../store/store.ts";
import { type BootstrapOptions, bootstrap } from "./bootstrap.ts";
import type { Config } from "./options.ts";

/** The state of a new cluster: the objects that a server without controllers creates when it starts. */
export function newState(config: Config & Pick<BootstrapOptions, "published">): Store<KubeObject> {
  const { clock, historyMilliseconds, historyBytes, watchCapacity, catalog } = config;
  const parameters = { clock, historyMilliseconds, historyBytes, watchCapacity };
  const store = new Store<KubeObject>({ ...parameters, stamp: stampRevision, labelsOf });
  // The definitions of the kinds are loaded with the server. No object of a fresh cluster has a kind of two groups.
  const served = new ServedApi(catalog.derived(withoutDefinitions), store, []);
  bootstrap(new StoredObjects(served, store), config);
  return store;
}

/** The API of a release without the definitions of its kinds. */
function withoutDefinitions(catalog: Catalog): ApiView {
  return ApiView.ofRelease(catalog, []);
}

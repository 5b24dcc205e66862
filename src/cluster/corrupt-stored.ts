import type { KubeObject } from "../apimachinery/object-meta.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { StoredObjectName } from "./contract/release-change-options.ts";
import { servedResource } from "./served-resource.ts";

/** Makes a stored object unreadable. @throws {Error} for a kind that is not served */
export function corruptStored(
  served: ServedApi,
  store: Store<KubeObject>,
  { apiVersion, kind, namespace, name }: StoredObjectName,
): void {
  const resource = servedResource(served.current, apiVersion, kind);
  new StoredObjects(served, store).corrupt(resource, resource.namespaced ? namespace : "", name);
}

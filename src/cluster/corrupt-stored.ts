import type { KubeObject } from "../apimachinery/object-meta.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { ClusterClient } from "./client.ts";
import type { StoredObjectName } from "./contract/release-change-options.ts";
import { servedResource } from "./served-resource.ts";
import type { ClientNames } from "./service-name/client-names.ts";

/** Where a stored object is. */
interface StoredAccess {
  readonly admin: ClusterClient;
  readonly served: ServedApi;
  readonly store: Store<KubeObject>;
  readonly names: ClientNames;
}

/** Makes a stored object unreadable. @throws {StatusError} notFound */
export async function corruptStored(
  named: StoredObjectName,
  { admin, served, store, names }: StoredAccess,
): Promise<void> {
  // The read waits until the cluster is ready: before, the object may not exist yet.
  await admin.get(named.apiVersion, named.kind, named.name, { namespace: named.namespace });
  const { apiVersion, kind, namespace, name } = names.real(named);
  const resource = servedResource(served.current, apiVersion, kind);
  new StoredObjects(served, store).corrupt(resource, resource.namespaced ? namespace : "", name);
}

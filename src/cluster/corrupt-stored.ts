import type { KubeObject } from "../apimachinery/object-meta.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { ClusterClient } from "./client.ts";
import type { StoredObjectName } from "./contract/release-change-options.ts";
import { servedResource } from "./served-resource.ts";
import type { ClientNames } from "./service-name/client-names.ts";

/** What a cluster does with names. */
interface NamingCluster {
  readonly admin: () => ClusterClient;
  readonly names: ClientNames;
}

/** Makes a stored object unreadable. @throws {StatusError} notFound */
export async function corruptStored(
  named: StoredObjectName,
  cluster: NamingCluster,
  { served }: { readonly served: ServedApi },
  store: Store<KubeObject>,
): Promise<void> {
  // The read waits until the cluster is ready: before, the object may not exist yet.
  await cluster.admin().get(named.apiVersion, named.kind, named.name, { namespace: named.namespace });
  const { apiVersion, kind, namespace, name } = cluster.names.real(named);
  const resource = servedResource(served.current, apiVersion, kind);
  new StoredObjects(served, store).corrupt(resource, resource.namespaced ? namespace : "", name);
}

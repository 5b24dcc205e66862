import type { Clock } from "../apimachinery/clock.ts";
import { listAt } from "../apimachinery/fields.ts";
import { formatGroupResource, formatGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { compareText } from "../apimachinery/text-order.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { versionsOf } from "../catalog/served-versions.ts";
import { storageVersion } from "../catalog/storage-version.ts";
import { storageVersionStatus } from "../controllers/storage-version-status.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { ApiView } from "../served/api-view.ts";
import type { ClusterClient } from "./client.ts";
import { leaseNameOf } from "./server-identity.ts";

const storageVersions = { group: "internal.apiserver.k8s.io", resource: "storageversions" };
const apiVersion = "internal.apiserver.k8s.io/v1alpha1";

/** What a server needs to publish its storage versions. */
export interface StorageVersionOptions {
  readonly view: ApiView;
  readonly objects: StoredObjects;
  readonly client: Pick<ClusterClient, "create" | "update">;
  readonly clock: Pick<Clock, "now">;
  /** Which server of its cluster it is. */
  readonly server: number;
}

/** Whether the server publishes its storage versions: the gate alone does not serve the resource. */
export function publishesStorageVersions(view: ApiView): boolean {
  return view.resource({ ...storageVersions, version: "v1alpha1" }) !== undefined;
}

/**
 * Publishes the version in which the server stores each built-in resource, as a StorageVersion. Upstream: apiserver,
 * pkg/storageversion.
 */
export async function publishStorageVersions(options: StorageVersionOptions): Promise<void> {
  const { view, objects, client, clock, server: number } = options;
  const id = leaseNameOf(number, view.catalog.release);
  for (const resource of storedResources(view)) {
    const name = `${resource.group || "core"}.${resource.resource}`;
    const server = { apiServerID: id, ...versionsOfResource(resource, view) };
    const stored = objects.get(storageVersions, "", name);
    const object =
      stored ?? (await client.create({ apiVersion, kind: "StorageVersion", metadata: { name }, spec: {} }));
    // The stored object may be in another form only for kinds with several versions.
    const before = object as KubeObject;
    await client.update({ ...before, status: statusWith(server, before, clock) }, { subresource: "status" });
  }
}

/** The built-in resources with a storage, by group and name. Of those that share one, the first. */
function storedResources(view: ApiView): readonly ApiResource[] {
  const resources = view
    .groupVersions()
    .flatMap((gv) => view.resources(gv))
    .filter((resource) => view.catalog.resource(resource) !== undefined)
    .filter(({ verbs }) => verbs.includes("create") && verbs.includes("list"))
    .sort((a, b) => compareText(a.group, b.group) || compareText(a.resource, b.resource));
  const seen = new Set<string>();
  return resources.filter((resource) => {
    const home = formatGroupResource(view.storedAs(resource));
    const isFirst = !seen.has(home);
    seen.add(home);
    return isFirst;
  });
}

function versionsOfResource(resource: ApiResource, view: ApiView): JsonObject {
  const { release, version } = view.catalog;
  const home = view.storedAs(resource);
  const encoding = storageVersion(home, version);
  const own = { group: resource.group, resource: resource.resource };
  const served = view
    .groupVersions()
    .filter((gv) => gv.group === own.group && view.resource({ ...gv, resource: own.resource }) !== undefined);
  const decodable = [...versionsOf(home, release), ...served, ...(encoding === undefined ? [] : [encoding])];
  return {
    encodingVersion: encoding === undefined ? "" : formatGroupVersion(encoding),
    decodableVersions: [...new Set(decodable.map((gv) => formatGroupVersion(gv)))],
    servedVersions: served.map((gv) => formatGroupVersion(gv)),
  };
}

/** The status with what one server stores besides the others. */
function statusWith(server: JsonObject, object: KubeObject, clock: Pick<Clock, "now">): JsonObject {
  const others = listAt(object, "status", "storageVersions").filter(
    ({ apiServerID }) => apiServerID !== server["apiServerID"],
  );
  return storageVersionStatus([...others, server], object, clock.now());
}

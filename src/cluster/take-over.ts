import { structAt } from "../apimachinery/fields.ts";
import { jsonEqual } from "../apimachinery/json.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { automanagedLabel } from "../kinds/apiregistration/api-service/registration.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { type BootstrapOptions, completeSeed, type Seed, seeds } from "./bootstrap.ts";
import type { ClusterClient } from "./client.ts";
import { ensureFlowControl } from "./flow-control-ensurer.ts";
import { ownSeeds } from "./own-seeds.ts";
import { reconcilePolicy } from "./reconciled-policy.ts";

/**
 * Brings the objects that a server creates up to date when it starts over the storage of another release: it creates those that
 * are missing, gives default roles what they lack, configures priority and fairness as the release suggests, and deletes the APIServices of versions that it does not serve.
 */
export async function takeOver(
  objects: StoredObjects,
  options: BootstrapOptions & { readonly server: number },
  client: ClusterClient,
): Promise<void> {
  const wanted = ownSeeds(seeds(options), options);
  for (const seed of wanted) {
    const { namespace = "", name = "" } = seed.object.metadata;
    const stored = objects.get(seed, namespace, name);
    if (stored === undefined) objects.put(seed, completeSeed(seed, options));
  }
  ensureFlowControl(wanted, objects, sinceOf(options.catalog.release));
  syncApiServices(wanted, objects);
  await reconcilePolicy(wanted, objects, client);
}

const apiServices = { group: "apiregistration.k8s.io", resource: "apiservices" };

/**
 * Gives the APIServices that a server registered at its start the specs of this release, and deletes those of versions that it does not
 * serve. Upstream: kube-aggregator, pkg/controllers/autoregister/autoregister_controller.go.
 */
function syncApiServices(wanted: readonly Seed[], objects: StoredObjects): void {
  const seeded = wanted.filter(({ resource }) => resource === apiServices.resource);
  const specs = new Map(seeded.map(({ object }) => [object.metadata.name, structAt(object, "spec")]));
  for (const stored of objects.list(apiServices, "")) {
    const { name = "", labels } = stored.metadata;
    if (labels?.[automanagedLabel] !== "onstart") continue;
    const spec = specs.get(name);
    if (spec === undefined) objects.remove(apiServices, "", name);
    else if (!jsonEqual(structAt(stored, "spec"), spec)) objects.put(apiServices, { ...stored, spec });
  }
}

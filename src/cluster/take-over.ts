import { sinceOf } from "../apimachinery/release.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { type BootstrapOptions, completeSeed, type Seed, seeds } from "./bootstrap.ts";
import type { ClusterClient } from "./client.ts";
import { ensureFlowControl } from "./flow-control-ensurer.ts";
import { reconcilePolicy } from "./reconciled-policy.ts";
import { ownSeeds } from "./server-identity.ts";

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
  removeApiServices(wanted, objects);
  await reconcilePolicy(wanted, objects, client);
}

const apiServices = { group: "apiregistration.k8s.io", resource: "apiservices" };
const automanaged = "kube-aggregator.kubernetes.io/automanaged";

/** Upstream: kube-aggregator, pkg/controllers/autoregister/autoregister_controller.go. */
function removeApiServices(wanted: readonly Seed[], objects: StoredObjects): void {
  const names = new Set(
    wanted.filter(({ resource }) => resource === "apiservices").map(({ object }) => object.metadata.name),
  );
  for (const { metadata } of objects.list(apiServices, "")) {
    const { name = "", labels } = metadata;
    if (labels?.[automanaged] === "onstart" && !names.has(name)) objects.remove(apiServices, "", name);
  }
}

import { structAt } from "../apimachinery/fields.ts";
import { jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { type BootstrapOptions, completeSeed, type Seed, seeds } from "./bootstrap.ts";
import type { ClusterClient } from "./client.ts";
import { reconcilePolicy } from "./reconciled-policy.ts";

/**
 * Brings the objects that a server creates up to date when it starts over the storage of another release: it creates those that
 * are missing, gives default roles what they lack, configures priority and fairness as the release suggests unless an administrator
 * has changed it, and deletes the APIServices of versions that it does not serve.
 */
export async function takeOver(
  objects: StoredObjects,
  options: BootstrapOptions,
  client: ClusterClient,
): Promise<void> {
  const wanted = seeds(options);
  for (const seed of wanted) {
    const { namespace = "", name = "" } = seed.object.metadata;
    const stored = objects.get(seed, namespace, name);
    if (stored === undefined) objects.put(seed, completeSeed(seed, options));
    else if (isFlowControl(seed)) suggest(seed, stored, objects);
  }
  removeApiServices(wanted, objects);
  await reconcilePolicy(wanted, objects, client);
}

const isFlowControl = ({ group }: Seed): boolean => group === "flowcontrol.apiserver.k8s.io";

/** Upstream: pkg/registry/flowcontrol/ensurer/strategy.go, shouldUpdateSpec. */
function suggest(seed: Seed, stored: KubeObject, objects: StoredObjects): void {
  const { annotations = {}, generation } = stored.metadata;
  const automatic = annotations["apf.kubernetes.io/autoupdate-spec"] ?? String(generation === 1);
  const spec = structAt(seed.object, "spec");
  if (automatic !== "true" || jsonEqual(structAt(stored, "spec"), spec)) return;
  const metadata = { ...stored.metadata, generation: (generation ?? 0) + 1 };
  objects.put(seed, { ...stored, metadata, spec });
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

import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupResource } from "../apimachinery/group-version.ts";
import { namespaceStrategy } from "./core/namespace.ts";
import { serviceStrategy } from "./core/service.ts";
import { changed, withGeneration } from "./default-strategy.ts";
import type { StrategyEnvironment } from "./registry-options.ts";
import type { Strategy } from "./strategy.ts";

type Refine = (base: Strategy, environment: StrategyEnvironment) => Strategy;
type RefineAlone = (base: Strategy) => Strategy;

const countsSpec: RefineAlone = (base) => withGeneration(base, changed("spec"));
const countsWebhooks: RefineAlone = (base) => withGeneration(base, changed("webhooks"));
const orphansByDefault: RefineAlone = (base) => ({ ...base, garbageCollectionPolicy: "orphan" });
const isNotCollected: RefineAlone = (base) => ({ ...base, garbageCollectionPolicy: undefined });

/** Kinds that are not like the others, by resource and group. A new one is a file and a line. */
const refinements: ReadonlyMap<string, Refine> = new Map<string, Refine>([
  ["namespaces", namespaceStrategy],
  ["services", serviceStrategy],
  ["events", isNotCollected],
  ["replicationcontrollers", (base) => orphansByDefault(countsSpec(base))],
  ["deployments.apps", (base) => withGeneration(base, specOrAnnotationsChanged)],
  ["replicasets.apps", countsSpec],
  ["statefulsets.apps", countsSpec],
  ["daemonsets.apps", countsSpec],
  ["jobs.batch", (base) => orphansByDefault(countsSpec(base))],
  ["cronjobs.batch", countsSpec],
  ["ingresses.networking.k8s.io", countsSpec],
  ["ingressclasses.networking.k8s.io", countsSpec],
  ["networkpolicies.networking.k8s.io", countsSpec],
  ["servicecidrs.networking.k8s.io", countsSpec],
  ["ipaddresses.networking.k8s.io", countsSpec],
  ["poddisruptionbudgets.policy", countsSpec],
  ["flowschemas.flowcontrol.apiserver.k8s.io", countsSpec],
  ["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", countsSpec],
  ["csidrivers.storage.k8s.io", countsSpec],
  ["validatingadmissionpolicies.admissionregistration.k8s.io", countsSpec],
  ["validatingadmissionpolicybindings.admissionregistration.k8s.io", countsSpec],
  ["mutatingadmissionpolicies.admissionregistration.k8s.io", countsSpec],
  ["mutatingadmissionpolicybindings.admissionregistration.k8s.io", countsSpec],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io", countsWebhooks],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io", countsWebhooks],
  ["deviceclasses.resource.k8s.io", countsSpec],
  ["resourceslices.resource.k8s.io", countsSpec],
  ["storageversionmigrations.storagemigration.k8s.io", countsSpec],
  ["clustertrustbundles.certificates.k8s.io", countsSpec],
  ["endpointslices.discovery.k8s.io", (base) => withGeneration(base, slicesChanged)],
  ["priorityclasses.scheduling.k8s.io", (base) => withGeneration(base, () => false)],
]);

/** The strategy of a resource: what all do, refined by what this kind does otherwise. */
export function strategyOf(
  groupResource: string,
  base: Strategy,
  environment: StrategyEnvironment,
): Strategy {
  return refinements.get(groupResource)?.(base, environment) ?? base;
}

/** Kinds that one of their versions treats otherwise, by resource, group and version. */
const versionRefinements: ReadonlyMap<string, RefineAlone> = new Map<string, RefineAlone>([]);

/** The strategy of a resource for requests in this version. */
export function strategyAs(gvr: GroupVersionResource, strategy: Strategy): Strategy {
  const refine = versionRefinements.get(`${formatGroupResource(gvr)} ${gvr.version}`);
  return refine?.(strategy) ?? strategy;
}

const specChanged = changed("spec");
const endpointsChanged = changed("addressType", "endpoints", "ports");

function specOrAnnotationsChanged(...[object, old]: Parameters<typeof specChanged>): boolean {
  return specChanged(object, old) || mapChanged(object.metadata.annotations, old.metadata.annotations);
}

function slicesChanged(...[object, old]: Parameters<typeof specChanged>): boolean {
  return endpointsChanged(object, old) || mapChanged(object.metadata.labels, old.metadata.labels);
}

function mapChanged(
  a: { readonly [key: string]: string } = {},
  b: { readonly [key: string]: string } = {},
): boolean {
  const keys = Object.keys(a);
  return keys.length !== Object.keys(b).length || keys.some((key) => a[key] !== b[key]);
}

import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { storedAs } from "../catalog/storage-version.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import { resourceOfKind } from "../served/resource-of-kind.ts";
import { bootstrapController } from "./bootstrap-controller.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { type ExpireEvent, eventExpiry } from "./event-expiry.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaceController } from "./namespace.ts";
import { resourceQuotaController } from "./resource-quota.ts";
import { rootCaPublisher } from "./root-ca-publisher.ts";
import { serviceAccountController } from "./service-account.ts";
import { claimProtection, volumeProtection } from "./volume-protection.ts";

/** The dependencies of all controllers. */
export interface ControllerEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  readonly quotaEvaluators: QuotaEvaluators;
  readonly expireEvent: ExpireEvent;
  /** Writes as the API server itself. */
  readonly serverClient: ControllerClient;
  /** The objects that the API server creates for itself, in the form in which it sends them. */
  readonly serverObjects: () => readonly KubeObject[];
  /** PEM of the certificate authority that pods trust. */
  readonly rootCa: string;
}

/** All controllers. A new one is a file and a line here. */
export function allControllers(environment: ControllerEnvironment): readonly Controller[] {
  const { lister, client, catalog, clock, rootCa, quotaMutex, quotaEvaluators } = environment;
  const { expireEvent, serverClient, serverObjects } = environment;
  const now = () => clock.now();
  return [
    serviceAccountController(lister, client),
    rootCaPublisher(lister, client, rootCa),
    namespaceController(lister, client, () => deletableResources(catalog), now),
    garbageCollector(lister, client, (apiVersion, kind) => resourceOfKind(catalog, apiVersion, kind), now),
    resourceQuotaController(lister, client, quotaMutex, quotaEvaluators),
    eventExpiry(clock, expireEvent),
    bootstrapController(clock, serverClient, serverObjects),
    claimProtection(lister, client),
    volumeProtection(lister, client),
  ];
}

const deletable = new WeakMap<Catalog, readonly ApiResource[]>();

/**
 * The resources that a namespace can hold, each in its preferred version. Resources with the same storage count once.
 */
function deletableResources(catalog: Catalog): readonly ApiResource[] {
  const known = deletable.get(catalog);
  if (known !== undefined) return known;
  const resources = new Map<string, ApiResource>();
  for (const gv of catalog.groupVersions()) {
    for (const resource of catalog.resources(gv)) {
      if (!resource.namespaced || !resource.verbs.includes("delete")) continue;
      const home = storedAs(resource);
      const key = `${home.resource}.${home.group}`;
      if (!resources.has(key)) resources.set(key, resource);
    }
  }
  const found = [...resources.values()];
  deletable.set(catalog, found);
  return found;
}

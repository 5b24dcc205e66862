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

/** What controllers are made of. */
export interface ControllerEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Whose turn it is to write in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  readonly quotaEvaluators: QuotaEvaluators;
  readonly expireEvent: ExpireEvent;
  /** How the API server itself writes. */
  readonly serverClient: ControllerClient;
  /** What the API server makes for itself, again if need be, as it is sent. */
  readonly serverObjects: () => readonly KubeObject[];
  /** PEM of the authority that pods shall trust. */
  readonly rootCa: string;
}

/** Every controller there is. A new one is a file and a line. */
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

/** What a namespace can hold, each in its preferred version; resources that share their storage count once. */
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

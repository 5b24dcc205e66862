import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { Clock } from "../apimachinery/clock.ts";
import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { Since } from "../apimachinery/release.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { ApiView } from "../served/api-view.ts";
import type { ServedApi } from "../served/served-api.ts";
import { bootstrapController } from "./bootstrap-controller.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import type { KubernetesService } from "./contract/kubernetes-service.ts";
import { type ExpireEvent, eventExpiry } from "./event-expiry.ts";
import type { AbsentOwners } from "./garbage-collector/absent-owners.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaceController } from "./namespace.ts";
import { resourceQuotaController } from "./resource-quota.ts";
import { roleAggregation } from "./role-aggregation.ts";
import { rootCaPublisher } from "./root-ca-publisher.ts";
import { serviceAccountController } from "./service-account.ts";
import { claimProtection, volumeProtection } from "./volume-protection.ts";

/** The dependencies of all controllers. */
export interface ControllerEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: ServedApi;
  readonly clock: Clock;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  readonly quotaEvaluators: QuotaEvaluators;
  readonly expireEvent: ExpireEvent;
  /** The owners that count as existing although the cluster does not have them. */
  readonly absentOwners: Pick<AbsentOwners, "has">;
  readonly kubernetesService: KubernetesService;
  /** PEM of the certificate authority that pods trust; empty if there is none to publish. */
  readonly rootCa: () => string;
  readonly since: Since;
}

/** All controllers. A new one is a file and a line here. */
export function allControllers(environment: ControllerEnvironment): readonly Controller[] {
  const { lister, client, served, clock, rootCa, quotaMutex, quotaEvaluators } = environment;
  const { expireEvent, absentOwners } = environment;
  const now = () => clock.now();
  return [
    serviceAccountController(lister, client),
    rootCaPublisher(lister, client, rootCa),
    namespaceController(lister, client, () => served.current.derived(deletableResources), now),
    garbageCollector(
      lister,
      client,
      (apiVersion, kind) => served.current.resourceOfKind(apiVersion, kind),
      absentOwners,
      now,
    ),
    resourceQuotaController(lister, client, quotaMutex, quotaEvaluators),
    eventExpiry(clock, expireEvent),
    bootstrapController(clock, environment.kubernetesService),
    claimProtection(lister, client),
    volumeProtection(lister, client),
    roleAggregation(lister, client, environment.since),
  ];
}

/**
 * The resources that a namespace can hold, each in its preferred version. Resources with the same storage count once.
 */
function deletableResources(view: ApiView): readonly ApiResource[] {
  const resources = new Map<string, ApiResource>();
  for (const gv of view.groupVersions()) {
    for (const resource of view.resources(gv)) {
      if (!resource.namespaced || !resource.verbs.includes("delete")) continue;
      const home = formatGroupResource(view.storedAs(resource));
      if (!resources.has(home)) resources.set(home, resource);
    }
  }
  return [...resources.values()];
}

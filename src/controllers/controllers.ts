import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { Release, Since } from "../apimachinery/release.ts";
import type { CertificateAuthority } from "../authentication/contract/certificate-authority.ts";
import type { ServiceAccountKeys } from "../authentication/contract/service-account-keys.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { LoadQuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import type { ServedApi } from "../served/served-api.ts";
import { authenticationInfo } from "./authentication-info.ts";
import { bootstrapController, type EnsureObjects } from "./bootstrap-controller.ts";
import { certificateControllers } from "./certificates/certificate-controllers.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import type { KubernetesService } from "./contract/kubernetes-service.ts";
import type { LoadRecord } from "./contract/load-record.ts";
import { nameOfPut, onDemand } from "./contract/on-demand.ts";
import type { ControllerMemory } from "./controller-memory.ts";
import { type ExpireEvent, eventExpiry } from "./event-expiry.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { concernedStorageVersions, identityLeaseCollector } from "./identity-leases.ts";
import { namespaceController } from "./namespace.ts";
import type { AuthenticationTrust } from "./published-trust.ts";
import { resourceQuotaController } from "./resource-quota.ts";
import { roleAggregation } from "./role-aggregation.ts";
import { rootCaPublisher } from "./root-ca-publisher.ts";
import { serviceAccountController } from "./service-account.ts";
import { serviceCidrControllers } from "./service-cidrs/service-cidr-controllers.ts";
import { tokenControllers } from "./tokens/token-controllers.ts";
import { claimProtection, classProtection, volumeProtection } from "./volume-protection.ts";

/** The dependencies of all controllers. */
export interface ControllerEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  /** The server's own client; upstream's loopback. */
  readonly serverClient: ControllerClient;
  readonly served: ServedApi;
  readonly clock: Clock;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  readonly quotaEvaluators: LoadQuotaEvaluators;
  readonly expireEvent: ExpireEvent;
  readonly loads: Pick<LoadRecord, "isAbsentOwner" | "timeOfEvent">;
  readonly kubernetesService: KubernetesService;
  readonly ensureObjects: EnsureObjects;
  readonly authenticationTrust: AuthenticationTrust;
  /** PEM of the certificate authority that pods trust; empty if there is none to publish. */
  readonly rootCa: () => string;
  /** Whether a server of the cluster has this Lease and runs. */
  readonly isServing: (lease: string) => boolean;
  /** Signs certificates for clients and kubelets. */
  readonly certificateAuthority: CertificateAuthority;
  /** Signs the tokens of Secrets. */
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** The source of the names of Secrets. */
  readonly identifiers: Identifiers;
  readonly gates: FeatureGates;
  readonly since: Since;
  readonly release: Release;
}

/** All controllers. A new one is a file and a line here. What one remembers is a part of the memory. */
export function allControllers(
  environment: ControllerEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const { lister, client, served, clock, rootCa, quotaMutex, quotaEvaluators } = environment;
  const { expireEvent, loads, gates, since } = environment;
  return [
    serviceAccountController(lister, client),
    rootCaPublisher(lister, client, rootCa, gates),
    namespaceController(environment, memory.terminating),
    garbageCollector({
      lister,
      client,
      served,
      loads,
      now: () => clock.now(),
      memory: memory.collector,
      since,
    }),
    resourceQuotaController(lister, client, quotaMutex, quotaEvaluators, memory.quotas),
    eventExpiry(clock, loads, expireEvent, memory.eventEnds),
    bootstrapController(clock, environment.kubernetesService, memory.due, environment.ensureObjects),
    authenticationInfo(environment.authenticationTrust, clock),
    claimProtection(lister, client),
    volumeProtection(lister, client),
    classProtection(lister, client, gates),
    ...certificateControllers(lister, client, clock, environment.certificateAuthority),
    ...tokenControllers(
      { lister, client, keys: environment.serviceAccountKeys, identifiers: environment.identifiers, rootCa },
      clock,
      gates,
    ),
    roleAggregation(lister, client, since, memory.aggregating),
    admissionPolicyStatus(environment),
    flowSchemaStatus(environment),
    storageVersionMigrator(environment),
    identityLeaseCollector(environment),
    storageVersionCollector(environment),
    ...serviceCidrControllers(environment, memory.due),
  ];
}

/** Few clusters have policies. */
function admissionPolicyStatus(environment: ControllerEnvironment): Controller {
  return onDemand(
    {
      name: "validatingadmissionpolicy-status-controller",
      kinds: ["ValidatingAdmissionPolicy"],
      observe: nameOfPut,
    },
    async () => (await import("./admission-policy-status.ts")).writePolicyStatus(environment),
  );
}

/** The statuses of a new cluster are right. */
function flowSchemaStatus(environment: ControllerEnvironment): Controller {
  return onDemand(
    {
      name: "priority-and-fairness-config-consumer",
      kinds: ["FlowSchema", "PriorityLevelConfiguration"],
      observe: ({ isFound }) => (isFound ? [] : [""]),
    },
    async () => (await import("./flow-schema-status.ts")).writeFlowSchemaStatuses(environment),
  );
}

/** Few clusters migrate anything, so the code for that is loaded on demand. */
function storageVersionMigrator(environment: ControllerEnvironment): Controller {
  const isOn = environment.gates.isEnabled("StorageVersionMigrator");
  const observe = isOn ? nameOfPut : () => [];
  return onDemand(
    { name: "storage-version-migrator-controller", kinds: ["StorageVersionMigration"], observe },
    async () => {
      const { migrateStorageVersions } = await import("./storage-version-migration.ts");
      return migrateStorageVersions(environment);
    },
  );
}

/** The collector looks for the Leases of servers. */
function storageVersionCollector(environment: ControllerEnvironment): Controller {
  const { lister, gates, since } = environment;
  const isOn = gates.isEnabled("APIServerIdentity") && gates.isEnabled("StorageVersionAPI");
  const observe = isOn ? concernedStorageVersions(lister, since) : () => [];
  return onDemand(
    {
      name: "storageversion-garbage-collector-controller",
      kinds: ["StorageVersion", "Lease"],
      observe,
    },
    async () => (await import("./storage-version-collector.ts")).collectStorageVersions(environment),
  );
}

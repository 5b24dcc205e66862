import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { ApiSubresource } from "../catalog/api-resource.ts";
import type { RegistryOptions, StrategyFacts } from "../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../registry/contract/rest.ts";
import type { StoredResource } from "../registry/contract/stored-resource.ts";
import type { Strategy } from "../registry/contract/strategy.ts";
import { GenericRegistry } from "../registry/generic/generic-registry.ts";
import { scaleRest } from "../registry/subresources/scale.ts";
import { statusStrategy } from "../registry/subresources/status.ts";
import { validatingAdmissionPolicyStatusStrategy } from "./admissionregistration/policy/validating-admission-policy.ts";
import { apiServiceStatusStrategy } from "./apiregistration/api-service/api-service.ts";
import { storageVersionStatusStrategy } from "./apiserverinternal/storage-version/storage-version.ts";
import { daemonSetStatusStrategy } from "./apps/daemon-set/daemon-set.ts";
import { deploymentStatusStrategy } from "./apps/deployment/deployment.ts";
import { replicaSetStatusStrategy } from "./apps/replica-set/replica-set.ts";
import { statefulSetStatusStrategy } from "./apps/stateful-set/stateful-set.ts";
import { horizontalPodAutoscalerStatusStrategy } from "./autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler.ts";
import { jobStatusStrategy } from "./batch/job/job.ts";
import {
  certificateApprovalStrategy,
  certificateStatusStrategy,
} from "./certificates/certificate-signing-request/certificate-signing-request.ts";
import { namespaceFinalizeStrategy, namespaceStatusStrategy } from "./core/namespace/namespace.ts";
import { nodeStatusStrategy } from "./core/node/node.ts";
import { persistentVolumeStatusStrategy } from "./core/persistent-volume/persistent-volume.ts";
import { persistentVolumeClaimStatusStrategy } from "./core/persistent-volume-claim/persistent-volume-claim.ts";
import { podBindingRest } from "./core/pod/pod-binding.ts";
import { podEphemeralContainersStrategy } from "./core/pod/pod-ephemeral-containers.ts";
import { podEvictionRest } from "./core/pod/pod-eviction.ts";
import { podLogRest } from "./core/pod/pod-log.ts";
import { podProxyRest } from "./core/pod/pod-proxy.ts";
import { podResizeStrategy } from "./core/pod/pod-resize.ts";
import { podStatusStrategy } from "./core/pod/pod-status.ts";
import { podAttachRest, podExecRest, podPortForwardRest } from "./core/pod/pod-streams.ts";
import { replicationControllerStatusStrategy } from "./core/replication-controller/replication-controller.ts";
import { resourceQuotaStatusStrategy } from "./core/resource-quota/resource-quota.ts";
import { serviceStatusStrategy } from "./core/service/service.ts";
import { serviceAccountTokenRest } from "./core/service-account/service-account-token.ts";
import { flowSchemaStatusStrategy } from "./flowcontrol/flow-schema/flow-schema.ts";
import { priorityLevelStatusStrategy } from "./flowcontrol/priority-level-configuration/priority-level-configuration.ts";
import { ingressStatusStrategy } from "./networking/ingress/ingress.ts";
import {
  betaPodDisruptionBudgetStatusStrategy,
  podDisruptionBudgetStatusStrategy,
} from "./policy/pod-disruption-budget/pod-disruption-budget.ts";
import { resourceClaimStatusStrategy } from "./resource/resource-claim/resource-claim.ts";
import { volumeAttachmentStatusStrategy } from "./storage/volume-attachment/volume-attachment.ts";
import { storageVersionMigrationStatusStrategy } from "./storagemigration/storage-version-migration/storage-version-migration.ts";

type Refine = (base: Strategy, facts: StrategyFacts) => Strategy;

/** The strategies of subresources that read and write the object itself, by resource and subresource. */
const strategies: ReadonlyMap<string, Refine> = new Map<string, Refine>([
  ["namespaces/finalize", namespaceFinalizeStrategy],
  ["namespaces/status", namespaceStatusStrategy],
  ["nodes/status", nodeStatusStrategy],
  ["persistentvolumes/status", persistentVolumeStatusStrategy],
  ["persistentvolumeclaims/status", persistentVolumeClaimStatusStrategy],
  ["resourcequotas/status", resourceQuotaStatusStrategy],
  ["services/status", serviceStatusStrategy],
  ["ingresses.networking.k8s.io/status", ingressStatusStrategy],
  ["pods/status", podStatusStrategy],
  ["replicationcontrollers/status", replicationControllerStatusStrategy],
  ["deployments.apps/status", deploymentStatusStrategy],
  ["replicasets.apps/status", replicaSetStatusStrategy],
  ["statefulsets.apps/status", statefulSetStatusStrategy],
  ["daemonsets.apps/status", daemonSetStatusStrategy],
  ["jobs.batch/status", jobStatusStrategy],
  ["horizontalpodautoscalers.autoscaling/status", horizontalPodAutoscalerStatusStrategy],
  ["poddisruptionbudgets.policy/status", podDisruptionBudgetStatusStrategy],
  ["resourceclaims.resource.k8s.io/status", resourceClaimStatusStrategy],
  ["pods/ephemeralcontainers", podEphemeralContainersStrategy],
  ["pods/resize", podResizeStrategy],
  ["certificatesigningrequests.certificates.k8s.io/approval", certificateApprovalStrategy],
  ["certificatesigningrequests.certificates.k8s.io/status", certificateStatusStrategy],
  ["apiservices.apiregistration.k8s.io/status", apiServiceStatusStrategy],
  [
    "validatingadmissionpolicies.admissionregistration.k8s.io/status",
    validatingAdmissionPolicyStatusStrategy,
  ],
  ["volumeattachments.storage.k8s.io/status", volumeAttachmentStatusStrategy],
  ["storageversions.internal.apiserver.k8s.io/status", storageVersionStatusStrategy],
  ["storageversionmigrations.storagemigration.k8s.io/status", storageVersionMigrationStatusStrategy],
  ["flowschemas.flowcontrol.apiserver.k8s.io/status", flowSchemaStatusStrategy],
  ["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status", priorityLevelStatusStrategy],
]);

/** Those that one of their versions treats otherwise, by resource, subresource and version. */
const versionStrategies: ReadonlyMap<string, Refine> = new Map<string, Refine>([
  ["poddisruptionbudgets.policy/status v1beta1", betaPodDisruptionBudgetStatusStrategy],
]);

type MakeRest = (
  stored: StoredResource,
  definition: ResourceDefinition,
  access: ResourceAccess,
  options: RegistryOptions,
) => Rest;

/** Subresources that do something of their own, by resource and subresource. */
const makers: ReadonlyMap<string, MakeRest> = new Map<string, MakeRest>([
  ["pods/attach", podAttachRest],
  ["pods/binding", podBindingRest],
  ["pods/eviction", podEvictionRest],
  ["pods/exec", podExecRest],
  ["pods/log", podLogRest],
  ["pods/portforward", podPortForwardRest],
  ["pods/proxy", podProxyRest],
  ["serviceaccounts/token", serviceAccountTokenRest],
]);

/** The verbs of a subresource; undefined for one that waits for its capability. */
export function subresourceRest(
  stored: StoredResource,
  subresource: ApiSubresource,
  access: ResourceAccess,
  options: RegistryOptions,
): Rest | undefined {
  const { catalog } = access;
  const { gvk } = subresource;
  if (gvk.kind === "Scale") return scaleRest(stored, subresource, catalog);
  const key = `${formatGroupResource(stored.definition.groupResource)}/${subresource.name}`;
  const make = makers.get(key);
  const schema = catalog.kind(gvk);
  if (make !== undefined && schema !== undefined) {
    return make(stored, { ...stored.definition, gvk, schema }, access, options);
  }
  const refine =
    versionStrategies.get(`${key} ${gvk.version}`) ??
    strategies.get(key) ??
    (subresource.name === "status" ? statusStrategy : undefined);
  if (refine === undefined) return undefined;
  const strategy = refine(stored.strategy, { gates: options.gates, schema: stored.definition.schema });
  return onlyReadAndUpdate(new GenericRegistry({ ...stored, strategy }));
}

function onlyReadAndUpdate({ definition, get, update }: Rest): Rest {
  return { definition, ...(get && { get }), ...(update && { update }) };
}

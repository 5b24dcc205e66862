import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupResource } from "../apimachinery/group-version.ts";
import { changed, withGeneration } from "../registry/contract/default-strategy.ts";
import type { StrategyEnvironment, StrategyFacts } from "../registry/contract/registry-options.ts";
import type { Strategy } from "../registry/contract/strategy.ts";
import {
  mutatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyBindingStrategy,
} from "./admissionregistration/policy/admission-policy-binding.ts";
import { mutatingAdmissionPolicyStrategy } from "./admissionregistration/policy/mutating-admission-policy.ts";
import { validatingAdmissionPolicyStrategy } from "./admissionregistration/policy/validating-admission-policy.ts";
import {
  betaMutatingWebhookStrategy,
  betaValidatingWebhookStrategy,
  mutatingWebhookStrategy,
  validatingWebhookStrategy,
} from "./admissionregistration/webhook/webhook-configuration.ts";
import { apiServiceStrategy } from "./apiregistration/api-service/api-service.ts";
import { storageVersionStrategy } from "./apiserverinternal/storage-version/storage-version.ts";
import { controllerRevisionStrategy } from "./apps/controller-revision/controller-revision.ts";
import { daemonSetStrategy } from "./apps/daemon-set/daemon-set.ts";
import { deploymentStrategy } from "./apps/deployment/deployment.ts";
import { replicaSetStrategy } from "./apps/replica-set/replica-set.ts";
import { statefulSetStrategy } from "./apps/stateful-set/stateful-set.ts";
import { horizontalPodAutoscalerStrategy } from "./autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler.ts";
import { cronJobStrategy } from "./batch/cron-job/cron-job.ts";
import { jobStrategy } from "./batch/job/job.ts";
import {
  betaCertificateSigningRequestStrategy,
  certificateSigningRequestStrategy,
} from "./certificates/certificate-signing-request/certificate-signing-request.ts";
import { clusterTrustBundleStrategy } from "./certificates/cluster-trust-bundle/cluster-trust-bundle.ts";
import { leaseStrategy } from "./coordination/lease/lease.ts";
import { leaseCandidateStrategy } from "./coordination/lease-candidate/lease-candidate.ts";
import { configMapStrategy } from "./core/config-map/config-map.ts";
import { endpointsStrategy } from "./core/endpoints/endpoints.ts";
import { betaEventStrategy, eventStrategy, strictEventStrategy } from "./core/event/event.ts";
import { limitRangeStrategy } from "./core/limit-range/limit-range.ts";
import { namespaceStrategy } from "./core/namespace/namespace.ts";
import { nodeStrategy } from "./core/node/node.ts";
import { persistentVolumeStrategy } from "./core/persistent-volume/persistent-volume.ts";
import { persistentVolumeClaimStrategy } from "./core/persistent-volume-claim/persistent-volume-claim.ts";
import { podStrategy } from "./core/pod/pod.ts";
import { replicationControllerStrategy } from "./core/replication-controller/replication-controller.ts";
import { resourceQuotaStrategy } from "./core/resource-quota/resource-quota.ts";
import { secretStrategy } from "./core/secret/secret.ts";
import { serviceStrategy } from "./core/service/service.ts";
import { serviceAccountStrategy } from "./core/service-account/service-account.ts";
import {
  betaEndpointSliceStrategy,
  endpointSliceStrategy,
} from "./discovery/endpoint-slice/endpoint-slice.ts";
import { flowSchemaStrategy } from "./flowcontrol/flow-schema/flow-schema.ts";
import { priorityLevelConfigurationStrategy } from "./flowcontrol/priority-level-configuration/priority-level-configuration.ts";
import { betaIngressStrategy, ingressStrategy } from "./networking/ingress/ingress.ts";
import { ingressClassStrategy } from "./networking/ingress-class/ingress-class.ts";
import { ipAddressStrategy } from "./networking/ip-address/ip-address.ts";
import { networkPolicyStrategy } from "./networking/network-policy/network-policy.ts";
import { serviceCidrStrategy } from "./networking/service-cidr/service-cidr.ts";
import { runtimeClassStrategy } from "./node/runtime-class/runtime-class.ts";
import { podTemplateStrategy } from "./pod-spec/template/pod-template.ts";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget/pod-disruption-budget.ts";
import { clusterRoleStrategy, roleStrategy } from "./rbac/role/role.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./rbac/role-binding/role-binding.ts";
import { deviceClassStrategy } from "./resource/device-class/device-class.ts";
import {
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
} from "./resource/resource-claim/resource-claim.ts";
import { resourceSliceStrategy } from "./resource/resource-slice/resource-slice.ts";
import { priorityClassStrategy } from "./scheduling/priority-class/priority-class.ts";
import { csiDriverStrategy } from "./storage/csi-driver/csi-driver.ts";
import { csiNodeStrategy } from "./storage/csi-node/csi-node.ts";
import { csiStorageCapacityStrategy } from "./storage/csi-storage-capacity/csi-storage-capacity.ts";
import { storageClassStrategy } from "./storage/storage-class/storage-class.ts";
import { volumeAttachmentStrategy } from "./storage/volume-attachment/volume-attachment.ts";
import { volumeAttributesClassStrategy } from "./storage/volume-attributes-class/volume-attributes-class.ts";
import { storageVersionMigrationStrategy } from "./storagemigration/storage-version-migration/storage-version-migration.ts";

type Refine = (base: Strategy, environment: StrategyEnvironment) => Strategy;
type RefineVersion = (base: Strategy, facts: StrategyFacts) => Strategy;
type RefineAlone = (base: Strategy) => Strategy;

const libraryMetadata: RefineAlone = (base) => ({
  ...base,
  metadataChecks: { create: "library", update: "library" },
});

/** Kinds that are not like the others, by resource and group. A new one is a file and a line. */
const refinements: ReadonlyMap<string, Refine> = new Map<string, Refine>([
  ["configmaps", configMapStrategy],
  ["secrets", secretStrategy],
  ["serviceaccounts", serviceAccountStrategy],
  ["namespaces", namespaceStrategy],
  ["nodes", nodeStrategy],
  ["persistentvolumes", persistentVolumeStrategy],
  ["persistentvolumeclaims", persistentVolumeClaimStrategy],
  ["pods", podStrategy],
  ["podtemplates", podTemplateStrategy],
  ["resourcequotas", resourceQuotaStrategy],
  ["limitranges", limitRangeStrategy],
  ["storageclasses.storage.k8s.io", storageClassStrategy],
  ["volumeattributesclasses.storage.k8s.io", volumeAttributesClassStrategy],
  ["roles.rbac.authorization.k8s.io", roleStrategy],
  ["clusterroles.rbac.authorization.k8s.io", clusterRoleStrategy],
  ["rolebindings.rbac.authorization.k8s.io", roleBindingStrategy],
  ["clusterrolebindings.rbac.authorization.k8s.io", clusterRoleBindingStrategy],
  ["services", serviceStrategy],
  ["events", eventStrategy],
  ["endpoints", endpointsStrategy],
  ["replicationcontrollers", replicationControllerStrategy],
  ["deployments.apps", deploymentStrategy],
  ["replicasets.apps", replicaSetStrategy],
  ["statefulsets.apps", statefulSetStrategy],
  ["daemonsets.apps", daemonSetStrategy],
  ["controllerrevisions.apps", controllerRevisionStrategy],
  ["jobs.batch", jobStrategy],
  ["cronjobs.batch", cronJobStrategy],
  ["ingresses.networking.k8s.io", ingressStrategy],
  ["ingressclasses.networking.k8s.io", ingressClassStrategy],
  ["networkpolicies.networking.k8s.io", networkPolicyStrategy],
  ["servicecidrs.networking.k8s.io", serviceCidrStrategy],
  ["ipaddresses.networking.k8s.io", ipAddressStrategy],
  ["horizontalpodautoscalers.autoscaling", horizontalPodAutoscalerStrategy],
  ["poddisruptionbudgets.policy", podDisruptionBudgetStrategy],
  ["flowschemas.flowcontrol.apiserver.k8s.io", flowSchemaStrategy],
  ["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", priorityLevelConfigurationStrategy],
  ["csidrivers.storage.k8s.io", csiDriverStrategy],
  ["csinodes.storage.k8s.io", csiNodeStrategy],
  ["csistoragecapacities.storage.k8s.io", csiStorageCapacityStrategy],
  ["volumeattachments.storage.k8s.io", volumeAttachmentStrategy],
  ["apiservices.apiregistration.k8s.io", apiServiceStrategy],
  ["customresourcedefinitions.apiextensions.k8s.io", libraryMetadata],
  ["certificatesigningrequests.certificates.k8s.io", certificateSigningRequestStrategy],
  ["validatingadmissionpolicies.admissionregistration.k8s.io", validatingAdmissionPolicyStrategy],
  [
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    validatingAdmissionPolicyBindingStrategy,
  ],
  ["mutatingadmissionpolicies.admissionregistration.k8s.io", mutatingAdmissionPolicyStrategy],
  ["mutatingadmissionpolicybindings.admissionregistration.k8s.io", mutatingAdmissionPolicyBindingStrategy],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io", validatingWebhookStrategy],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io", mutatingWebhookStrategy],
  ["deviceclasses.resource.k8s.io", deviceClassStrategy],
  ["resourceclaims.resource.k8s.io", resourceClaimStrategy],
  ["resourceclaimtemplates.resource.k8s.io", resourceClaimTemplateStrategy],
  ["resourceslices.resource.k8s.io", resourceSliceStrategy],
  ["storageversionmigrations.storagemigration.k8s.io", storageVersionMigrationStrategy],
  ["storageversions.internal.apiserver.k8s.io", storageVersionStrategy],
  ["clustertrustbundles.certificates.k8s.io", clusterTrustBundleStrategy],
  [
    "endpointslices.discovery.k8s.io",
    (base, environment) => endpointSliceStrategy(withGeneration(base, slicesChanged), environment),
  ],
  ["leases.coordination.k8s.io", leaseStrategy],
  ["leasecandidates.coordination.k8s.io", leaseCandidateStrategy],
  ["runtimeclasses.node.k8s.io", runtimeClassStrategy],
  ["priorityclasses.scheduling.k8s.io", priorityClassStrategy],
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
const versionRefinements: ReadonlyMap<string, RefineVersion> = new Map<string, RefineVersion>([
  ["events.events.k8s.io v1beta1", betaEventStrategy],
  ["events.events.k8s.io v1", strictEventStrategy],
  ["endpointslices.discovery.k8s.io v1beta1", betaEndpointSliceStrategy],
  ["ingresses.networking.k8s.io v1beta1", betaIngressStrategy],
  ["ingresses.extensions v1beta1", betaIngressStrategy],
  ["certificatesigningrequests.certificates.k8s.io v1beta1", betaCertificateSigningRequestStrategy],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io v1beta1", betaValidatingWebhookStrategy],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io v1beta1", betaMutatingWebhookStrategy],
]);

/** The strategy of a resource for requests in this version. */
export function strategyAs(gvr: GroupVersionResource, strategy: Strategy, facts: StrategyFacts): Strategy {
  const refine = versionRefinements.get(`${formatGroupResource(gvr)} ${gvr.version}`);
  return refine?.(strategy, facts) ?? strategy;
}

const specChanged = changed("spec");
const endpointsChanged = changed("addressType", "endpoints", "ports");

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

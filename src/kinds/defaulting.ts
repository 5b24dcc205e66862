import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import type { MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import * as admissionregistration from "./admissionregistration/admissionregistration-defaults.ts";
import * as apiextensions from "./apiextensions/apiextensions-defaults.ts";
import { apiServiceDefaults } from "./apiregistration/apiregistration-defaults.ts";
import { auditSinkDefaults } from "./auditregistration/auditregistration-defaults.ts";
import { tokenRequestDefaults } from "./authentication/authentication-defaults.ts";
import * as autoscaling from "./autoscaling/autoscaling-defaults.ts";
import * as batch from "./batch/batch-defaults.ts";
import * as certificates from "./certificates/certificates-defaults.ts";
import * as core from "./core/core-defaults.ts";
import { persistentVolumeDefaults } from "./core/persistent-volume/persistent-volume-defaults.ts";
import { podDefaults } from "./core/pod/pod-defaults.ts";
import { replicationControllerDefaults } from "./core/replication-controller/replication-controller-defaults.ts";
import { serviceDefaults } from "./core/service/service-defaults.ts";
import * as flowcontrol from "./flowcontrol/flowcontrol-defaults.ts";
import * as networking from "./networking/networking-defaults.ts";
import { persistentVolumeClaimDefaults } from "./pod-spec/defaults/persistent-volume-claim-defaults.ts";
import { podTemplateDefaults } from "./pod-spec/defaults/pod-spec-defaults.ts";
import { podSecurityPolicyDefaults } from "./policy/policy-defaults.ts";
import * as rbac from "./rbac/rbac-defaults.ts";
import * as resource from "./resource/resource-defaults.ts";
import { podGroupDefaults, priorityClassDefaults } from "./scheduling/scheduling-defaults.ts";
import { podPresetDefaults } from "./settings/settings-defaults.ts";
import * as storage from "./storage/storage-defaults.ts";
import * as legacy from "./workload/legacy-workload-defaults.ts";
import * as apps from "./workload/workload-defaults.ts";

/**
 * Fills in what upstream's server writes where a client left it open, in the version of the endpoint. The object must
 * come fresh from decoding: it is changed in place.
 */
export type Defaulting = (object: MutableKubeObject, gates: FeatureGates) => void;

/** What a kind is defaulted with; undefined for a kind without defaults, of which nothing need be looked at. */
export function defaultingOf(gvk: GroupVersionKind): Defaulting | undefined {
  return defaultings.get(`${formatGroupVersion(gvk)}/${gvk.kind}`);
}

/** The kinds that have defaults, by version. A new one is a file, or a part of one, and a line. */
const defaultings: ReadonlyMap<string, Defaulting> = new Map<string, Defaulting>([
  ["v1/Endpoints", core.endpointsDefaults],
  ["v1/LimitRange", core.limitRangeDefaults],
  ["v1/Namespace", core.namespaceDefaults],
  ["v1/Node", core.nodeDefaults],
  ["v1/PersistentVolume", persistentVolumeDefaults],
  ["v1/PersistentVolumeClaim", persistentVolumeClaimDefaults],
  ["v1/Pod", podDefaults],
  ["v1/PodTemplate", podTemplateDefaults],
  ["v1/ReplicationController", replicationControllerDefaults],
  ["v1/ResourceQuota", core.resourceQuotaDefaults],
  ["v1/Secret", core.secretDefaults],
  ["v1/Service", serviceDefaults],
  [
    "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",
    admissionregistration.mutatingWebhookDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
    admissionregistration.validatingWebhookDefaults,
  ],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", admissionregistration.admissionPolicyDefaults],
  [
    "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding",
    admissionregistration.admissionPolicyBindingDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",
    admissionregistration.admissionPolicyDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding",
    admissionregistration.admissionPolicyBindingDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/MutatingWebhookConfiguration",
    admissionregistration.betaMutatingWebhookDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration",
    admissionregistration.betaValidatingWebhookDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy",
    admissionregistration.admissionPolicyDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding",
    admissionregistration.admissionPolicyBindingDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/ValidatingAdmissionPolicy",
    admissionregistration.admissionPolicyDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1beta1/ValidatingAdmissionPolicyBinding",
    admissionregistration.admissionPolicyBindingDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicy",
    admissionregistration.admissionPolicyDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicyBinding",
    admissionregistration.alphaAdmissionPolicyBindingDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1alpha1/ValidatingAdmissionPolicy",
    admissionregistration.admissionPolicyDefaults,
  ],
  [
    "admissionregistration.k8s.io/v1alpha1/ValidatingAdmissionPolicyBinding",
    admissionregistration.alphaAdmissionPolicyBindingDefaults,
  ],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", apiextensions.customResourceDefinitionDefaults],
  [
    "apiextensions.k8s.io/v1beta1/CustomResourceDefinition",
    apiextensions.betaCustomResourceDefinitionDefaults,
  ],
  ["apiregistration.k8s.io/v1/APIService", apiServiceDefaults],
  ["apiregistration.k8s.io/v1beta1/APIService", apiServiceDefaults],
  ["apps/v1/DaemonSet", apps.daemonSetDefaults],
  ["apps/v1/Deployment", apps.deploymentDefaults],
  ["apps/v1/ReplicaSet", apps.replicaSetDefaults],
  ["apps/v1/StatefulSet", apps.statefulSetDefaults],
  ["apps/v1beta2/DaemonSet", apps.daemonSetDefaults],
  ["apps/v1beta2/Deployment", apps.deploymentDefaults],
  ["apps/v1beta2/ReplicaSet", apps.replicaSetDefaults],
  ["apps/v1beta2/StatefulSet", apps.statefulSetDefaults],
  ["apps/v1beta1/Deployment", legacy.appsBetaDeploymentDefaults],
  ["apps/v1beta1/StatefulSet", legacy.appsBetaStatefulSetDefaults],
  ["auditregistration.k8s.io/v1alpha1/AuditSink", auditSinkDefaults],
  ["authentication.k8s.io/v1/TokenRequest", tokenRequestDefaults],
  ["autoscaling/v1/HorizontalPodAutoscaler", autoscaling.horizontalPodAutoscalerV1Defaults],
  ["autoscaling/v2/HorizontalPodAutoscaler", autoscaling.horizontalPodAutoscalerDefaults],
  ["autoscaling/v2beta2/HorizontalPodAutoscaler", autoscaling.horizontalPodAutoscalerDefaults],
  ["autoscaling/v2beta1/HorizontalPodAutoscaler", autoscaling.horizontalPodAutoscalerV2beta1Defaults],
  ["batch/v1/CronJob", batch.cronJobDefaults],
  ["batch/v1/Job", batch.jobDefaults],
  ["batch/v1beta1/CronJob", batch.cronJobDefaults],
  ["batch/v2alpha1/CronJob", batch.cronJobDefaults],
  [
    "certificates.k8s.io/v1beta1/CertificateSigningRequest",
    certificates.betaCertificateSigningRequestDefaults,
  ],
  ["certificates.k8s.io/v1beta1/PodCertificateRequest", certificates.podCertificateRequestDefaults],
  ["certificates.k8s.io/v1alpha1/PodCertificateRequest", certificates.podCertificateRequestDefaults],
  ["discovery.k8s.io/v1/EndpointSlice", networking.endpointSliceDefaults],
  ["discovery.k8s.io/v1beta1/EndpointSlice", networking.endpointSliceDefaults],
  ["discovery.k8s.io/v1alpha1/EndpointSlice", networking.endpointSliceDefaults],
  ["extensions/v1beta1/DaemonSet", legacy.extensionsDaemonSetDefaults],
  ["extensions/v1beta1/Deployment", legacy.extensionsDeploymentDefaults],
  ["extensions/v1beta1/Ingress", networking.betaIngressDefaults],
  ["extensions/v1beta1/NetworkPolicy", networking.networkPolicyDefaults],
  ["extensions/v1beta1/PodSecurityPolicy", podSecurityPolicyDefaults],
  ["extensions/v1beta1/ReplicaSet", legacy.extensionsReplicaSetDefaults],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", flowcontrol.flowSchemaDefaults],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", flowcontrol.priorityLevelDefaults],
  ["flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema", flowcontrol.flowSchemaDefaults],
  [
    "flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration",
    flowcontrol.v1beta3PriorityLevelDefaults,
  ],
  ["flowcontrol.apiserver.k8s.io/v1beta2/FlowSchema", flowcontrol.flowSchemaDefaults],
  ["flowcontrol.apiserver.k8s.io/v1beta2/PriorityLevelConfiguration", flowcontrol.earlyPriorityLevelDefaults],
  ["flowcontrol.apiserver.k8s.io/v1beta1/FlowSchema", flowcontrol.flowSchemaDefaults],
  ["flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration", flowcontrol.earlyPriorityLevelDefaults],
  ["flowcontrol.apiserver.k8s.io/v1alpha1/FlowSchema", flowcontrol.flowSchemaDefaults],
  [
    "flowcontrol.apiserver.k8s.io/v1alpha1/PriorityLevelConfiguration",
    flowcontrol.alphaPriorityLevelDefaults,
  ],
  ["networking.k8s.io/v1/IngressClass", networking.ingressClassDefaults],
  ["networking.k8s.io/v1/NetworkPolicy", networking.networkPolicyDefaults],
  ["networking.k8s.io/v1beta1/Ingress", networking.betaIngressDefaults],
  ["networking.k8s.io/v1beta1/IngressClass", networking.ingressClassDefaults],
  ["policy/v1beta1/PodSecurityPolicy", podSecurityPolicyDefaults],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", rbac.roleBindingDefaults],
  ["rbac.authorization.k8s.io/v1/RoleBinding", rbac.roleBindingDefaults],
  ["rbac.authorization.k8s.io/v1beta1/ClusterRoleBinding", rbac.roleBindingDefaults],
  ["rbac.authorization.k8s.io/v1beta1/RoleBinding", rbac.roleBindingDefaults],
  ["rbac.authorization.k8s.io/v1alpha1/ClusterRoleBinding", rbac.alphaRoleBindingDefaults],
  ["rbac.authorization.k8s.io/v1alpha1/RoleBinding", rbac.alphaRoleBindingDefaults],
  ["resource.k8s.io/v1/ResourceClaim", resource.resourceClaimDefaults],
  ["resource.k8s.io/v1/ResourceClaimTemplate", resource.resourceClaimTemplateDefaults],
  ["resource.k8s.io/v1beta2/ResourceClaim", resource.resourceClaimDefaults],
  ["resource.k8s.io/v1beta2/ResourceClaimTemplate", resource.resourceClaimTemplateDefaults],
  ["resource.k8s.io/v1beta1/ResourceClaim", resource.plainResourceClaimDefaults],
  ["resource.k8s.io/v1beta1/ResourceClaimTemplate", resource.plainResourceClaimTemplateDefaults],
  ["resource.k8s.io/v1alpha3/ResourceClaim", resource.plainResourceClaimDefaults],
  ["resource.k8s.io/v1alpha3/ResourceClaimTemplate", resource.plainResourceClaimTemplateDefaults],
  ["resource.k8s.io/v1alpha3/ResourcePoolStatusRequest", resource.resourcePoolStatusRequestDefaults],
  ["resource.k8s.io/v1alpha2/ResourceClaim", resource.alphaResourceClaimDefaults],
  ["resource.k8s.io/v1alpha2/ResourceClaimTemplate", resource.alphaResourceClaimTemplateDefaults],
  ["scheduling.k8s.io/v1/PriorityClass", priorityClassDefaults],
  ["scheduling.k8s.io/v1beta1/PriorityClass", priorityClassDefaults],
  ["scheduling.k8s.io/v1alpha1/PriorityClass", priorityClassDefaults],
  ["scheduling.k8s.io/v1alpha2/PodGroup", podGroupDefaults],
  ["settings.k8s.io/v1alpha1/PodPreset", podPresetDefaults],
  ["storage.k8s.io/v1/CSIDriver", storage.csiDriverDefaults],
  ["storage.k8s.io/v1/StorageClass", storage.storageClassDefaults],
  ["storage.k8s.io/v1/VolumeAttachment", storage.volumeAttachmentDefaults],
  ["storage.k8s.io/v1beta1/CSIDriver", storage.csiDriverDefaults],
  ["storage.k8s.io/v1beta1/StorageClass", storage.storageClassDefaults],
  ["storage.k8s.io/v1beta1/VolumeAttachment", storage.volumeAttachmentDefaults],
  ["storage.k8s.io/v1alpha1/VolumeAttachment", storage.volumeAttachmentDefaults],
]);

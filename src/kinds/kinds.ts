import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import { mutatingAdmissionPolicyKind } from "./admissionregistration/mutating-admission-policy/mutating-admission-policy-kind.ts";
import { mutatingAdmissionPolicyBindingKind } from "./admissionregistration/mutating-admission-policy-binding/mutating-admission-policy-binding-kind.ts";
import { mutatingWebhookConfigurationKind } from "./admissionregistration/mutating-webhook-configuration/mutating-webhook-configuration-kind.ts";
import { validatingAdmissionPolicyKind } from "./admissionregistration/validating-admission-policy/validating-admission-policy-kind.ts";
import { validatingAdmissionPolicyBindingKind } from "./admissionregistration/validating-admission-policy-binding/validating-admission-policy-binding-kind.ts";
import { validatingWebhookConfigurationKind } from "./admissionregistration/validating-webhook-configuration/validating-webhook-configuration-kind.ts";
import { customResourceDefinitionKind } from "./apiextensions/custom-resource-definition/custom-resource-definition-kind.ts";
import { apiServiceKind } from "./apiregistration/api-service/api-service-kind.ts";
import { storageVersionKind } from "./apiserverinternal/storage-version/storage-version-kind.ts";
import { controllerRevisionKind } from "./apps/controller-revision/controller-revision-kind.ts";
import { daemonSetKind } from "./apps/daemon-set/daemon-set-kind.ts";
import { deploymentKind } from "./apps/deployment/deployment-kind.ts";
import { replicaSetKind } from "./apps/replica-set/replica-set-kind.ts";
import { statefulSetKind } from "./apps/stateful-set/stateful-set-kind.ts";
import { auditSinkKind } from "./auditregistration/audit-sink/audit-sink-kind.ts";
import { selfSubjectReviewKind } from "./authentication/self-subject-review/self-subject-review-kind.ts";
import { tokenReviewKind } from "./authentication/token-review/token-review-kind.ts";
import { localSubjectAccessReviewKind } from "./authorization/local-subject-access-review/local-subject-access-review-kind.ts";
import { selfSubjectAccessReviewKind } from "./authorization/self-subject-access-review/self-subject-access-review-kind.ts";
import { selfSubjectRulesReviewKind } from "./authorization/self-subject-rules-review/self-subject-rules-review-kind.ts";
import { subjectAccessReviewKind } from "./authorization/subject-access-review/subject-access-review-kind.ts";
import { horizontalPodAutoscalerKind } from "./autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-kind.ts";
import { cronJobKind } from "./batch/cron-job/cron-job-kind.ts";
import { jobKind } from "./batch/job/job-kind.ts";
import { certificateSigningRequestKind } from "./certificates/certificate-signing-request/certificate-signing-request-kind.ts";
import { clusterTrustBundleKind } from "./certificates/cluster-trust-bundle/cluster-trust-bundle-kind.ts";
import { podCertificateRequestKind } from "./certificates/pod-certificate-request/pod-certificate-request-kind.ts";
import { leaseKind } from "./coordination/lease/lease-kind.ts";
import { leaseCandidateKind } from "./coordination/lease-candidate/lease-candidate-kind.ts";
import { bindingKind } from "./core/binding/binding-kind.ts";
import { componentStatusKind } from "./core/component-status/component-status-kind.ts";
import { configMapKind } from "./core/config-map/config-map-kind.ts";
import { endpointsKind } from "./core/endpoints/endpoints-kind.ts";
import { eventKind } from "./core/event/event-kind.ts";
import { limitRangeKind } from "./core/limit-range/limit-range-kind.ts";
import { namespaceKind } from "./core/namespace/namespace-kind.ts";
import { nodeKind } from "./core/node/node-kind.ts";
import { persistentVolumeKind } from "./core/persistent-volume/persistent-volume-kind.ts";
import { persistentVolumeClaimKind } from "./core/persistent-volume-claim/persistent-volume-claim-kind.ts";
import { podKind } from "./core/pod/pod-kind.ts";
import { podTemplateKind } from "./core/pod-template/pod-template-kind.ts";
import { replicationControllerKind } from "./core/replication-controller/replication-controller-kind.ts";
import { resourceQuotaKind } from "./core/resource-quota/resource-quota-kind.ts";
import { secretKind } from "./core/secret/secret-kind.ts";
import { serviceKind } from "./core/service/service-kind.ts";
import { serviceAccountKind } from "./core/service-account/service-account-kind.ts";
import { endpointSliceKind } from "./discovery/endpoint-slice/endpoint-slice-kind.ts";
import { flowSchemaKind } from "./flowcontrol/flow-schema/flow-schema-kind.ts";
import { priorityLevelConfigurationKind } from "./flowcontrol/priority-level-configuration/priority-level-configuration-kind.ts";
import { ingressKind } from "./networking/ingress/ingress-kind.ts";
import { ingressClassKind } from "./networking/ingress-class/ingress-class-kind.ts";
import { ipAddressKind } from "./networking/ip-address/ip-address-kind.ts";
import { networkPolicyKind } from "./networking/network-policy/network-policy-kind.ts";
import { serviceCidrKind } from "./networking/service-cidr/service-cidr-kind.ts";
import { runtimeClassKind } from "./node/runtime-class/runtime-class-kind.ts";
import { podDisruptionBudgetKind } from "./policy/pod-disruption-budget/pod-disruption-budget-kind.ts";
import { podSecurityPolicyKind } from "./policy/pod-security-policy/pod-security-policy-kind.ts";
import { clusterRoleKind } from "./rbac/cluster-role/cluster-role-kind.ts";
import { clusterRoleBindingKind } from "./rbac/cluster-role-binding/cluster-role-binding-kind.ts";
import { roleKind } from "./rbac/role/role-kind.ts";
import { roleBindingKind } from "./rbac/role-binding/role-binding-kind.ts";
import {
  resourceClaimParametersKind,
  resourceClassParametersKind,
} from "./resource/classes/parameters-kinds.ts";
import { deviceClassKind } from "./resource/device-class/device-class-kind.ts";
import { deviceTaintRuleKind } from "./resource/device-taint-rule/device-taint-rule-kind.ts";
import {
  podSchedulingContextKind,
  podSchedulingKind,
} from "./resource/pod-scheduling-context/pod-scheduling-context-kind.ts";
import { resourceClaimKind } from "./resource/resource-claim/resource-claim-kind.ts";
import { resourceClaimTemplateKind } from "./resource/resource-claim-template/resource-claim-template-kind.ts";
import { resourceClassKind } from "./resource/resource-class/resource-class-kind.ts";
import { resourcePoolStatusRequestKind } from "./resource/resource-pool-status-request/resource-pool-status-request-kind.ts";
import { resourceSliceKind } from "./resource/resource-slice/resource-slice-kind.ts";
import { podGroupKind } from "./scheduling/pod-group/pod-group-kind.ts";
import { priorityClassKind } from "./scheduling/priority-class/priority-class-kind.ts";
import { workloadKind } from "./scheduling/workload/workload-kind.ts";
import { podPresetKind } from "./settings/pod-preset/pod-preset-kind.ts";
import { csiDriverKind } from "./storage/csi-driver/csi-driver-kind.ts";
import { csiNodeKind } from "./storage/csi-node/csi-node-kind.ts";
import { csiStorageCapacityKind } from "./storage/csi-storage-capacity/csi-storage-capacity-kind.ts";
import { storageClassKind } from "./storage/storage-class/storage-class-kind.ts";
import { volumeAttachmentKind } from "./storage/volume-attachment/volume-attachment-kind.ts";
import { volumeAttributesClassKind } from "./storage/volume-attributes-class/volume-attributes-class-kind.ts";
import { storageVersionMigrationKind } from "./storagemigration/storage-version-migration/storage-version-migration-kind.ts";

/** The built-in kinds that differ from the generic registry in some way. A new one is a folder and a line. */
export const builtInKinds: readonly KindDefinition[] = [
  bindingKind,
  componentStatusKind,
  configMapKind,
  endpointsKind,
  eventKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  podKind,
  podTemplateKind,
  replicationControllerKind,
  resourceQuotaKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
  mutatingAdmissionPolicyKind,
  mutatingAdmissionPolicyBindingKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  validatingWebhookConfigurationKind,
  customResourceDefinitionKind,
  apiServiceKind,
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  auditSinkKind,
  selfSubjectReviewKind,
  tokenReviewKind,
  localSubjectAccessReviewKind,
  selfSubjectAccessReviewKind,
  selfSubjectRulesReviewKind,
  subjectAccessReviewKind,
  horizontalPodAutoscalerKind,
  cronJobKind,
  jobKind,
  certificateSigningRequestKind,
  clusterTrustBundleKind,
  podCertificateRequestKind,
  leaseCandidateKind,
  leaseKind,
  endpointSliceKind,
  flowSchemaKind,
  priorityLevelConfigurationKind,
  storageVersionKind,
  ingressClassKind,
  ingressKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
  runtimeClassKind,
  podDisruptionBudgetKind,
  podSecurityPolicyKind,
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKind,
  deviceClassKind,
  deviceTaintRuleKind,
  podSchedulingContextKind,
  podSchedulingKind,
  resourceClaimParametersKind,
  resourceClassParametersKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceClassKind,
  resourcePoolStatusRequestKind,
  resourceSliceKind,
  podGroupKind,
  priorityClassKind,
  workloadKind,
  podPresetKind,
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  storageClassKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
  storageVersionMigrationKind,
];

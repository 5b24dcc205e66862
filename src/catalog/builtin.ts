import admissionK8sIoV1 from "./generated/admission.k8s.io_v1.json?raw";
import admissionK8sIoV1beta1 from "./generated/admission.k8s.io_v1beta1.json?raw";
import admissionregistrationK8sIoV1 from "./generated/admissionregistration.k8s.io_v1.json?raw";
import admissionregistrationK8sIoV1alpha1 from "./generated/admissionregistration.k8s.io_v1alpha1.json?raw";
import admissionregistrationK8sIoV1beta1 from "./generated/admissionregistration.k8s.io_v1beta1.json?raw";
import apidiscoveryK8sIoV2 from "./generated/apidiscovery.k8s.io_v2.json?raw";
import apidiscoveryK8sIoV2beta1 from "./generated/apidiscovery.k8s.io_v2beta1.json?raw";
import apiextensionsK8sIoV1 from "./generated/apiextensions.k8s.io_v1.json?raw";
import apiextensionsK8sIoV1beta1 from "./generated/apiextensions.k8s.io_v1beta1.json?raw";
import apiregistrationK8sIoV1 from "./generated/apiregistration.k8s.io_v1.json?raw";
import apiregistrationK8sIoV1beta1 from "./generated/apiregistration.k8s.io_v1beta1.json?raw";
import apiserverConfigK8sIoV1 from "./generated/apiserver.config.k8s.io_v1.json?raw";
import apiserverConfigK8sIoV1alpha1 from "./generated/apiserver.config.k8s.io_v1alpha1.json?raw";
import apiserverConfigK8sIoV1beta1 from "./generated/apiserver.config.k8s.io_v1beta1.json?raw";
import appsV1 from "./generated/apps_v1.json?raw";
import appsV1beta1 from "./generated/apps_v1beta1.json?raw";
import appsV1beta2 from "./generated/apps_v1beta2.json?raw";
import auditK8sIoV1 from "./generated/audit.k8s.io_v1.json?raw";
import auditK8sIoV1alpha1 from "./generated/audit.k8s.io_v1alpha1.json?raw";
import auditK8sIoV1beta1 from "./generated/audit.k8s.io_v1beta1.json?raw";
import auditregistrationK8sIoV1alpha1 from "./generated/auditregistration.k8s.io_v1alpha1.json?raw";
import authenticationK8sIoV1 from "./generated/authentication.k8s.io_v1.json?raw";
import authenticationK8sIoV1alpha1 from "./generated/authentication.k8s.io_v1alpha1.json?raw";
import authenticationK8sIoV1beta1 from "./generated/authentication.k8s.io_v1beta1.json?raw";
import authorizationK8sIoV1 from "./generated/authorization.k8s.io_v1.json?raw";
import authorizationK8sIoV1beta1 from "./generated/authorization.k8s.io_v1beta1.json?raw";
import autoscalingV1 from "./generated/autoscaling_v1.json?raw";
import autoscalingV2 from "./generated/autoscaling_v2.json?raw";
import autoscalingV2beta1 from "./generated/autoscaling_v2beta1.json?raw";
import autoscalingV2beta2 from "./generated/autoscaling_v2beta2.json?raw";
import batchV1 from "./generated/batch_v1.json?raw";
import batchV1beta1 from "./generated/batch_v1beta1.json?raw";
import batchV2alpha1 from "./generated/batch_v2alpha1.json?raw";
import certificatesK8sIoV1 from "./generated/certificates.k8s.io_v1.json?raw";
import certificatesK8sIoV1alpha1 from "./generated/certificates.k8s.io_v1alpha1.json?raw";
import certificatesK8sIoV1beta1 from "./generated/certificates.k8s.io_v1beta1.json?raw";
import clientAuthenticationK8sIoV1 from "./generated/client.authentication.k8s.io_v1.json?raw";
import clientAuthenticationK8sIoV1alpha1 from "./generated/client.authentication.k8s.io_v1alpha1.json?raw";
import clientAuthenticationK8sIoV1beta1 from "./generated/client.authentication.k8s.io_v1beta1.json?raw";
import coordinationK8sIoV1 from "./generated/coordination.k8s.io_v1.json?raw";
import coordinationK8sIoV1alpha1 from "./generated/coordination.k8s.io_v1alpha1.json?raw";
import coordinationK8sIoV1alpha2 from "./generated/coordination.k8s.io_v1alpha2.json?raw";
import coordinationK8sIoV1beta1 from "./generated/coordination.k8s.io_v1beta1.json?raw";
import coreV1 from "./generated/core_v1.json?raw";
import discoveryK8sIoV1 from "./generated/discovery.k8s.io_v1.json?raw";
import discoveryK8sIoV1alpha1 from "./generated/discovery.k8s.io_v1alpha1.json?raw";
import discoveryK8sIoV1beta1 from "./generated/discovery.k8s.io_v1beta1.json?raw";
import eventsK8sIoV1 from "./generated/events.k8s.io_v1.json?raw";
import eventsK8sIoV1beta1 from "./generated/events.k8s.io_v1beta1.json?raw";
import extensionsV1beta1 from "./generated/extensions_v1beta1.json?raw";
import flowcontrolApiserverK8sIoV1 from "./generated/flowcontrol.apiserver.k8s.io_v1.json?raw";
import flowcontrolApiserverK8sIoV1alpha1 from "./generated/flowcontrol.apiserver.k8s.io_v1alpha1.json?raw";
import flowcontrolApiserverK8sIoV1beta1 from "./generated/flowcontrol.apiserver.k8s.io_v1beta1.json?raw";
import flowcontrolApiserverK8sIoV1beta2 from "./generated/flowcontrol.apiserver.k8s.io_v1beta2.json?raw";
import flowcontrolApiserverK8sIoV1beta3 from "./generated/flowcontrol.apiserver.k8s.io_v1beta3.json?raw";
import imagepolicyK8sIoV1alpha1 from "./generated/imagepolicy.k8s.io_v1alpha1.json?raw";
import index from "./generated/index.json?raw";
import internalApiserverK8sIoV1alpha1 from "./generated/internal.apiserver.k8s.io_v1alpha1.json?raw";
import metaV1 from "./generated/meta_v1.json?raw";
import metaV1beta1 from "./generated/meta_v1beta1.json?raw";
import networkingK8sIoV1 from "./generated/networking.k8s.io_v1.json?raw";
import networkingK8sIoV1alpha1 from "./generated/networking.k8s.io_v1alpha1.json?raw";
import networkingK8sIoV1beta1 from "./generated/networking.k8s.io_v1beta1.json?raw";
import nodeK8sIoV1 from "./generated/node.k8s.io_v1.json?raw";
import nodeK8sIoV1alpha1 from "./generated/node.k8s.io_v1alpha1.json?raw";
import nodeK8sIoV1beta1 from "./generated/node.k8s.io_v1beta1.json?raw";
import policyV1 from "./generated/policy_v1.json?raw";
import policyV1beta1 from "./generated/policy_v1beta1.json?raw";
import rbacAuthorizationK8sIoV1 from "./generated/rbac.authorization.k8s.io_v1.json?raw";
import rbacAuthorizationK8sIoV1alpha1 from "./generated/rbac.authorization.k8s.io_v1alpha1.json?raw";
import rbacAuthorizationK8sIoV1beta1 from "./generated/rbac.authorization.k8s.io_v1beta1.json?raw";
import resourceK8sIoV1 from "./generated/resource.k8s.io_v1.json?raw";
import resourceK8sIoV1alpha1 from "./generated/resource.k8s.io_v1alpha1.json?raw";
import resourceK8sIoV1alpha2 from "./generated/resource.k8s.io_v1alpha2.json?raw";
import resourceK8sIoV1alpha3 from "./generated/resource.k8s.io_v1alpha3.json?raw";
import resourceK8sIoV1beta1 from "./generated/resource.k8s.io_v1beta1.json?raw";
import resourceK8sIoV1beta2 from "./generated/resource.k8s.io_v1beta2.json?raw";
import resourceFacts from "./generated/resource-facts.json?raw";
import schedulingK8sIoV1 from "./generated/scheduling.k8s.io_v1.json?raw";
import schedulingK8sIoV1alpha1 from "./generated/scheduling.k8s.io_v1alpha1.json?raw";
import schedulingK8sIoV1alpha2 from "./generated/scheduling.k8s.io_v1alpha2.json?raw";
import schedulingK8sIoV1beta1 from "./generated/scheduling.k8s.io_v1beta1.json?raw";
import settingsK8sIoV1alpha1 from "./generated/settings.k8s.io_v1alpha1.json?raw";
import storageK8sIoV1 from "./generated/storage.k8s.io_v1.json?raw";
import storageK8sIoV1alpha1 from "./generated/storage.k8s.io_v1alpha1.json?raw";
import storageK8sIoV1beta1 from "./generated/storage.k8s.io_v1beta1.json?raw";
import storagemigrationK8sIoV1alpha1 from "./generated/storagemigration.k8s.io_v1alpha1.json?raw";
import storagemigrationK8sIoV1beta1 from "./generated/storagemigration.k8s.io_v1beta1.json?raw";

/** The catalog's files as text, by group and version as their type references spell them: `core/v1`, `meta/v1`. */
const texts: ReadonlyMap<string, string> = new Map([
  ["admission.k8s.io/v1", admissionK8sIoV1],
  ["admission.k8s.io/v1beta1", admissionK8sIoV1beta1],
  ["admissionregistration.k8s.io/v1", admissionregistrationK8sIoV1],
  ["admissionregistration.k8s.io/v1alpha1", admissionregistrationK8sIoV1alpha1],
  ["admissionregistration.k8s.io/v1beta1", admissionregistrationK8sIoV1beta1],
  ["apidiscovery.k8s.io/v2", apidiscoveryK8sIoV2],
  ["apidiscovery.k8s.io/v2beta1", apidiscoveryK8sIoV2beta1],
  ["apiextensions.k8s.io/v1", apiextensionsK8sIoV1],
  ["apiextensions.k8s.io/v1beta1", apiextensionsK8sIoV1beta1],
  ["apiregistration.k8s.io/v1", apiregistrationK8sIoV1],
  ["apiregistration.k8s.io/v1beta1", apiregistrationK8sIoV1beta1],
  ["apiserver.config.k8s.io/v1", apiserverConfigK8sIoV1],
  ["apiserver.config.k8s.io/v1alpha1", apiserverConfigK8sIoV1alpha1],
  ["apiserver.config.k8s.io/v1beta1", apiserverConfigK8sIoV1beta1],
  ["apps/v1", appsV1],
  ["apps/v1beta1", appsV1beta1],
  ["apps/v1beta2", appsV1beta2],
  ["audit.k8s.io/v1", auditK8sIoV1],
  ["audit.k8s.io/v1alpha1", auditK8sIoV1alpha1],
  ["audit.k8s.io/v1beta1", auditK8sIoV1beta1],
  ["auditregistration.k8s.io/v1alpha1", auditregistrationK8sIoV1alpha1],
  ["authentication.k8s.io/v1", authenticationK8sIoV1],
  ["authentication.k8s.io/v1alpha1", authenticationK8sIoV1alpha1],
  ["authentication.k8s.io/v1beta1", authenticationK8sIoV1beta1],
  ["authorization.k8s.io/v1", authorizationK8sIoV1],
  ["authorization.k8s.io/v1beta1", authorizationK8sIoV1beta1],
  ["autoscaling/v1", autoscalingV1],
  ["autoscaling/v2", autoscalingV2],
  ["autoscaling/v2beta1", autoscalingV2beta1],
  ["autoscaling/v2beta2", autoscalingV2beta2],
  ["batch/v1", batchV1],
  ["batch/v1beta1", batchV1beta1],
  ["batch/v2alpha1", batchV2alpha1],
  ["certificates.k8s.io/v1", certificatesK8sIoV1],
  ["certificates.k8s.io/v1alpha1", certificatesK8sIoV1alpha1],
  ["certificates.k8s.io/v1beta1", certificatesK8sIoV1beta1],
  ["client.authentication.k8s.io/v1", clientAuthenticationK8sIoV1],
  ["client.authentication.k8s.io/v1alpha1", clientAuthenticationK8sIoV1alpha1],
  ["client.authentication.k8s.io/v1beta1", clientAuthenticationK8sIoV1beta1],
  ["coordination.k8s.io/v1", coordinationK8sIoV1],
  ["coordination.k8s.io/v1alpha1", coordinationK8sIoV1alpha1],
  ["coordination.k8s.io/v1alpha2", coordinationK8sIoV1alpha2],
  ["coordination.k8s.io/v1beta1", coordinationK8sIoV1beta1],
  ["core/v1", coreV1],
  ["discovery.k8s.io/v1", discoveryK8sIoV1],
  ["discovery.k8s.io/v1alpha1", discoveryK8sIoV1alpha1],
  ["discovery.k8s.io/v1beta1", discoveryK8sIoV1beta1],
  ["events.k8s.io/v1", eventsK8sIoV1],
  ["events.k8s.io/v1beta1", eventsK8sIoV1beta1],
  ["extensions/v1beta1", extensionsV1beta1],
  ["flowcontrol.apiserver.k8s.io/v1", flowcontrolApiserverK8sIoV1],
  ["flowcontrol.apiserver.k8s.io/v1alpha1", flowcontrolApiserverK8sIoV1alpha1],
  ["flowcontrol.apiserver.k8s.io/v1beta1", flowcontrolApiserverK8sIoV1beta1],
  ["flowcontrol.apiserver.k8s.io/v1beta2", flowcontrolApiserverK8sIoV1beta2],
  ["flowcontrol.apiserver.k8s.io/v1beta3", flowcontrolApiserverK8sIoV1beta3],
  ["imagepolicy.k8s.io/v1alpha1", imagepolicyK8sIoV1alpha1],
  ["internal.apiserver.k8s.io/v1alpha1", internalApiserverK8sIoV1alpha1],
  ["meta/v1", metaV1],
  ["meta/v1beta1", metaV1beta1],
  ["networking.k8s.io/v1", networkingK8sIoV1],
  ["networking.k8s.io/v1alpha1", networkingK8sIoV1alpha1],
  ["networking.k8s.io/v1beta1", networkingK8sIoV1beta1],
  ["node.k8s.io/v1", nodeK8sIoV1],
  ["node.k8s.io/v1alpha1", nodeK8sIoV1alpha1],
  ["node.k8s.io/v1beta1", nodeK8sIoV1beta1],
  ["policy/v1", policyV1],
  ["policy/v1beta1", policyV1beta1],
  ["rbac.authorization.k8s.io/v1", rbacAuthorizationK8sIoV1],
  ["rbac.authorization.k8s.io/v1alpha1", rbacAuthorizationK8sIoV1alpha1],
  ["rbac.authorization.k8s.io/v1beta1", rbacAuthorizationK8sIoV1beta1],
  ["resource.k8s.io/v1", resourceK8sIoV1],
  ["resource.k8s.io/v1alpha1", resourceK8sIoV1alpha1],
  ["resource.k8s.io/v1alpha2", resourceK8sIoV1alpha2],
  ["resource.k8s.io/v1alpha3", resourceK8sIoV1alpha3],
  ["resource.k8s.io/v1beta1", resourceK8sIoV1beta1],
  ["resource.k8s.io/v1beta2", resourceK8sIoV1beta2],
  ["scheduling.k8s.io/v1", schedulingK8sIoV1],
  ["scheduling.k8s.io/v1alpha1", schedulingK8sIoV1alpha1],
  ["scheduling.k8s.io/v1alpha2", schedulingK8sIoV1alpha2],
  ["scheduling.k8s.io/v1beta1", schedulingK8sIoV1beta1],
  ["settings.k8s.io/v1alpha1", settingsK8sIoV1alpha1],
  ["storage.k8s.io/v1", storageK8sIoV1],
  ["storage.k8s.io/v1alpha1", storageK8sIoV1alpha1],
  ["storage.k8s.io/v1beta1", storageK8sIoV1beta1],
  ["storagemigration.k8s.io/v1alpha1", storagemigrationK8sIoV1alpha1],
  ["storagemigration.k8s.io/v1beta1", storagemigrationK8sIoV1beta1],
]);

/** The file of one group and version; undefined when the catalog has none. */
export function builtinFile(key: string): string | undefined {
  return texts.get(key);
}

/** The keys of all files. */
export function builtinFileKeys(): readonly string[] {
  return [...texts.keys()];
}

/** What each release serves, without the types: made by `tools/catalog-index.mjs`. */
export const builtinIndex: string = index;

/** Facts of the resources of 1.32 that the catalog's files do not hold: made by `tools/resource-facts.mjs`. */
export const builtinResourceFacts: string = resourceFacts;

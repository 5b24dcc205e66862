import type admissionregistrationV1 from "./generated/admissionregistration.k8s.io_v1.json";
import type admissionregistrationV1alpha1 from "./generated/admissionregistration.k8s.io_v1alpha1.json";
import type admissionregistrationV1beta1 from "./generated/admissionregistration.k8s.io_v1beta1.json";
import type apiextensionsV1 from "./generated/apiextensions.k8s.io_v1.json";
import type apiextensionsV1beta1 from "./generated/apiextensions.k8s.io_v1beta1.json";
import type apiregistrationV1 from "./generated/apiregistration.k8s.io_v1.json";
import type apiregistrationV1beta1 from "./generated/apiregistration.k8s.io_v1beta1.json";
import type appsV1 from "./generated/apps_v1.json";
import type appsV1beta1 from "./generated/apps_v1beta1.json";
import type appsV1beta2 from "./generated/apps_v1beta2.json";
import type auditregistrationV1alpha1 from "./generated/auditregistration.k8s.io_v1alpha1.json";
import type authenticationV1 from "./generated/authentication.k8s.io_v1.json";
import type authenticationV1alpha1 from "./generated/authentication.k8s.io_v1alpha1.json";
import type authenticationV1beta1 from "./generated/authentication.k8s.io_v1beta1.json";
import type authorizationV1 from "./generated/authorization.k8s.io_v1.json";
import type authorizationV1beta1 from "./generated/authorization.k8s.io_v1beta1.json";
import type autoscalingV1 from "./generated/autoscaling_v1.json";
import type autoscalingV2 from "./generated/autoscaling_v2.json";
import type autoscalingV2beta1 from "./generated/autoscaling_v2beta1.json";
import type autoscalingV2beta2 from "./generated/autoscaling_v2beta2.json";
import type batchV1 from "./generated/batch_v1.json";
import type batchV1beta1 from "./generated/batch_v1beta1.json";
import type batchV2alpha1 from "./generated/batch_v2alpha1.json";
import type certificatesV1 from "./generated/certificates.k8s.io_v1.json";
import type certificatesV1alpha1 from "./generated/certificates.k8s.io_v1alpha1.json";
import type certificatesV1beta1 from "./generated/certificates.k8s.io_v1beta1.json";
import type coordinationV1 from "./generated/coordination.k8s.io_v1.json";
import type coordinationV1alpha1 from "./generated/coordination.k8s.io_v1alpha1.json";
import type coordinationV1alpha2 from "./generated/coordination.k8s.io_v1alpha2.json";
import type coordinationV1beta1 from "./generated/coordination.k8s.io_v1beta1.json";
import type coreV1 from "./generated/core_v1.json";
import type discoveryV1 from "./generated/discovery.k8s.io_v1.json";
import type discoveryV1alpha1 from "./generated/discovery.k8s.io_v1alpha1.json";
import type discoveryV1beta1 from "./generated/discovery.k8s.io_v1beta1.json";
import type eventsV1 from "./generated/events.k8s.io_v1.json";
import type eventsV1beta1 from "./generated/events.k8s.io_v1beta1.json";
import type extensionsV1beta1 from "./generated/extensions_v1beta1.json";
import type flowcontrolV1 from "./generated/flowcontrol.apiserver.k8s.io_v1.json";
import type flowcontrolV1alpha1 from "./generated/flowcontrol.apiserver.k8s.io_v1alpha1.json";
import type flowcontrolV1beta1 from "./generated/flowcontrol.apiserver.k8s.io_v1beta1.json";
import type flowcontrolV1beta2 from "./generated/flowcontrol.apiserver.k8s.io_v1beta2.json";
import type flowcontrolV1beta3 from "./generated/flowcontrol.apiserver.k8s.io_v1beta3.json";
import type internalV1alpha1 from "./generated/internal.apiserver.k8s.io_v1alpha1.json";
import type networkingV1 from "./generated/networking.k8s.io_v1.json";
import type networkingV1alpha1 from "./generated/networking.k8s.io_v1alpha1.json";
import type networkingV1beta1 from "./generated/networking.k8s.io_v1beta1.json";
import type nodeV1 from "./generated/node.k8s.io_v1.json";
import type nodeV1alpha1 from "./generated/node.k8s.io_v1alpha1.json";
import type nodeV1beta1 from "./generated/node.k8s.io_v1beta1.json";
import type policyV1 from "./generated/policy_v1.json";
import type policyV1beta1 from "./generated/policy_v1beta1.json";
import type rbacV1 from "./generated/rbac.authorization.k8s.io_v1.json";
import type rbacV1alpha1 from "./generated/rbac.authorization.k8s.io_v1alpha1.json";
import type rbacV1beta1 from "./generated/rbac.authorization.k8s.io_v1beta1.json";
import type resourceV1 from "./generated/resource.k8s.io_v1.json";
import type resourceV1alpha1 from "./generated/resource.k8s.io_v1alpha1.json";
import type resourceV1alpha2 from "./generated/resource.k8s.io_v1alpha2.json";
import type resourceV1alpha3 from "./generated/resource.k8s.io_v1alpha3.json";
import type resourceV1beta1 from "./generated/resource.k8s.io_v1beta1.json";
import type resourceV1beta2 from "./generated/resource.k8s.io_v1beta2.json";
import type schedulingV1 from "./generated/scheduling.k8s.io_v1.json";
import type schedulingV1alpha1 from "./generated/scheduling.k8s.io_v1alpha1.json";
import type schedulingV1alpha2 from "./generated/scheduling.k8s.io_v1alpha2.json";
import type schedulingV1beta1 from "./generated/scheduling.k8s.io_v1beta1.json";
import type settingsV1alpha1 from "./generated/settings.k8s.io_v1alpha1.json";
import type storageV1 from "./generated/storage.k8s.io_v1.json";
import type storageV1alpha1 from "./generated/storage.k8s.io_v1alpha1.json";
import type storageV1beta1 from "./generated/storage.k8s.io_v1beta1.json";
import type storagemigrationV1alpha1 from "./generated/storagemigration.k8s.io_v1alpha1.json";
import type storagemigrationV1beta1 from "./generated/storagemigration.k8s.io_v1beta1.json";

/**
 * The types of the catalog's files, which do not exist at run time. A misspelled group, resource or subresource does not
 * compile.
 */
interface Files {
  "admissionregistration.k8s.io/v1": typeof admissionregistrationV1;
  "admissionregistration.k8s.io/v1alpha1": typeof admissionregistrationV1alpha1;
  "admissionregistration.k8s.io/v1beta1": typeof admissionregistrationV1beta1;
  "apiextensions.k8s.io/v1": typeof apiextensionsV1;
  "apiextensions.k8s.io/v1beta1": typeof apiextensionsV1beta1;
  "apiregistration.k8s.io/v1": typeof apiregistrationV1;
  "apiregistration.k8s.io/v1beta1": typeof apiregistrationV1beta1;
  "apps/v1": typeof appsV1;
  "apps/v1beta1": typeof appsV1beta1;
  "apps/v1beta2": typeof appsV1beta2;
  "auditregistration.k8s.io/v1alpha1": typeof auditregistrationV1alpha1;
  "authentication.k8s.io/v1": typeof authenticationV1;
  "authentication.k8s.io/v1alpha1": typeof authenticationV1alpha1;
  "authentication.k8s.io/v1beta1": typeof authenticationV1beta1;
  "authorization.k8s.io/v1": typeof authorizationV1;
  "authorization.k8s.io/v1beta1": typeof authorizationV1beta1;
  "autoscaling/v1": typeof autoscalingV1;
  "autoscaling/v2": typeof autoscalingV2;
  "autoscaling/v2beta1": typeof autoscalingV2beta1;
  "autoscaling/v2beta2": typeof autoscalingV2beta2;
  "batch/v1": typeof batchV1;
  "batch/v1beta1": typeof batchV1beta1;
  "batch/v2alpha1": typeof batchV2alpha1;
  "certificates.k8s.io/v1": typeof certificatesV1;
  "certificates.k8s.io/v1alpha1": typeof certificatesV1alpha1;
  "certificates.k8s.io/v1beta1": typeof certificatesV1beta1;
  "coordination.k8s.io/v1": typeof coordinationV1;
  "coordination.k8s.io/v1alpha1": typeof coordinationV1alpha1;
  "coordination.k8s.io/v1alpha2": typeof coordinationV1alpha2;
  "coordination.k8s.io/v1beta1": typeof coordinationV1beta1;
  v1: typeof coreV1;
  "discovery.k8s.io/v1": typeof discoveryV1;
  "discovery.k8s.io/v1alpha1": typeof discoveryV1alpha1;
  "discovery.k8s.io/v1beta1": typeof discoveryV1beta1;
  "events.k8s.io/v1": typeof eventsV1;
  "events.k8s.io/v1beta1": typeof eventsV1beta1;
  "extensions/v1beta1": typeof extensionsV1beta1;
  "flowcontrol.apiserver.k8s.io/v1": typeof flowcontrolV1;
  "flowcontrol.apiserver.k8s.io/v1alpha1": typeof flowcontrolV1alpha1;
  "flowcontrol.apiserver.k8s.io/v1beta1": typeof flowcontrolV1beta1;
  "flowcontrol.apiserver.k8s.io/v1beta2": typeof flowcontrolV1beta2;
  "flowcontrol.apiserver.k8s.io/v1beta3": typeof flowcontrolV1beta3;
  "internal.apiserver.k8s.io/v1alpha1": typeof internalV1alpha1;
  "networking.k8s.io/v1": typeof networkingV1;
  "networking.k8s.io/v1alpha1": typeof networkingV1alpha1;
  "networking.k8s.io/v1beta1": typeof networkingV1beta1;
  "node.k8s.io/v1": typeof nodeV1;
  "node.k8s.io/v1alpha1": typeof nodeV1alpha1;
  "node.k8s.io/v1beta1": typeof nodeV1beta1;
  "policy/v1": typeof policyV1;
  "policy/v1beta1": typeof policyV1beta1;
  "rbac.authorization.k8s.io/v1": typeof rbacV1;
  "rbac.authorization.k8s.io/v1alpha1": typeof rbacV1alpha1;
  "rbac.authorization.k8s.io/v1beta1": typeof rbacV1beta1;
  "resource.k8s.io/v1": typeof resourceV1;
  "resource.k8s.io/v1alpha1": typeof resourceV1alpha1;
  "resource.k8s.io/v1alpha2": typeof resourceV1alpha2;
  "resource.k8s.io/v1alpha3": typeof resourceV1alpha3;
  "resource.k8s.io/v1beta1": typeof resourceV1beta1;
  "resource.k8s.io/v1beta2": typeof resourceV1beta2;
  "scheduling.k8s.io/v1": typeof schedulingV1;
  "scheduling.k8s.io/v1alpha1": typeof schedulingV1alpha1;
  "scheduling.k8s.io/v1alpha2": typeof schedulingV1alpha2;
  "scheduling.k8s.io/v1beta1": typeof schedulingV1beta1;
  "settings.k8s.io/v1alpha1": typeof settingsV1alpha1;
  "storage.k8s.io/v1": typeof storageV1;
  "storage.k8s.io/v1alpha1": typeof storageV1alpha1;
  "storage.k8s.io/v1beta1": typeof storageV1beta1;
  "storagemigration.k8s.io/v1alpha1": typeof storagemigrationV1alpha1;
  "storagemigration.k8s.io/v1beta1": typeof storagemigrationV1beta1;
}

type ResourcesOf<GV extends keyof Files> = Files[GV]["resources"];

/** A group and version with resources in at least one release. */
export type BuiltInGroupVersion = keyof Files;

/** The name of a resource of at least one release. */
export type BuiltInResource = { [GV in keyof Files]: keyof ResourcesOf<GV> & string }[keyof Files];

/** The groups and versions with a resource of this name. */
export type GroupVersionsOf<R extends BuiltInResource> = {
  [GV in keyof Files]: R extends keyof ResourcesOf<GV> ? GV : never;
}[keyof Files];

/** The groups with a resource of this name. */
export type GroupsOf<R extends BuiltInResource> =
  GroupVersionsOf<R> extends infer GV ? (GV extends `${infer Group}/${string}` ? Group : "") : never;

/** The subresources of the resources with this name. */
export type SubresourcesOf<R extends BuiltInResource> = {
  [GV in keyof Files]: R extends keyof ResourcesOf<GV>
    ? ResourcesOf<GV>[R] extends { readonly subresources: infer Subresources }
      ? keyof Subresources & string
      : never
    : never;
}[keyof Files];

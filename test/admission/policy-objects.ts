import type { JsonObject, KubeObject } from "../../src/index.ts";

type PolicyType = "Validating" | "Mutating";

/** A rule for creates and updates of one resource. */
export function ruleFor(resource: string, group = ""): JsonObject {
  return { apiGroups: [group], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: [resource] };
}

/** A policy; its rule is one for ConfigMaps if `spec` has none. */
export function policy(type: PolicyType, spec: JsonObject, name = "p", version = "v1"): KubeObject {
  return {
    apiVersion: `admissionregistration.k8s.io/${version}`,
    kind: `${type}AdmissionPolicy`,
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [ruleFor("configmaps")] }, ...spec },
  };
}

/** A binding of `p`, or of the policy that `spec` names. */
export function binding(type: PolicyType, spec: JsonObject = {}, name = "b", version = "v1"): KubeObject {
  return {
    apiVersion: `admissionregistration.k8s.io/${version}`,
    kind: `${type}AdmissionPolicyBinding`,
    metadata: { name },
    spec: { policyName: "p", ...(type === "Validating" && { validationActions: ["Deny"] }), ...spec },
  };
}

/** A ConfigMap in the namespace default. */
export function configMap(name: string, more: JsonObject = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, ...more };
}

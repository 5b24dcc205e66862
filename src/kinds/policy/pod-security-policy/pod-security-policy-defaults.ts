import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

/**
 * PodSecurityPolicy. The default keeps policies unchanged that are older than the field.
 * Upstream: pkg/apis/policy/v1beta1/defaults.go, SetDefaults_PodSecurityPolicySpec.
 */
export const podSecurityPolicyDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ allowPrivilegeEscalation: true }),
);

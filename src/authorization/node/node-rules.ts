import { policyRule } from "../contract/policy-rule.ts";
import { RoleRules } from "../rbac/role-rules.ts";

const read = ["get", "list", "watch"];
const write = ["create", "patch", "update"];

/**
 * What every node may do, besides what the authorizer decides by object.
 * Upstream: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, `NodeRules`.
 */
export const nodeRules: RoleRules = new RoleRules([
  policyRule({ verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"] }),
  policyRule({
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["localsubjectaccessreviews", "subjectaccessreviews"],
  }),
  policyRule({ verbs: read, apiGroups: [""], resources: ["services", "nodes", "pods"] }),
  policyRule({ verbs: write, apiGroups: [""], resources: ["nodes", "events"] }),
  policyRule({ verbs: ["patch", "update"], apiGroups: [""], resources: ["nodes/status", "pods/status"] }),
  policyRule({ verbs: ["create", "delete"], apiGroups: [""], resources: ["pods"] }),
  policyRule({ verbs: ["create"], apiGroups: [""], resources: ["pods/eviction"] }),
  policyRule({ verbs: ["get"], apiGroups: [""], resources: ["endpoints"] }),
  policyRule({
    verbs: ["create", ...read],
    apiGroups: ["certificates.k8s.io"],
    resources: ["certificatesigningrequests"],
  }),
  policyRule({ verbs: read, apiGroups: ["storage.k8s.io"], resources: ["csidrivers"] }),
  policyRule({ verbs: read, apiGroups: ["node.k8s.io"], resources: ["runtimeclasses"] }),
]);

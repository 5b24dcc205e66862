import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { auditSinkDefaults } from "./audit-sink-defaults.ts";

export const auditSinkRules: KindRules<"auditsinks"> = {
  versions: {
    "auditregistration.k8s.io/v1alpha1": { defaults: auditSinkDefaults },
  },
};

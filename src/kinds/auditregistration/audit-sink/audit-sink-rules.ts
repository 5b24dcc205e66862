import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { auditSinkDefaults } from "./audit-sink-defaults.ts";

export const auditSinkRules: BuiltInRules<"auditsinks"> = {
  versions: {
    "auditregistration.k8s.io/v1alpha1": { defaults: auditSinkDefaults },
  },
};

import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const auditSinkKind: KindDefinition = builtInKind({
  group: "auditregistration.k8s.io",
  resource: "auditsinks",
  kind: "AuditSink",
  rules: async () => (await import("./audit-sink-rules.ts")).auditSinkRules,
});

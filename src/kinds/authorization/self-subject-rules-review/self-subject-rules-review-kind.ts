import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const selfSubjectRulesReviewKind: KindDefinition = builtInKind({
  group: "authorization.k8s.io",
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  isStored: false,
  rules: async () => (await import("./self-subject-rules-review-rules.ts")).selfSubjectRulesReviewRules,
});

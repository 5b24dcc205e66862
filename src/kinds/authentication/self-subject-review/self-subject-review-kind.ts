import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const selfSubjectReviewKind: KindDefinition = builtInKind({
  group: "authentication.k8s.io",
  resource: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  isStored: false,
  rules: async () => (await import("./self-subject-review-rules.ts")).selfSubjectReviewRules,
});

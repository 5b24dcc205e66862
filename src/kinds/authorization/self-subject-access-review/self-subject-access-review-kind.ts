import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const selfSubjectAccessReviewKind: KindDefinition = builtInKind({
  group: "authorization.k8s.io",
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  isStored: false,
  rules: async () => (await import("./self-subject-access-review-rules.ts")).selfSubjectAccessReviewRules,
});

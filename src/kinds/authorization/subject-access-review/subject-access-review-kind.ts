import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const subjectAccessReviewKind: KindDefinition = builtInKind({
  group: "authorization.k8s.io",
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  isStored: false,
  rules: async () => (await import("./subject-access-review-rules.ts")).subjectAccessReviewRules,
});

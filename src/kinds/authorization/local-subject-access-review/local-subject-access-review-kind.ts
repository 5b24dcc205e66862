import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const localSubjectAccessReviewKind: KindDefinition = builtInKind({
  group: "authorization.k8s.io",
  resource: "localsubjectaccessreviews",
  kind: "LocalSubjectAccessReview",
  isStored: false,
  rules: async () => (await import("./local-subject-access-review-rules.ts")).localSubjectAccessReviewRules,
});

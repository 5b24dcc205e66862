import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const tokenReviewKind: KindDefinition = builtInKind({
  group: "authentication.k8s.io",
  resource: "tokenreviews",
  kind: "TokenReview",
  isStored: false,
  rules: async () => (await import("./token-review-rules.ts")).tokenReviewRules,
});

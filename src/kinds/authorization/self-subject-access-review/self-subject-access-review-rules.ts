import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { selfSubjectAccessReviewRest } from "../access-review/access-review-rest.ts";

export const selfSubjectAccessReviewRules: KindRules<"selfsubjectaccessreviews"> = {
  rest: selfSubjectAccessReviewRest,
};

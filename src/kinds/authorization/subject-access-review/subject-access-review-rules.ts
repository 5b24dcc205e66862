import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { subjectAccessReviewRest } from "../access-review/access-review-rest.ts";

export const subjectAccessReviewRules: KindRules<"subjectaccessreviews"> = {
  rest: subjectAccessReviewRest,
};

import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { localSubjectAccessReviewRest } from "../access-review/access-review-rest.ts";

export const localSubjectAccessReviewRules: KindRules<"localsubjectaccessreviews"> = {
  rest: localSubjectAccessReviewRest,
};

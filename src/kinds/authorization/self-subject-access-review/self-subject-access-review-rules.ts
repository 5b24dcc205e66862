import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { selfSubjectAccessReviewRest } from "../access-review/access-review-rest.ts";

export const selfSubjectAccessReviewRules: BuiltInRules<"selfsubjectaccessreviews"> = {
  rest: selfSubjectAccessReviewRest,
};

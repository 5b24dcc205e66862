import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { localSubjectAccessReviewRest } from "../access-review/access-review-rest.ts";

export const localSubjectAccessReviewRules: BuiltInRules<"localsubjectaccessreviews"> = {
  rest: localSubjectAccessReviewRest,
};

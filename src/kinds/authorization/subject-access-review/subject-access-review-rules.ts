import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { subjectAccessReviewRest } from "../access-review/access-review-rest.ts";
import { accessReviewVersions } from "../access-review/access-review-versions.ts";

export const subjectAccessReviewRules: BuiltInRules<"subjectaccessreviews"> = {
  rest: subjectAccessReviewRest,
  versions: accessReviewVersions,
};

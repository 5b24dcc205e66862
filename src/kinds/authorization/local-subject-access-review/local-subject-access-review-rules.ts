import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { localSubjectAccessReviewRest } from "../access-review/access-review-rest.ts";
import { accessReviewVersions } from "../access-review/access-review-versions.ts";

export const localSubjectAccessReviewRules: BuiltInRules<"localsubjectaccessreviews"> = {
  rest: localSubjectAccessReviewRest,
  versions: accessReviewVersions,
};

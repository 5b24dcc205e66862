import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { selfSubjectReviewRest } from "./self-subject-review-rest.ts";

export const selfSubjectReviewRules: BuiltInRules<"selfsubjectreviews"> = {
  rest: selfSubjectReviewRest,
};

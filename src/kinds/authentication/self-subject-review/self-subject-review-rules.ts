import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { selfSubjectReviewRest } from "./self-subject-review-rest.ts";

export const selfSubjectReviewRules: KindRules<"selfsubjectreviews"> = {
  rest: selfSubjectReviewRest,
};

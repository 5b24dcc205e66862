import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { selfSubjectRulesReviewRest } from "./self-subject-rules-review-rest.ts";

export const selfSubjectRulesReviewRules: KindRules<"selfsubjectrulesreviews"> = {
  rest: selfSubjectRulesReviewRest,
};

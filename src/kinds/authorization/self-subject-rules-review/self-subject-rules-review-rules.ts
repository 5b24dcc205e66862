import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { selfSubjectRulesReviewRest } from "./self-subject-rules-review-rest.ts";

export const selfSubjectRulesReviewRules: BuiltInRules<"selfsubjectrulesreviews"> = {
  rest: selfSubjectRulesReviewRest,
};

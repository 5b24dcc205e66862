import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { tokenReviewRest } from "./token-review-rest.ts";

export const tokenReviewRules: BuiltInRules<"tokenreviews"> = {
  rest: tokenReviewRest,
};

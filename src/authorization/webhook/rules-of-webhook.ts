import type { RuleResolver } from "../contract/authorizer.ts";

/** What a webhook allows cannot be listed. */
export const rulesOfWebhook: RuleResolver = () => ({
  rules: [],
  isIncomplete: true,
  errors: ["webhook authorizer does not support user rule resolution"],
});

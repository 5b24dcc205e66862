import { type AuthorizationOf, noRules } from "./contract/authorizer.ts";
import { policyRule } from "./contract/policy-rule.ts";

/** Allows every request: `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: AuthorizationOf = () => ({
  authorize: () => ({ verdict: "allow", reason: "" }),
  rulesFor: () => ({
    ...noRules,
    rules: [
      policyRule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }),
      policyRule({ verbs: ["*"], nonResourceURLs: ["*"] }),
    ],
  }),
});

/** Allows no request: `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: AuthorizationOf = () => ({
  authorize: () => ({ verdict: "noOpinion", reason: "Everything is forbidden." }),
  rulesFor: () => noRules,
});

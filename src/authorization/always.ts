import type { Authorizer } from "./authorizer.ts";
import type { PolicyRule } from "./rbac-rules.ts";
import type { RuleResolver } from "./rule-resolver.ts";

/** Allows every request: `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = () => ({ verdict: "allow", reason: "" });

/** Allows no request: `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = () => ({ verdict: "noOpinion", reason: "Everything is forbidden." });

const nothing: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** The rules of `AlwaysAllow`. */
export const everyRule: RuleResolver = () => ({
  rules: [
    { ...nothing, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { ...nothing, verbs: ["*"], nonResourceURLs: ["*"] },
  ],
  isIncomplete: false,
  evaluationError: "",
});

/** The rules of `AlwaysDeny`. */
export const noRule: RuleResolver = () => ({ rules: [], isIncomplete: false, evaluationError: "" });

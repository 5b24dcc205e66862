import type { Authorizer } from "./authorizer.ts";
import type { PolicyRule } from "./rbac-rules.ts";
import type { RuleResolver } from "./rule-resolver.ts";

/** Everybody may do everything: `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = () => ({ verdict: "allow", reason: "" });

/** Nobody may do anything: `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = () => ({ verdict: "noOpinion", reason: "Everything is forbidden." });

const nothing: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** The rules of those who may do everything. */
export const everyRule: RuleResolver = () => ({
  rules: [
    { ...nothing, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { ...nothing, verbs: ["*"], nonResourceURLs: ["*"] },
  ],
  isIncomplete: false,
  evaluationError: "",
});

/** The rules of those who may do nothing. */
export const noRule: RuleResolver = () => ({ rules: [], isIncomplete: false, evaluationError: "" });

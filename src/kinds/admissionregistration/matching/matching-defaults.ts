import { all, type Defaulter, each, whenUnset } from "../../defaulting/defaulter.ts";

/** A Rule of a webhook or of a policy. */
export const ruleDefaults: Defaulter = whenUnset({ scope: "*" });

/** The selectors of a webhook or of a policy; an empty selector matches everything. */
export const selectorDefaults: Defaulter = whenUnset({ namespaceSelector: {}, objectSelector: {} });

/** The MatchResources of a policy or of a binding. */
export const matchResourcesDefaults: Defaulter = all(
  whenUnset({ matchPolicy: "Equivalent" }),
  selectorDefaults,
  each("resourceRules", ruleDefaults),
  each("excludeResourceRules", ruleDefaults),
);

import { all, type Defaulter, each, ifSet, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../../defaulting/service-reference.ts";
import { ruleDefaults, selectorDefaults } from "../matching/matching-defaults.ts";

/** A webhook of v1, validating or mutating. */
export const webhookDefaults: Defaulter = all(
  whenUnset({ failurePolicy: "Fail", matchPolicy: "Equivalent", timeoutSeconds: 10 }),
  selectorDefaults,
  ifSet("clientConfig", serviceReferenceDefaults),
  each("rules", ruleDefaults),
);

/** A webhook of v1beta1, validating or mutating. */
export const betaWebhookDefaults: Defaulter = all(
  whenUnset({ failurePolicy: "Ignore", matchPolicy: "Exact", sideEffects: "Unknown", timeoutSeconds: 30 }),
  whenZero({ admissionReviewVersions: ["v1beta1"] }),
  selectorDefaults,
  ifSet("clientConfig", serviceReferenceDefaults),
  each("rules", ruleDefaults),
);

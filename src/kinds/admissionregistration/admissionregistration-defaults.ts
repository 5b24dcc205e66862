import { all, type Defaulter, each, ifSet, inStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../defaulting/service-reference.ts";

const rule = whenUnset({ scope: "*" });
const selectors = whenUnset({ namespaceSelector: {}, objectSelector: {} });
const never = whenUnset({ reinvocationPolicy: "Never" });

const webhook = all(
  whenUnset({ failurePolicy: "Fail", matchPolicy: "Equivalent", timeoutSeconds: 10 }),
  selectors,
  ifSet("clientConfig", serviceReferenceDefaults),
  each("rules", rule),
);

const betaWebhook = all(
  whenUnset({ failurePolicy: "Ignore", matchPolicy: "Exact", sideEffects: "Unknown", timeoutSeconds: 30 }),
  whenZero({ admissionReviewVersions: ["v1beta1"] }),
  selectors,
  ifSet("clientConfig", serviceReferenceDefaults),
  each("rules", rule),
);

/** ValidatingWebhookConfiguration of v1 */
export const validatingWebhookDefaults: Defaulter = each("webhooks", webhook);

/** MutatingWebhookConfiguration of v1 */
export const mutatingWebhookDefaults: Defaulter = each("webhooks", webhook, never);

/** ValidatingWebhookConfiguration of v1beta1 */
export const betaValidatingWebhookDefaults: Defaulter = each("webhooks", betaWebhook);

/** MutatingWebhookConfiguration of v1beta1 */
export const betaMutatingWebhookDefaults: Defaulter = each("webhooks", betaWebhook, never);

const matchResources = all(
  whenUnset({ matchPolicy: "Equivalent" }),
  selectors,
  each("resourceRules", rule),
  each("excludeResourceRules", rule),
);

/** ValidatingAdmissionPolicy and MutatingAdmissionPolicy */
export const admissionPolicyDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ failurePolicy: "Fail" }),
  ifSet("matchConstraints", matchResources),
);

/** ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding */
export const admissionPolicyBindingDefaults: Defaulter = ifSet(
  "spec",
  ifSet("matchResources", matchResources),
);

/** The bindings of v1alpha1, which do not ask what happens without parameters */
export const alphaAdmissionPolicyBindingDefaults: Defaulter = all(
  admissionPolicyBindingDefaults,
  ifSet("spec", ifSet("paramRef", whenUnset({ parameterNotFoundAction: "Deny" }))),
);

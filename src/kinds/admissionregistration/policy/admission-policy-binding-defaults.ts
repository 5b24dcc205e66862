import { all, type Defaulter, ifSet, whenUnset } from "../../defaulting/defaulter.ts";
import { matchResourcesDefaults } from "../matching/matching-defaults.ts";

/** ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding. */
export const admissionPolicyBindingDefaults: Defaulter = ifSet(
  "spec",
  ifSet("matchResources", matchResourcesDefaults),
);

/** The bindings of v1alpha1, where `parameterNotFoundAction` has a default. */
export const alphaAdmissionPolicyBindingDefaults: Defaulter = all(
  admissionPolicyBindingDefaults,
  ifSet("spec", ifSet("paramRef", whenUnset({ parameterNotFoundAction: "Deny" }))),
);

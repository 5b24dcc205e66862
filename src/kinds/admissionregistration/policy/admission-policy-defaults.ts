import { type Defaulter, ifSet, inStruct, whenUnset } from "../../defaulting/defaulter.ts";
import { matchResourcesDefaults } from "../matching/matching-defaults.ts";

/** ValidatingAdmissionPolicy and MutatingAdmissionPolicy. */
export const admissionPolicyDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ failurePolicy: "Fail" }),
  ifSet("matchConstraints", matchResourcesDefaults),
);

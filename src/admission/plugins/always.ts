import type { AdmissionPlugin } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";

/** Admits every request, as the other plugins do without a reason to refuse. */
export function alwaysAdmit(): AdmissionPlugin {
  const admit = () => {};
  return { name: "AlwaysAdmit", handles: () => true, admit, validate: admit };
}

/** Refuses every request. */
export function alwaysDeny(): AdmissionPlugin {
  const deny: NonNullable<AdmissionPlugin["validate"]> = (attributes) => {
    throw refused(attributes, "admission control is denying all modifications");
  };
  return { name: "AlwaysDeny", handles: () => true, admit: deny, validate: deny };
}

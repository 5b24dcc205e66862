import { admissionEnvironment } from "../../cel/admission-environment.ts";
import type { Environment } from "../../cel/environment/environment.ts";
import type { DispatchEnvironment } from "./dispatch-environment.ts";

/** The environment of the match conditions of stored webhooks. */
export function conditionEnvironment({
  release,
  gates,
}: Pick<DispatchEnvironment, "gates" | "release">): Environment {
  const libraryCosts = gates.isEnabled("StrictCostEnforcementForWebhooks") ? "full" : "one";
  return admissionEnvironment({ release, expressions: "stored", libraryCosts });
}

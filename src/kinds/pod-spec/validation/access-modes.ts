import { fieldForbidden, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

const oncePod = "ReadWriteOncePod";
/** Those of releases without the gate ReadWriteOncePod. */
const oldModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"];
const accessModes = [...oldModes, oncePod];

/** Validates the access modes of a volume or a claim. ReadWriteOncePod excludes all others. */
export function addAccessModeErrors(
  errors: Findings,
  modes: readonly string[],
  field: string,
  allowsOncePod: boolean,
): void {
  const supported = allowsOncePod ? accessModes : oldModes;
  for (const mode of modes) {
    if (!supported.includes(mode)) errors.push(fieldNotSupported(field, mode, supported));
  }
  const others = modes.filter((mode) => mode !== oncePod && accessModes.includes(mode));
  if (allowsOncePod && modes.includes(oncePod) && others.length > 0) {
    errors.push(fieldForbidden(field, "may not use ReadWriteOncePod with other access modes"));
  }
}

/** Whether a volume or a claim may have the mode, because of the gate or because it has it already. */
export function allowsOncePodMode(gates: FeatureGates, oldSpec?: JsonObject): boolean {
  return gates.isEnabled("ReadWriteOncePod") || textsAt(oldSpec ?? {}, "accessModes").includes(oncePod);
}

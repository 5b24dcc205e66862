import { fieldForbidden, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates the access modes of a volume or a claim. ReadWriteOncePod excludes all others. */
export function addAccessModeErrors(errors: Findings, modes: readonly string[], field: string): void {
  for (const mode of modes) {
    if (!accessModes.includes(mode)) errors.push(fieldNotSupported(field, mode, accessModes));
  }
  const others = modes.filter((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  if (modes.includes("ReadWriteOncePod") && others.length > 0) {
    errors.push(fieldForbidden(field, "may not use ReadWriteOncePod with other access modes"));
  }
}

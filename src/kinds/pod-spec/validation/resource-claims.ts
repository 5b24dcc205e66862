import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addLabel, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";

/** Validates the resource claims of a pod. */
export function addResourceClaims(errors: Findings, claims: readonly JsonObject[], path: string): void {
  const names = new Set<string>();
  claims.forEach((claim, i) => {
    const at = index(path, i);
    addName(errors, textAt(claim, "name"), child(at, "name"), names);
    const { resourceClaimName, resourceClaimTemplateName } = claim;
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      errors.push(fieldInvalid(at, typedValue("core.PodResourceClaim", claim), detail));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
      errors.push(fieldInvalid(at, typedValue("core.PodResourceClaim", claim), detail));
    }
    for (const field of ["resourceClaimName", "resourceClaimTemplateName"]) {
      const value = claim[field];
      if (typeof value === "string") addSubdomain(errors, value, child(at, field));
    }
  });
}

function addName(errors: Findings, name: string, field: string, names: Set<string>): void {
  if (name === "") errors.push(fieldRequired(field));
  else if (names.has(name)) errors.push(fieldDuplicate(field, name));
  else addLabel(errors, name, field);
  names.add(name);
}

import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addLabel, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

/** Validates the resource claims of a pod. */
export function addResourceClaims(
  errors: Findings,
  claims: readonly JsonObject[],
  path: string,
  { gates, podName }: Pick<PodValidationOptions, "gates" | "podName">,
): void {
  if (!gates.since("1.31")) {
    addSourcedClaims(errors, claims, path, podName);
    return;
  }
  const names = new Set<string>();
  claims.forEach((claim, i) => {
    const at = index(path, i);
    addName(errors, textAt(claim, "name"), child(at, "name"), names);
    addSource(errors, claim, at, "core.PodResourceClaim");
  });
}

/** Until 1.30, claims have their names in a source, and a claim from a template has a name that is made of that of the pod. */
function addSourcedClaims(
  errors: Findings,
  claims: readonly JsonObject[],
  path: string,
  podName: string,
): void {
  const names = new Set<string>();
  claims.forEach((claim, i) => {
    const at = index(path, i);
    const name = textAt(claim, "name");
    const source = structAt(claim, "source");
    const field = child(at, "name");
    const isNew = !names.has(name) && dnsLabelMessages(name).length === 0;
    addName(errors, name, field, names);
    if (isNew && podName !== "" && source["resourceClaimTemplateName"] !== undefined) {
      const made = `${podName}-${name}`;
      for (const message of dnsSubdomainMessages(made))
        errors.push(fieldInvalid(field, made, `final ResourceClaim name: ${message}`));
    }
    addSource(errors, source, child(at, "source"), "core.ClaimSource");
  });
}

/** Validates that there is the name of one claim or template. */
function addSource(errors: Findings, source: JsonObject, at: string, type: string): void {
  const { resourceClaimName, resourceClaimTemplateName } = source;
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
    errors.push(fieldInvalid(at, typedValue(type, source), detail));
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
    errors.push(fieldInvalid(at, typedValue(type, source), detail));
  }
  for (const field of ["resourceClaimName", "resourceClaimTemplateName"]) {
    const value = source[field];
    if (typeof value === "string") addSubdomain(errors, value, child(at, field));
  }
}

function addName(errors: Findings, name: string, field: string, names: Set<string>): void {
  if (name === "") errors.push(fieldRequired(field));
  else if (names.has(name)) errors.push(fieldDuplicate(field, name));
  else addLabel(errors, name, field);
  names.add(name);
}

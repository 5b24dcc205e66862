import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelMessages } from "../../../apimachinery/validation/names.ts";
import { addClientConfigErrors } from "../../admissionregistration/webhook/client-config-validation.ts";

const strategies = ["None", "Webhook"];
const recognized = ["v1", "v1beta1"];

/** Whether a webhook must name a version of the review that servers know. Those of stored definitions need not. */
export type ReviewVersionRule = "recognized" | "any";

/** Whether one of the versions is recognized, or there is none. */
export function hasRecognizedVersion(conversion: JsonObject): boolean {
  const versions = textsAt(conversion, "conversionReviewVersions");
  return versions.length === 0 || versions.some((version) => recognized.includes(version));
}

/** Validates the conversion of a definition. Upstream: validateCustomResourceConversion. */
export function addConversionErrors(
  errors: Findings,
  conversion: JsonObject,
  rule: ReviewVersionRule,
  path: string,
): void {
  const strategy = textAt(conversion, "strategy");
  const config = objectAt(conversion, "webhookClientConfig");
  const configField = child(path, "webhookClientConfig");
  const versions = textsAt(conversion, "conversionReviewVersions");
  const versionsField = child(path, "conversionReviewVersions");
  if (strategy === "") errors.push(fieldRequired(child(path, "strategy")));
  else if (!strategies.includes(strategy)) {
    errors.push(fieldNotSupported(child(path, "strategy"), strategy, strategies));
  }
  if (strategy === "Webhook") {
    if (config === undefined)
      errors.push(fieldRequired(configField, "required when strategy is set to Webhook"));
    else addClientConfigErrors(errors, { clientConfig: config }, configField);
    addReviewVersionErrors(errors, versions, rule, versionsField);
    return;
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (config !== undefined) errors.push(fieldForbidden(configField, detail));
  if (versions.length > 0) errors.push(fieldForbidden(versionsField, detail));
}

function addReviewVersionErrors(
  errors: Findings,
  versions: readonly string[],
  rule: ReviewVersionRule,
  field: string,
): void {
  if (versions.length === 0) {
    errors.push(fieldRequired(field));
    return;
  }
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) errors.push(fieldInvalid(index(field, i), version, "duplicate version"));
    else addInvalid(errors, index(field, i), version, dns1035LabelMessages(version));
    seen.add(version);
  }
  if (rule === "any" || versions.some((version) => recognized.includes(version))) return;
  const detail = `must include at least one of ${recognized.join(", ")}`;
  errors.push(fieldInvalid(field, go.stringSlice(versions), detail));
}

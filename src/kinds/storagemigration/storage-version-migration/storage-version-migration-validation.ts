import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { plainValue, typedValue } from "../../../apimachinery/go/go-value.ts";
import { parseIntProblem } from "../../../apimachinery/go/parse-int.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  addConditionErrors,
  addMigrationConditionErrors,
} from "../../../apimachinery/validation/condition-validation.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

const immutable = "field is immutable";

const versionField = "status.resourceVersion";

const conditionsField = "status.conditions";

/** Adds the errors in the spec. Upstream: pkg/apis/storagemigration/validation/validation.go. */
export function addResourceErrors(errors: Findings, migration: KubeObject): void {
  const group = textAt(migration, "spec", "resource", "group");
  const resource = textAt(migration, "spec", "resource", "resource");
  const groupField = "spec.resource.group";
  const resourceField = "spec.resource.resource";
  if (resource === "") errors.push(fieldRequired(resourceField, "resource is required to be set"));
  else addJoined(errors, resource, dns1035LabelMessages(resource), resourceField);
  if (group !== "") addJoined(errors, group, dnsSubdomainMessages(group), groupField);
}

function addJoined(errors: Findings, value: string, messages: readonly Wording[], field: string): void {
  if (messages.length !== 0) errors.push(fieldInvalid(field, value, joinedWording(messages, ",")));
}

/** Adds the errors in the spec of the alpha versions. */
export function addAlphaResourceErrors(errors: Findings, migration: KubeObject): void {
  for (const name of ["resource", "version"]) {
    if (textAt(migration, "spec", "resource", name) === "") {
      errors.push(fieldRequired(`spec.resource.${name}`, `${name} is required`));
    }
  }
}

/** Adds the error of a change of the spec, which is immutable. */
export function addResourceChangeErrors(errors: Findings, migration: KubeObject, old: KubeObject): void {
  const spec = structAt(migration, "spec");
  if (!jsonEqual(spec, structAt(old, "spec"))) {
    errors.push(
      fieldInvalid("spec", typedValue("storagemigration.StorageVersionMigrationSpec", spec), immutable),
    );
  }
}

/** Upstream reports these errors at the root of the object. */
export function addAlphaResourceChangeErrors(errors: Findings, migration: KubeObject, old: KubeObject): void {
  for (const name of ["group", "version", "resource"]) {
    const value = textAt(migration, "spec", "resource", name);
    if (value !== textAt(old, "spec", "resource", name)) errors.push(fieldInvalid(name, value, immutable));
  }
}

/** Adds the errors in the status. */
export function addStatusErrors(errors: Findings, migration: KubeObject, old: KubeObject): void {
  const version = textAt(migration, "status", "resourceVersion");
  const malformed = `resource version is not well formed: ${version}`;
  if (!/^[1-9][0-9]*$/.test(version)) errors.push(fieldInvalid(versionField, version, malformed));
  addConditionErrors(errors, listAt(migration, "status", "conditions"), conditionsField);
  addVersionChangeErrors(errors, migration, old, immutable);
  addOutcomeErrors(errors, migration, old, "[]v1.Condition");
}

/** Adds the errors in the status of the alpha versions. */
export function addAlphaStatusErrors(errors: Findings, migration: KubeObject, old: KubeObject): void {
  addAlphaVersionErrors(errors, textAt(migration, "status", "resourceVersion"));
  addMigrationConditionErrors(errors, listAt(migration, "status", "conditions"), conditionsField);
  addVersionChangeErrors(errors, migration, old, "cannot be updated");
  addOutcomeErrors(errors, migration, old, "[]storagemigration.MigrationCondition");
}

function addAlphaVersionErrors(errors: Findings, version: string): void {
  if (version === "") return;
  const problem = parseIntProblem(version);
  if (problem !== undefined) {
    const detail = `failed to parse resource version ${goQuote(version)}: ${problem}`;
    errors.push(fieldInvalid(versionField, version, detail));
    return;
  }
  const number = BigInt(version.replace("+", ""));
  if (number < 0n) errors.push(fieldInvalid(versionField, number, "must be greater than or equal to 0"));
}

function addVersionChangeErrors(
  errors: Findings,
  migration: KubeObject,
  old: KubeObject,
  detail: string,
): void {
  const version = textAt(migration, "status", "resourceVersion");
  const before = textAt(old, "status", "resourceVersion");
  if (before !== "" && before !== version) errors.push(fieldInvalid(versionField, version, detail));
}

/** At most one of the conditions is true, and a terminal condition stays true. */
function addOutcomeErrors(errors: Findings, migration: KubeObject, old: KubeObject, goType: string): void {
  const [succeeded, failed, running] = ["Succeeded", "Failed", "Running"].map((type) =>
    isTrue(migration, type),
  );
  const shown = plainValue(goType, structAt(migration, "status")["conditions"]);
  const rules: readonly (readonly [isViolated: boolean | undefined, detail: string])[] = [
    [succeeded && failed, "Both success and failed conditions cannot be true at the same time"],
    [succeeded && running, "Running condition cannot be true when success condition is true"],
    [failed && running, "Running condition cannot be true when failed condition is true"],
    [isTrue(old, "Succeeded") && !succeeded, "Success condition cannot be set to false once it is true"],
    [isTrue(old, "Failed") && !failed, "Failed condition cannot be set to false once it is true"],
  ];
  for (const [, detail] of rules.filter(([isViolated]) => isViolated === true)) {
    errors.push(fieldInvalid(conditionsField, shown, detail));
  }
}

function isTrue(migration: KubeObject, type: string): boolean {
  const found = listAt(migration, "status", "conditions").find((condition) => condition["type"] === type);
  return found?.["status"] === "True";
}

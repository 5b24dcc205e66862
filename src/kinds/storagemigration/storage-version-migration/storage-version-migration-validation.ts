import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  conditionErrors,
  migrationConditionErrors,
} from "../../../apimachinery/validation/condition-validation.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

const immutable = "field is immutable";

const versionField = "status.resourceVersion";

const conditionsField = "status.conditions";

const maxInt64 = 2n ** 63n - 1n;

/** The errors in the spec. Upstream: pkg/apis/storagemigration/validation/validation.go. */
export function resourceErrors(migration: KubeObject): readonly FieldError[] {
  const group = textAt(migration, "spec", "resource", "group");
  const resource = textAt(migration, "spec", "resource", "resource");
  const groupField = "spec.resource.group";
  const resourceField = "spec.resource.resource";
  return [
    ...(resource === ""
      ? [fieldRequired(resourceField, "resource is required to be set")]
      : joined(resource, dns1035LabelMessages(resource), resourceField)),
    ...(group === "" ? [] : joined(group, dnsSubdomainMessages(group), groupField)),
  ];
}

function joined(value: string, messages: readonly Wording[], field: string): readonly FieldError[] {
  return messages.length === 0 ? [] : [fieldInvalid(field, value, joinedWording(messages, ","))];
}

/** The errors in the spec of the alpha versions. */
export function alphaResourceErrors(migration: KubeObject): readonly FieldError[] {
  return ["resource", "version"]
    .filter((name) => textAt(migration, "spec", "resource", name) === "")
    .map((name) => fieldRequired(`spec.resource.${name}`, `${name} is required`));
}

/** The error of a change of the spec, which is immutable. */
export function resourceChangeErrors(migration: KubeObject, old: KubeObject): readonly FieldError[] {
  const spec = structAt(migration, "spec");
  return jsonEqual(spec, structAt(old, "spec"))
    ? []
    : [fieldInvalid("spec", typedValue("storagemigration.StorageVersionMigrationSpec", spec), immutable)];
}

/** Upstream reports these errors at the root of the object. */
export function alphaResourceChangeErrors(migration: KubeObject, old: KubeObject): readonly FieldError[] {
  return ["group", "version", "resource"].flatMap((name) => {
    const value = textAt(migration, "spec", "resource", name);
    return value === textAt(old, "spec", "resource", name) ? [] : [fieldInvalid(name, value, immutable)];
  });
}

/** The errors in the status. */
export function statusErrors(migration: KubeObject, old: KubeObject): readonly FieldError[] {
  const version = textAt(migration, "status", "resourceVersion");
  const malformed = `resource version is not well formed: ${version}`;
  return [
    ...(/^[1-9][0-9]*$/.test(version) ? [] : [fieldInvalid(versionField, version, malformed)]),
    ...conditionErrors(listAt(migration, "status", "conditions"), conditionsField),
    ...versionChangeErrors(migration, old, immutable),
    ...outcomeErrors(migration, old, "[]v1.Condition"),
  ];
}

/** The errors in the status of the alpha versions. */
export function alphaStatusErrors(migration: KubeObject, old: KubeObject): readonly FieldError[] {
  return [
    ...alphaVersionErrors(textAt(migration, "status", "resourceVersion")),
    ...migrationConditionErrors(listAt(migration, "status", "conditions"), conditionsField),
    ...versionChangeErrors(migration, old, "cannot be updated"),
    ...outcomeErrors(migration, old, "[]storagemigration.MigrationCondition"),
  ];
}

function alphaVersionErrors(version: string): readonly FieldError[] {
  if (version === "") return [];
  const parsing = `failed to parse resource version ${goQuote(version)}: strconv.ParseInt: parsing ${goQuote(version)}`;
  if (!/^[+-]?[0-9]+$/.test(version))
    return [fieldInvalid(versionField, version, `${parsing}: invalid syntax`)];
  const number = BigInt(version.replace("+", ""));
  if (number > maxInt64 || number < -maxInt64 - 1n) {
    return [fieldInvalid(versionField, version, `${parsing}: value out of range`)];
  }
  return number < 0n ? [fieldInvalid(versionField, number, "must be greater than or equal to 0")] : [];
}

function versionChangeErrors(migration: KubeObject, old: KubeObject, detail: string): readonly FieldError[] {
  const version = textAt(migration, "status", "resourceVersion");
  const before = textAt(old, "status", "resourceVersion");
  return before === "" || before === version ? [] : [fieldInvalid(versionField, version, detail)];
}

/** At most one of the conditions is true, and a terminal condition stays true. */
function outcomeErrors(migration: KubeObject, old: KubeObject, goType: string): readonly FieldError[] {
  const [succeeded, failed, running] = ["Succeeded", "Failed", "Running"].map((type) =>
    isTrue(migration, type),
  );
  const shown = typedValue(goType, structAt(migration, "status")["conditions"] ?? []);
  const rules: readonly (readonly [isViolated: boolean | undefined, detail: string])[] = [
    [succeeded && failed, "Both success and failed conditions cannot be true at the same time"],
    [succeeded && running, "Running condition cannot be true when success condition is true"],
    [failed && running, "Running condition cannot be true when failed condition is true"],
    [isTrue(old, "Succeeded") && !succeeded, "Success condition cannot be set to false once it is true"],
    [isTrue(old, "Failed") && !failed, "Failed condition cannot be set to false once it is true"],
  ];
  return rules
    .filter(([isViolated]) => isViolated === true)
    .map(([, detail]) => fieldInvalid(conditionsField, shown, detail));
}

function isTrue(migration: KubeObject, type: string): boolean {
  const found = listAt(migration, "status", "conditions").find((condition) => condition["type"] === type);
  return found?.["status"] === "True";
}

import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { joinedWording } from "../../../apimachinery/errors/wording.ts";
import { integerAt, listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addSelector } from "../../findings/findings.ts";
import { matchConditionErrors } from "../matching/match-conditions-validation.ts";
import { operationsRuleErrors } from "../matching/rule-with-operations-validation.ts";
import { clientConfigErrors } from "./client-config-validation.ts";

const reviewVersions = ["v1", "v1beta1"];
const withoutSideEffects = ["None", "NoneOnDryRun"];
const sideEffectClasses = ["None", "NoneOnDryRun", "Some", "Unknown"];
const selectors = ["namespaceSelector", "objectSelector"];

/** The checks that are skipped: upstream accepts what the old configuration has already. */
interface SkippedChecks {
  readonly allowsSideEffects: boolean;
  readonly allowsUnknownVersions: boolean;
  readonly allowsDuplicateNames: boolean;
  readonly allowsInvalidSelectorValues: boolean;
  readonly skipsMatchConditions: boolean;
}

const noneSkipped: SkippedChecks = {
  allowsSideEffects: false,
  allowsUnknownVersions: false,
  allowsDuplicateNames: false,
  allowsInvalidSelectorValues: false,
  skipsMatchConditions: false,
};

/** What v1beta1 accepts. */
const skippedInV1beta1: SkippedChecks = {
  ...noneSkipped,
  allowsSideEffects: true,
  allowsDuplicateNames: true,
};

export type WebhookType = "mutating" | "validating";

/** The version of the endpoint; v1beta1 accepts more than v1. */
export type WebhookVersion = "v1" | "v1beta1";

/** Upstream: pkg/apis/admissionregistration/validation/validation.go, ValidateValidatingWebhookConfiguration. */
export function webhookConfigurationErrors(
  object: KubeObject,
  type: WebhookType,
  version: WebhookVersion,
): FieldError[] {
  return webhookListErrors(object, type, version === "v1" ? noneSkipped : skippedInV1beta1);
}

/** The errors of a changed configuration, except for those that the old one has too. */
export function webhookConfigurationUpdateErrors(
  object: KubeObject,
  old: KubeObject,
  type: WebhookType,
  version: WebhookVersion,
): FieldError[] {
  const [hooks, before] = [listAt(object, "webhooks"), listAt(old, "webhooks")];
  const names = before.map((hook) => textAt(hook, "name"));
  return webhookListErrors(object, type, {
    allowsSideEffects:
      version === "v1beta1" ||
      before.some((hook) => !withoutSideEffects.includes(textAt(hook, "sideEffects"))),
    allowsUnknownVersions: before.some((hook) => {
      const versions = textsAt(hook, "admissionReviewVersions");
      return versions.length > 0 && !versions.some((version) => reviewVersions.includes(version));
    }),
    allowsDuplicateNames: version === "v1beta1" || new Set(names).size < names.length,
    allowsInvalidSelectorValues: before.some((hook) =>
      selectors.some((selector) => labelSelectorErrors(hook[selector], "").length > 0),
    ),
    skipsMatchConditions:
      hooks.length === before.length &&
      hooks.every((hook, i) =>
        jsonEqual(hook["matchConditions"] ?? [], before[i]?.["matchConditions"] ?? []),
      ),
  });
}

function webhookListErrors(object: KubeObject, type: WebhookType, skipped: SkippedChecks): FieldError[] {
  const names = new Set<string>();
  return listAt(object, "webhooks").flatMap((hook, i) => {
    const at = index("webhooks", i);
    const name = textAt(hook, "name");
    const isTaken = name !== "" && names.has(name) && !skipped.allowsDuplicateNames;
    names.add(name);
    return [
      ...hookErrors(hook, at, type, skipped),
      ...versionErrors(
        textsAt(hook, "admissionReviewVersions"),
        child(at, "admissionReviewVersions"),
        skipped,
      ),
      ...(isTaken ? [fieldDuplicate(child(at, "name"), name)] : []),
    ];
  });
}

function hookErrors(hook: JsonObject, at: string, type: WebhookType, skipped: SkippedChecks): FieldError[] {
  const errors = [
    ...nameErrors(textAt(hook, "name"), child(at, "name")),
    ...listAt(hook, "rules").flatMap((rule, i) => operationsRuleErrors(rule, index(child(at, "rules"), i))),
    ...enumErrors(hook, "failurePolicy", ["Fail", "Ignore"], at),
    ...enumErrors(hook, "matchPolicy", ["Equivalent", "Exact"], at),
    ...sideEffectErrors(hook, at, skipped),
    ...timeoutErrors(hook, at),
  ];
  for (const selector of selectors) {
    addSelector(errors, hook[selector], child(at, selector), {
      allowsInvalidValues: skipped.allowsInvalidSelectorValues,
    });
  }
  if (type === "mutating") errors.push(...enumErrors(hook, "reinvocationPolicy", ["IfNeeded", "Never"], at));
  errors.push(...clientConfigErrors(hook, child(at, "clientConfig")));
  if (skipped.skipsMatchConditions) return errors;
  return [...errors, ...matchConditionErrors(listAt(hook, "matchConditions"), child(at, "matchConditions"))];
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  const messages = dnsSubdomainMessages(name);
  if (messages.length > 0) return [fieldInvalid(field, name, joinedWording(messages, ","))];
  if (name.split(".").length >= 3) return [];
  return [fieldInvalid(field, name, "should be a domain with at least three segments separated by dots")];
}

function enumErrors(
  hook: JsonObject,
  name: string,
  supported: readonly string[],
  at: string,
): readonly FieldError[] {
  const value = hook[name];
  if (value === undefined || supported.includes(String(value))) return [];
  return [fieldNotSupported(child(at, name), value, supported)];
}

function sideEffectErrors(
  hook: JsonObject,
  at: string,
  { allowsSideEffects }: SkippedChecks,
): readonly FieldError[] {
  const allowed = allowsSideEffects ? sideEffectClasses : withoutSideEffects;
  if (typeof hook["sideEffects"] === "string") return enumErrors(hook, "sideEffects", allowed, at);
  return [fieldRequired(child(at, "sideEffects"), `must specify one of ${allowed.join(", ")}`)];
}

function timeoutErrors(hook: JsonObject, at: string): FieldError[] {
  if (hook["timeoutSeconds"] === undefined) return [];
  const seconds = integerAt(hook, "timeoutSeconds");
  if (seconds >= 1 && seconds <= 30) return [];
  const detail = "the timeout value must be between 1 and 30 seconds";
  return [fieldInvalid(child(at, "timeoutSeconds"), seconds, detail)];
}

function versionErrors(versions: readonly string[], field: string, skipped: SkippedChecks): FieldError[] {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [fieldRequired(field, `must specify one of ${known}`)];
  const errors = versions.flatMap((version, i) => {
    if (versions.indexOf(version) < i) return [fieldInvalid(index(field, i), version, "duplicate version")];
    return dns1035LabelMessages(version).map((message) => fieldInvalid(index(field, i), version, message));
  });
  if (skipped.allowsUnknownVersions || versions.some((version) => reviewVersions.includes(version))) {
    return errors;
  }
  const detail = `must include at least one of ${known}`;
  return [...errors, fieldInvalid(field, go.stringSlice(versions), detail)];
}

import {
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
import type { Release } from "../../../apimachinery/release.ts";
import { addSelector, isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import {
  addMatchConditionErrors,
  type ConditionExpressions,
} from "../matching/match-conditions-validation.ts";
import { addOperationsRuleErrors } from "../matching/rule-with-operations-validation.ts";
import { addClientConfigErrors } from "./client-config-validation.ts";

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
  /** How the expressions of match conditions are compiled; undefined where there are none. */
  readonly expressions: ConditionExpressions | undefined;
}

const noneSkipped: SkippedChecks = {
  allowsSideEffects: false,
  allowsUnknownVersions: false,
  allowsDuplicateNames: false,
  allowsInvalidSelectorValues: false,
  skipsMatchConditions: false,
  expressions: undefined,
};

/** What v1beta1 accepts. */
const skippedInV1beta1: SkippedChecks = {
  ...noneSkipped,
  allowsSideEffects: true,
  allowsDuplicateNames: true,
};

export type WebhookType = "mutating" | "validating";

/** The version of the endpoint: v1 with its release, or v1beta1, which accepts more and has no match conditions. */
export type WebhookVersion = { readonly release: Release } | "v1beta1";

/** Upstream: pkg/apis/admissionregistration/validation/validation.go, ValidateValidatingWebhookConfiguration. */
export function addWebhookConfigurationErrors(
  errors: Findings,
  object: KubeObject,
  type: WebhookType,
  version: WebhookVersion,
): void {
  const skipped = version === "v1beta1" ? skippedInV1beta1 : noneSkipped;
  addWebhookListErrors(errors, object, type, { ...skipped, expressions: expressionsOf(version, []) });
}

/** Adds the errors of a changed configuration, except for those that the old one has too. */
export function addWebhookConfigurationUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  type: WebhookType,
  version: WebhookVersion,
): void {
  const [hooks, before] = [listAt(object, "webhooks"), listAt(old, "webhooks")];
  const names = before.map((hook) => textAt(hook, "name"));
  addWebhookListErrors(errors, object, type, {
    allowsSideEffects:
      version === "v1beta1" ||
      before.some((hook) => !withoutSideEffects.includes(textAt(hook, "sideEffects"))),
    allowsUnknownVersions: before.some((hook) => {
      const versions = textsAt(hook, "admissionReviewVersions");
      return versions.length > 0 && !versions.some((version) => reviewVersions.includes(version));
    }),
    allowsDuplicateNames: version === "v1beta1" || new Set(names).size < names.length,
    allowsInvalidSelectorValues: before.some((hook) =>
      selectors.some((selector) => !isValidLabelSelector(hook[selector])),
    ),
    skipsMatchConditions:
      hooks.length === before.length &&
      hooks.every((hook, i) =>
        jsonEqual(hook["matchConditions"] ?? [], before[i]?.["matchConditions"] ?? []),
      ),
    expressions: expressionsOf(version, before),
  });
}

function expressionsOf(
  version: WebhookVersion,
  before: readonly JsonObject[],
): ConditionExpressions | undefined {
  if (version === "v1beta1") return undefined;
  const conditions = before.flatMap((hook) => listAt(hook, "matchConditions"));
  const stored = new Set(conditions.map((condition) => textAt(condition, "expression")));
  return { release: version.release, hasParams: false, stored };
}

function addWebhookListErrors(
  errors: Findings,
  object: KubeObject,
  type: WebhookType,
  skipped: SkippedChecks,
): void {
  const names = new Set<string>();
  for (const [i, hook] of listAt(object, "webhooks").entries()) {
    const at = index("webhooks", i);
    const name = textAt(hook, "name");
    const isTaken = name !== "" && names.has(name) && !skipped.allowsDuplicateNames;
    names.add(name);
    addHookErrors(errors, hook, at, type, skipped);
    addVersionErrors(
      errors,
      textsAt(hook, "admissionReviewVersions"),
      child(at, "admissionReviewVersions"),
      skipped,
    );
    if (isTaken) errors.push(fieldDuplicate(child(at, "name"), name));
  }
}

function addHookErrors(
  errors: Findings,
  hook: JsonObject,
  at: string,
  type: WebhookType,
  skipped: SkippedChecks,
): void {
  addNameErrors(errors, textAt(hook, "name"), child(at, "name"));
  for (const [i, rule] of listAt(hook, "rules").entries()) {
    addOperationsRuleErrors(errors, rule, index(child(at, "rules"), i));
  }
  addEnumErrors(errors, hook, "failurePolicy", ["Fail", "Ignore"], at);
  addEnumErrors(errors, hook, "matchPolicy", ["Equivalent", "Exact"], at);
  addSideEffectErrors(errors, hook, at, skipped);
  addTimeoutErrors(errors, hook, at);
  for (const selector of selectors) {
    addSelector(errors, hook[selector], child(at, selector), {
      allowsInvalidValues: skipped.allowsInvalidSelectorValues,
    });
  }
  if (type === "mutating") addEnumErrors(errors, hook, "reinvocationPolicy", ["IfNeeded", "Never"], at);
  addClientConfigErrors(errors, hook, child(at, "clientConfig"));
  if (skipped.skipsMatchConditions) return;
  const conditions = listAt(hook, "matchConditions");
  addMatchConditionErrors(errors, conditions, child(at, "matchConditions"), skipped.expressions);
}

function addNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const messages = dnsSubdomainMessages(name);
  if (messages.length > 0) {
    errors.push(fieldInvalid(field, name, joinedWording(messages, ",")));
    return;
  }
  if (name.split(".").length >= 3) return;
  errors.push(fieldInvalid(field, name, "should be a domain with at least three segments separated by dots"));
}

function addEnumErrors(
  errors: Findings,
  hook: JsonObject,
  name: string,
  supported: readonly string[],
  at: string,
): void {
  const value = hook[name];
  if (value === undefined || supported.includes(String(value))) return;
  errors.push(fieldNotSupported(child(at, name), value, supported));
}

function addSideEffectErrors(
  errors: Findings,
  hook: JsonObject,
  at: string,
  { allowsSideEffects }: SkippedChecks,
): void {
  const allowed = allowsSideEffects ? sideEffectClasses : withoutSideEffects;
  if (typeof hook["sideEffects"] === "string") addEnumErrors(errors, hook, "sideEffects", allowed, at);
  else errors.push(fieldRequired(child(at, "sideEffects"), `must specify one of ${allowed.join(", ")}`));
}

function addTimeoutErrors(errors: Findings, hook: JsonObject, at: string): void {
  if (hook["timeoutSeconds"] === undefined) return;
  const seconds = integerAt(hook, "timeoutSeconds");
  if (seconds >= 1 && seconds <= 30) return;
  const detail = "the timeout value must be between 1 and 30 seconds";
  errors.push(fieldInvalid(child(at, "timeoutSeconds"), seconds, detail));
}

function addVersionErrors(
  errors: Findings,
  versions: readonly string[],
  field: string,
  skipped: SkippedChecks,
): void {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) {
    errors.push(fieldRequired(field, `must specify one of ${known}`));
    return;
  }
  const isRepeated = repeats(versions);
  for (const [i, version] of versions.entries()) {
    if (isRepeated[i]) {
      errors.push(fieldInvalid(index(field, i), version, "duplicate version"));
    } else addInvalid(errors, index(field, i), version, dns1035LabelMessages(version));
  }
  if (skipped.allowsUnknownVersions || versions.some((version) => reviewVersions.includes(version))) return;
  const detail = `must include at least one of ${known}`;
  errors.push(fieldInvalid(field, go.stringSlice(versions), detail));
}

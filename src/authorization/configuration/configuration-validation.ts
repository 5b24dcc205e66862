import { formatDuration, parseDuration } from "../../apimachinery/duration.ts";
import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from "../../apimachinery/errors/field.ts";
import { joinedWording, worded } from "../../apimachinery/errors/wording.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";

/** What validation depends on. */
export interface ConfigurationChecks {
  /** The modes that there are. */
  readonly modes: readonly string[];
  /** Why an expression cannot be used; undefined if it can. */
  readonly expressionProblem: (expression: string) => string | undefined;
  /** Why a file cannot be used; undefined if it can. */
  readonly fileProblem: (path: string) => string | undefined;
  /** Whether a function takes the place of the address of this authorizer. */
  readonly isFunction: (name: string) => boolean;
}

/** Validates a configuration. Upstream: apiserver, pkg/apis/apiserver/validation/validation.go. */
export function addConfigurationErrors(
  errors: Findings,
  configuration: JsonObject,
  checks: ConfigurationChecks,
): void {
  const authorizers = listAt(configuration, "authorizers");
  if (authorizers.length === 0) {
    errors.push(fieldRequired("authorizers", "at least one authorization mode must be defined"));
  }
  const seen = { types: new Set<string>(), names: new Set<string>() };
  for (const [i, authorizer] of authorizers.entries()) {
    addAuthorizerErrors(errors, authorizer, { path: `authorizers[${i}]`, seen, checks });
  }
}

interface AuthorizerPlace {
  readonly path: string;
  readonly seen: { readonly types: Set<string>; readonly names: Set<string> };
  readonly checks: ConfigurationChecks;
}

function addAuthorizerErrors(errors: Findings, authorizer: JsonObject, place: AuthorizerPlace): void {
  const { path, seen, checks } = place;
  const type = textAt(authorizer, "type");
  if (type === "") {
    errors.push(fieldRequired(`${path}.type`, ""));
    return;
  }
  if (!checks.modes.includes(type)) {
    errors.push(fieldNotSupported(`${path}.type`, type, checks.modes.toSorted()));
    return;
  }
  if (seen.types.has(type) && type !== "Webhook") {
    errors.push(fieldDuplicate(`${path}.type`, type));
    return;
  }
  seen.types.add(type);
  addNameErrors(errors, textAt(authorizer, "name"), place);
  const webhook = objectAt(authorizer, "webhook");
  if (type === "Webhook") {
    if (webhook === undefined) errors.push(fieldRequired(`${path}.webhook`, "required when type=Webhook"));
    else addWebhookErrors(errors, webhook, { path, checks, name: textAt(authorizer, "name") });
  } else if (webhook !== undefined) {
    errors.push(fieldInvalid(`${path}.webhook`, "non-null", "may only be specified when type=Webhook"));
  }
}

function addNameErrors(errors: Findings, name: string, { path, seen }: AuthorizerPlace): void {
  const messages = dnsSubdomainMessages(name);
  if (name === "") errors.push(fieldRequired(`${path}.name`, ""));
  else if (seen.names.has(name)) errors.push(fieldDuplicate(`${path}.name`, name));
  else if (messages.length > 0) {
    const detail = worded`authorizer name is invalid: ${joinedWording(messages, ", ")}`;
    errors.push(fieldInvalid(`${path}.name`, name, detail));
  }
  seen.names.add(name);
}

interface WebhookPlace {
  readonly path: string;
  readonly name: string;
  readonly checks: ConfigurationChecks;
}

/** As upstream, the paths of the fields of a webhook are those of its authorizer. */
function addWebhookErrors(errors: Findings, webhook: JsonObject, { path, name, checks }: WebhookPlace): void {
  addDurationErrors(errors, webhook, { field: `${path}.timeout`, key: "timeout", most: 30n * second });
  addDurationErrors(errors, webhook, { field: `${path}.authorizedTTL`, key: "authorizedTTL", default: "5m" });
  addDurationErrors(errors, webhook, {
    field: `${path}.unauthorizedTTL`,
    key: "unauthorizedTTL",
    default: "30s",
  });
  addChoiceErrors(errors, webhook, path, ["subjectAccessReviewVersion", "v1", "v1beta1"]);
  const conditions = listAt(webhook, "matchConditions");
  const conditionVersion = "matchConditionSubjectAccessReviewVersion";
  if (textAt(webhook, conditionVersion) !== "") {
    addChoiceErrors(errors, webhook, path, [conditionVersion, "v1"]);
  } else if (conditions.length > 0) {
    errors.push(fieldRequired(`${path}.${conditionVersion}`, "required if match conditions are specified"));
  }
  addChoiceErrors(errors, webhook, path, ["failurePolicy", "NoOpinion", "Deny"]);
  if (!checks.isFunction(name)) addConnectionErrors(errors, webhook, path, checks);
  addConditionErrors(errors, conditions, path, checks);
}

const second = 1_000_000_000n;

interface DurationRule {
  readonly field: string;
  readonly key: string;
  readonly default?: string;
  /** In nanoseconds. */
  readonly most?: bigint;
}

function addDurationErrors(errors: Findings, webhook: JsonObject, rule: DurationRule): void {
  const { field, key, most } = rule;
  const given = durationAt(webhook, key);
  const value = given === 0n ? parseDuration(rule.default ?? "0") : given;
  if (value === 0n) errors.push(fieldRequired(field, ""));
  else if (value < 0n || (most !== undefined && value > most)) {
    const detail = most === undefined ? "must be > 0s" : "must be > 0s and <= 30s";
    errors.push(fieldInvalid(field, formatDuration(value), detail));
  }
}

/** A duration in nanoseconds; 0 if it is not set. @throws {DecodeError} for text that is no duration */
export function durationAt(webhook: JsonObject, key: string): bigint {
  const text = textAt(webhook, key);
  return text === "" ? 0n : parseDuration(text);
}

function addChoiceErrors(
  errors: Findings,
  webhook: JsonObject,
  path: string,
  [key, ...choices]: readonly [string, ...string[]],
): void {
  const value = textAt(webhook, key);
  if (value === "") errors.push(fieldRequired(`${path}.${key}`, ""));
  else if (!choices.includes(value)) errors.push(fieldNotSupported(`${path}.${key}`, value, choices));
}

function addConnectionErrors(
  errors: Findings,
  webhook: JsonObject,
  path: string,
  { fileProblem }: ConfigurationChecks,
): void {
  const info = structAt(webhook, "connectionInfo");
  const [type, file] = [textAt(info, "type"), textAt(info, "kubeConfigFile")];
  const field = `${path}.connectionInfo.kubeConfigFile`;
  const types = ["InClusterConfig", "KubeConfigFile"];
  if (type === "") errors.push(fieldRequired(`${path}.connectionInfo.type`, ""));
  else if (!types.includes(type)) {
    errors.push(fieldNotSupported(`${path}.connectionInfo.type`, type, types));
  } else if (type === "InClusterConfig") {
    if (info["kubeConfigFile"] !== undefined) {
      errors.push(fieldInvalid(field, file, "can only be set when type=KubeConfigFile"));
    } else {
      // Upstream would look for the files of a pod.
      errors.push(fieldInvalid(`${path}.connectionInfo.type`, type, "needs a function for this authorizer"));
    }
  } else if (file === "") errors.push(fieldRequired(field, ""));
  else {
    const problem = isAbsolute(file) ? fileProblem(file) : "must be an absolute path";
    if (problem !== undefined) errors.push(fieldInvalid(field, file, problem));
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}

function addConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  path: string,
  { expressionProblem }: ConfigurationChecks,
): void {
  if (conditions.length > 64) {
    errors.push(fieldTooMany(`${path}.matchConditions`, conditions.length, 64));
    return;
  }
  const seen = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const field = `${path}.matchConditions[${i}].expression`;
    const expression = textAt(condition, "expression");
    if (expression.trim() === "") errors.push(fieldRequired(field, ""));
    else if (seen.has(expression)) errors.push(fieldDuplicate(field, expression));
    else {
      seen.add(expression);
      const problem = expressionProblem(expression);
      if (problem !== undefined) errors.push(fieldInvalid(field, expression, problem));
    }
  }
}

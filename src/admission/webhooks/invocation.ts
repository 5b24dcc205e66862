import { forbidden } from "../../apimachinery/errors/errors.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { exclusion, record } from "../contract/notes.ts";
import { activationOf, RequestVariables } from "../expressions/activation.ts";
import { AuthorizerChecks } from "../expressions/authorizer-checks.ts";
import type { MatchResult } from "../expressions/match-conditions.ts";
import { selectedVersion } from "../matching/criteria.ts";
import { type VersionedObjects, versionedObjects } from "../matching/versioned-objects.ts";
import type { DispatchEnvironment } from "./dispatch-environment.ts";
import type { Hook } from "./hook.ts";

/** The phases of webhooks, with the words of upstream's metrics. */
export interface WebhookPhase {
  readonly type: "mutating" | "validating";
  readonly plugin: "MutatingAdmissionWebhook" | "ValidatingAdmissionWebhook";
  readonly phase: "admit" | "validate";
  /** The label `type` of metrics of calls. */
  readonly step: "admit" | "validating";
}

/** A call that a webhook has to answer, with the objects in the version that it wants. */
export interface Invocation {
  readonly hook: Hook;
  readonly objects: VersionedObjects;
}

/**
 * The call of a webhook; undefined if it does not select the request. Upstream: apiserver, plugin/webhook/generic/webhook.go,
 * ShouldCallHook.
 * @throws {StatusError} if its conditions cannot be evaluated and failures count
 */
export function invocationOf(
  hook: Hook,
  attributes: AdmissionAttributes,
  phase: WebhookPhase,
  environment: DispatchEnvironment,
): Promise<Invocation | undefined> | Invocation | undefined {
  const version = selectedVersion(hook.criteria, attributes, environment);
  if (version === undefined) return undefined;
  const objects = versionedObjects(attributes, version, environment.objects);
  const next = (converted: VersionedObjects) => conditional(hook, attributes, converted, phase, environment);
  return objects instanceof Promise ? objects.then(next) : next(objects);
}

function conditional(
  hook: Hook,
  attributes: AdmissionAttributes,
  objects: VersionedObjects,
  phase: WebhookPhase,
  environment: DispatchEnvironment,
): Promise<Invocation | undefined> | Invocation | undefined {
  const { conditions } = hook;
  if (conditions === undefined) return { hook, objects };
  const checks = new AuthorizerChecks(attributes.user, environment.authorize);
  const shared = new RequestVariables(attributes, objects, checks);
  const activation = activationOf(shared, { namespaceObject: () => null });
  const result = checks.evaluate(() => conditions(activation));
  const decide = (evaluated: MatchResult) =>
    isExcluded(hook, attributes, evaluated, phase, environment) ? undefined : { hook, objects };
  return result instanceof Promise ? result.then(decide) : decide(result);
}

/** @throws {StatusError} forbidden */
function isExcluded(
  { name, configuration, ignoresFailures }: Hook,
  attributes: AdmissionAttributes,
  { matches, error, excludedBy, failures, cost }: MatchResult,
  { plugin, phase, type }: WebhookPhase,
  { metrics }: DispatchEnvironment,
): boolean {
  const { operation } = attributes;
  const labels = { name, kind: "webhook", type: type === "mutating" ? "admit" : "validating", operation };
  metrics.observe("match_condition_evaluation_seconds", labels, 0);
  for (let i = 0; i < failures; i += 1) metrics.count("match_condition_evaluation_errors_total", labels);
  if (matches) return false;
  const step = { plugin, phase, name, source: configuration, cost };
  if (error !== "" && !ignoresFailures) {
    record(attributes, { ...step, outcome: "failed", message: error });
    throw forbidden(attributes.gvr, attributes.name, error);
  }
  metrics.count("match_condition_exclusions_total", labels);
  const outcome = error === "" ? "skipped" : "failedOpen";
  record(attributes, { ...step, outcome, message: error, expressions: exclusion(excludedBy, cost) });
  return true;
}

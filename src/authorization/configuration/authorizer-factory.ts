import { parseDuration } from "../../apimachinery/duration.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { WebhookTarget } from "../../webhooks/webhook-target.ts";
import type { AuthorizationOf } from "../contract/authorizer.ts";
import { instrumented } from "../instrumented.ts";
import { type AuthorizationEnvironment, type AuthorizationMode, authorizationOfMode } from "../modes.ts";
import type { NamedMode } from "../union.ts";
import { accessReviews } from "../webhook/access-reviews.ts";
import { matchCondition, matchConditions } from "../webhook/match-conditions.ts";
import { rulesOfWebhook } from "../webhook/rules-of-webhook.ts";
import type { WebhookAuthorizerConfig } from "../webhook/webhook-authorizer-config.ts";
import type { AuthorizationConfigurationSource } from "./authorization-configuration.ts";
import { durationAt } from "./configuration-validation.ts";

/** The authorizers of a valid configuration. @throws {ConfigurationError} if they cannot be made */
type AuthorizersOf = (configuration: JsonObject) => readonly NamedMode[];

/** Makes each authorizer that is no webhook once, and only if the first configuration has it. */
export function authorizerFactory(
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
): AuthorizersOf {
  const made = new Map<string, AuthorizationOf>();
  let isFirst = true;
  const modeOf = (type: AuthorizationMode): AuthorizationOf => {
    const isStateful = type === "Node" || type === "RBAC" || type === "ABAC";
    if (type === "ABAC" && !source.hasPolicies) {
      throw new ConfigurationError(`${source.title}: open : no such file or directory`);
    }
    // Upstream: authorizer type … is not allowed if it was not enabled at initial server startup.
    if (!isFirst && isStateful && !made.has(type)) throw new ConfigurationError(`${source.title}: ${type}`);
    const authorization = made.get(type) ?? authorizationOfMode(type, type.toLowerCase(), environment);
    made.set(type, authorization);
    return authorization;
  };
  return (configuration) => {
    const authorizers = listAt(configuration, "authorizers").map((authorizer) => {
      // Validation knows only modes.
      const type = textAt(authorizer, "type") as AuthorizationMode;
      return type === "Webhook"
        ? { name: textAt(authorizer, "name"), of: webhookOf(authorizer, source, environment) }
        : { name: type, of: modeOf(type) };
    });
    isFirst = false;
    return authorizers;
  };
}

/** @throws {ConfigurationError} for a kubeconfig that cannot be used */
function webhookOf(
  authorizer: JsonObject,
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
): AuthorizationOf {
  const config = webhookConfig(authorizer, source);
  const { metrics, release } = environment;
  // Validation has compiled them.
  const conditions = config.matchConditions.flatMap((expression) => {
    const condition = matchCondition(expression, release);
    return "problem" in condition ? [] : condition;
  });
  const matches = conditions.length === 0 ? undefined : matchConditions(conditions, config.name, environment);
  const authorize = accessReviews(config, environment, matches);
  const authorizationOf: AuthorizationOf = () => ({ authorize, rulesFor: rulesOfWebhook });
  return instrumented(authorizationOf, "Webhook", config.name, metrics);
}

function webhookConfig(
  authorizer: JsonObject,
  source: AuthorizationConfigurationSource,
): WebhookAuthorizerConfig {
  const webhook = structAt(authorizer, "webhook");
  const name = textAt(authorizer, "name");
  const path = textAt(webhook, "connectionInfo", "kubeConfigFile");
  const milliseconds = (key: string, unset: string) =>
    Number(durationAt(webhook, key) || parseDuration(unset)) / 1e6;
  const isKept = (key: string) => webhook[key] !== false;
  const authorized = isKept("cacheAuthorizedRequests") ? milliseconds("authorizedTTL", "5m") : 0;
  const unauthorized = isKept("cacheUnauthorizedRequests") ? milliseconds("unauthorizedTTL", "30s") : 0;
  return {
    name,
    target: targetOf(name, path, source),
    title: `${source.title}: ${path}`,
    version: textAt(webhook, "subjectAccessReviewVersion") === "v1" ? "v1" : "v1beta1",
    timeoutMilliseconds: milliseconds("timeout", "0"),
    authorizedMilliseconds: authorized,
    unauthorizedMilliseconds: unauthorized,
    onFailure: textAt(webhook, "failurePolicy") === "Deny" ? "deny" : "noOpinion",
    matchConditions: listAt(webhook, "matchConditions").map((condition) => textAt(condition, "expression")),
  };
}

function targetOf(
  name: string,
  path: string,
  { webhooks, readFile }: AuthorizationConfigurationSource,
): WebhookTarget {
  const review = webhooks.get(name);
  if (review !== undefined) return review;
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  const isAbsolute = (named: string) => named.startsWith("/");
  return {
    text: readFile(path),
    readFile: (named) => readFile(isAbsolute(named) ? named : `${directory}${named}`),
  };
}

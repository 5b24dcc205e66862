import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../apimachinery/errors/field.ts";
import { goJson } from "../../apimachinery/go/go-json.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Since } from "../../apimachinery/release.ts";
import { addDomainPrefixedPathErrors } from "../../apimachinery/validation/domain-prefixed-path.ts";
import { child, index } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import type { CompiledExpression } from "../../cel/compilation.ts";
import type {
  AuthenticationConfiguration,
  ClaimMappings,
  ClaimValidationRule,
  ExtraMapping,
  JwtAuthenticatorConfiguration,
  PrefixedClaimOrExpression,
  UserValidationRule,
} from "../contract/jwt-configuration.ts";
import { type ClaimExpressions, type RefusedExpression, readsClaim } from "./claim-expressions.ts";
import { addIssuerErrors, type IssuerRules, untilNames } from "./issuer-validation.ts";

/** What the validation of a configuration depends on. */
export interface ConfigurationRules extends IssuerRules {
  /** Compiles expressions; undefined if the configuration has none. */
  readonly expressions: ClaimExpressions | undefined;
}

/** Validates a configuration. Upstream: apiserver, pkg/apis/apiserver/validation/validation.go. */
export function addConfigurationErrors(
  errors: Findings,
  { jwt, anonymous }: AuthenticationConfiguration,
  rules: ConfigurationRules,
): void {
  const { since, isEnabled } = rules.gates;
  const most = since("1.30") ? 64 : 1;
  if (jwt.length === 0 && !since("1.30")) {
    errors.push(fieldRequired("jwt", "at least one jwt is required"));
    return;
  }
  if (jwt.length > most) {
    errors.push(fieldTooMany("jwt", jwt.length, most));
    return;
  }
  addAuthenticatorsErrors(errors, jwt, rules);
  if (anonymous === undefined) return;
  if (!isEnabled("AnonymousAuthConfigurableEndpoints")) {
    const gate = `AnonymousAuthConfigurable${since("1.35") ? "Endpoints" : "Enpoints"}`;
    const detail = `anonymous is not supported when ${gate} feature gate is disabled`;
    errors.push(fieldForbidden("anonymous", detail));
  }
  if (!anonymous.enabled && anonymous.paths.length > 0) {
    const detail = "enabled should be set to true when conditions are defined";
    errors.push({
      type: "FieldValueInvalid",
      field: "anonymous.conditions",
      body: (current) => `Invalid value: ${shownConditions(anonymous.paths, current)}: ${detail}`,
    });
  }
}

/** Since 1.34, messages show a list as JSON. */
function shownConditions(paths: readonly string[], since: Since): string {
  if (since("1.34")) return goJson(paths.map((path) => ({ path })));
  const type = "apiserver.AnonymousAuthCondition";
  return `[]${type}{${paths.map((path) => `${type}{Path:${goQuote(path)}}`).join(", ")}}`;
}

function addAuthenticatorsErrors(
  errors: Findings,
  jwt: readonly JwtAuthenticatorConfiguration[],
  rules: ConfigurationRules,
): void {
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  for (const [at, authenticator] of jwt.entries()) {
    const path = index("jwt", at);
    addAuthenticatorErrors(errors, authenticator, path, rules);
    const { url, discoveryUrl } = authenticator.issuer;
    if (urls.has(url)) errors.push(fieldDuplicate(`${path}.issuer.url`, url));
    urls.add(url);
    if (discoveryUrl === "") continue;
    if (discoveryUrls.has(discoveryUrl)) {
      errors.push(fieldDuplicate(`${path}.issuer.discoveryURL`, discoveryUrl));
    }
    discoveryUrls.add(discoveryUrl);
  }
}

function addAuthenticatorErrors(
  errors: Findings,
  authenticator: JwtAuthenticatorConfiguration,
  path: string,
  rules: ConfigurationRules,
): void {
  const { issuer, claimValidationRules, claimMappings, userValidationRules } = authenticator;
  addIssuerErrors(errors, issuer, child(path, "issuer"), rules);
  addClaimRulesErrors(errors, claimValidationRules, child(path, "claimValidationRules"), rules);
  addMappingsErrors(errors, claimMappings, child(path, "claimMappings"), rules);
  addEmailErrors(errors, authenticator, child(path, "claimMappings", "username", "expression"), rules);
  addUserRulesErrors(errors, userValidationRules, child(path, "userValidationRules"), rules);
}

function addClaimRulesErrors(
  errors: Findings,
  claimRules: readonly ClaimValidationRule[],
  path: string,
  { expressions }: ConfigurationRules,
): void {
  const claims = new Set<string>();
  const seen = new Set<string>();
  for (const [at, { claim, requiredValue, expression, message }] of claimRules.entries()) {
    const rule = index(path, at);
    if (claim !== "" && expression !== "") {
      errors.push(fieldInvalid(rule, claim, "claim and expression can't both be set"));
    } else if (claim !== "") {
      if (message !== "") {
        const detail = untilNames("message can't be set when claim is set", withClaim);
        errors.push(fieldInvalid(child(rule, "message"), message, detail));
      }
      if (claims.has(claim)) errors.push(fieldDuplicate(child(rule, "claim"), claim));
      claims.add(claim);
    } else if (expression === "") {
      errors.push(fieldRequired(rule, "claim or expression is required"));
    } else {
      if (requiredValue !== "") {
        const detail = untilNames("requiredValue can't be set when expression is set", withExpression);
        errors.push(fieldInvalid(child(rule, "requiredValue"), requiredValue, detail));
      }
      const compiled = expressions?.claimRule(expression);
      addExpressionErrors(errors, expression, child(rule, "expression"), compiled, seen);
    }
  }
}

const withClaim = "may not be specified when claim is set";
const withExpression = "may not be specified when expression is set";

/** A repeated expression is a duplicate, and not compiled again. */
function addExpressionErrors(
  errors: Findings,
  expression: string,
  path: string,
  compiled: CompiledExpression | RefusedExpression | undefined,
  seen: Set<string> = new Set(),
): void {
  if (seen.has(expression)) errors.push(fieldDuplicate(path, expression));
  else if (compiled !== undefined && "problem" in compiled)
    errors.push(fieldInvalid(path, expression, compiled.problem));
  seen.add(expression);
}

function addMappingsErrors(
  errors: Findings,
  { username, groups, uid, extra }: ClaimMappings,
  path: string,
  rules: ConfigurationRules,
): void {
  if (username.claim === "" && username.expression === "") {
    errors.push(fieldRequired(child(path, "username"), "claim or expression is required"));
  }
  addPrefixedErrors(errors, username, child(path, "username"), rules);
  addPrefixedErrors(errors, groups, child(path, "groups"), rules);
  if (uid.claim !== "" && uid.expression !== "") {
    errors.push(fieldInvalid(child(path, "uid"), "", "claim and expression can't both be set"));
  } else if (uid.expression !== "") {
    const compiled = rules.expressions?.mapping(uid.expression);
    addExpressionErrors(errors, uid.expression, child(path, "uid", "expression"), compiled);
  }
  addExtraErrors(errors, extra, child(path, "extra"), rules);
}

function addPrefixedErrors(
  errors: Findings,
  { claim, expression, prefix }: PrefixedClaimOrExpression,
  path: string,
  { expressions }: ConfigurationRules,
): void {
  if (claim !== "" && expression !== "") {
    errors.push(fieldInvalid(path, "", "claim and expression can't both be set"));
  } else if (expression !== "") {
    if (prefix !== undefined) {
      const detail = untilNames("prefix can't be set when expression is set", withExpression);
      errors.push(fieldInvalid(child(path, "prefix"), prefix, detail));
    }
    addExpressionErrors(errors, expression, child(path, "expression"), expressions?.mapping(expression));
  } else if (claim !== "" && prefix === undefined) {
    const detail =
      "prefix is required when claim is set. It can be set to an empty string to disable prefixing";
    errors.push(fieldRequired(child(path, "prefix"), detail));
  }
}

function addExtraErrors(
  errors: Findings,
  extra: readonly ExtraMapping[],
  path: string,
  { expressions, gates: { since } }: ConfigurationRules,
): void {
  const keys = new Set<string>();
  for (const [at, { key, valueExpression }] of extra.entries()) {
    const keyPath = child(index(path, at), "key");
    addDomainPrefixedPathErrors(errors, key, keyPath);
    if (key !== key.toLowerCase()) {
      errors.push(fieldInvalid(keyPath, key, untilNames("key must be lowercase", "must be lowercase")));
    }
    if (since("1.32") && isReserved(key)) {
      const detail = "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use";
      errors.push(fieldInvalid(keyPath, key, detail));
    }
    if (keys.has(key)) {
      errors.push(fieldDuplicate(keyPath, key));
      continue;
    }
    keys.add(key);
    const valuePath = child(index(path, at), "valueExpression");
    if (valueExpression === "") {
      errors.push(fieldRequired(valuePath, untilNames("valueExpression is required")));
      continue;
    }
    addExpressionErrors(errors, valueExpression, valuePath, expressions?.mapping(valueExpression));
  }
}

function isReserved(key: string): boolean {
  const slash = key.indexOf("/");
  const domain = `.${key.slice(0, Math.max(slash, 0))}`;
  return domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io");
}

/** Since 1.30, an expression that makes an address the username must not accept unverified ones. */
function addEmailErrors(
  errors: Findings,
  { claimMappings: { username, extra }, claimValidationRules }: JwtAuthenticatorConfiguration,
  path: string,
  { expressions, gates: { since } }: ConfigurationRules,
): void {
  if (expressions === undefined || username.expression === "" || !since("1.30")) return;
  const reads = (compiled: CompiledExpression | RefusedExpression, claim: string): boolean =>
    !("problem" in compiled) && readsClaim(compiled, claim);
  if (!reads(expressions.mapping(username.expression), "email")) return;
  const mappings = [username.expression, ...extra.map(({ valueExpression }) => valueExpression)];
  const claimRules = claimValidationRules.map(({ expression }) => expression);
  const verifies =
    mappings.some((text) => text !== "" && reads(expressions.mapping(text), "email_verified")) ||
    claimRules.some((text) => text !== "" && reads(expressions.claimRule(text), "email_verified"));
  if (verifies) return;
  errors.push(fieldInvalid(path, username.expression, unverifiedEmail));
}

const unverifiedEmail =
  "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression";

function addUserRulesErrors(
  errors: Findings,
  userRules: readonly UserValidationRule[],
  path: string,
  { expressions }: ConfigurationRules,
): void {
  const seen = new Set<string>();
  for (const [at, { expression }] of userRules.entries()) {
    const field = child(index(path, at), "expression");
    if (expression === "") errors.push(fieldRequired(field, untilNames("expression is required")));
    else addExpressionErrors(errors, expression, field, expressions?.userRule(expression), seen);
  }
}

import { getKey, type JsonObject } from "../../apimachinery/json.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { isList } from "../../cel/values/containers.ts";
import type { CelValue } from "../../cel/values/value.ts";
import type { ClaimMappings, JwtAuthenticatorConfiguration } from "../contract/jwt-configuration.ts";
import { type ClaimExpressions, evaluated } from "./claim-expressions.ts";
import { claimsValue } from "./claim-values.ts";
import { booleanClaim, ClaimError, textClaim, textsClaim } from "./go-claims.ts";
import { TokenError } from "./token-error.ts";

const credentialId = "authentication.kubernetes.io/credential-id";

/** What the user of claims depends on. */
export interface ClaimsEnvironment {
  readonly configuration: JwtAuthenticatorConfiguration;
  /** Undefined if the configuration has no expressions. */
  readonly expressions: ClaimExpressions | undefined;
  readonly gates: FeatureGates;
}

/** The claims of a verified token, and their value for expressions. */
interface Claims extends ClaimsEnvironment {
  readonly claims: JsonObject;
  readonly value: CelValue;
}

/**
 * The user whom the mappings make of verified claims, if all rules hold. Upstream: apiserver,
 * plugin/pkg/authenticator/token/oidc/oidc.go.
 * @throws {TokenError} in upstream's words
 */
export function userOfClaims(claims: JsonObject, environment: ClaimsEnvironment): UserInfo {
  const value = environment.expressions === undefined ? null : claimsValue(claims, environment.gates);
  const all: Claims = { ...environment, claims, value };
  const user: UserInfo = {
    name: usernameOf(all),
    groups: groupsOf(all),
    uid: uidOf(all),
    extra: extraOf(all),
  };
  checkClaimRules(all);
  checkUserRules(all, user);
  return user;
}

function usernameOf(all: Claims): string {
  const { claim, prefix, expression } = mappingsOf(all).username;
  if (expression !== "") {
    const what = "oidc: error evaluating username claim expression";
    const name = mapped(all, expression, what);
    if (typeof name !== "string")
      throw new TokenError(`${what}: username claim expression must return a string`);
    if (name === "") throw new TokenError("oidc: empty username via CEL expression is not allowed");
    return name;
  }
  const { claims } = all;
  const name = read(`oidc: parse username claims ${JSON.stringify(claim)}`, () => textClaim(claims, claim));
  if (claim === "email" && getKey(claims, "email_verified") !== undefined) {
    const isVerified = read("oidc: parse 'email_verified' claim", () =>
      booleanClaim(claims, "email_verified"),
    );
    if (!isVerified) throw new TokenError("oidc: email not verified");
  }
  return (prefix ?? "") + name;
}

function groupsOf(all: Claims): readonly string[] {
  const { claim, prefix = "", expression } = mappingsOf(all).groups;
  const { claims } = all;
  if (claim !== "" && getKey(claims, claim) !== undefined) {
    const groups = read(`oidc: parse groups claim ${JSON.stringify(claim)}`, () => textsClaim(claims, claim));
    return groups.map((group) => prefix + group);
  }
  if (expression === "") return [];
  const what = "oidc: error evaluating group claim expression";
  return textsOf(mapped(all, expression, what), what);
}

function uidOf(all: Claims): string {
  const { claim, expression } = mappingsOf(all).uid;
  const { claims } = all;
  if (claim !== "")
    return read(`oidc: parse uid claim ${JSON.stringify(claim)}`, () => textClaim(claims, claim));
  if (expression === "") return "";
  const what = "oidc: error evaluating uid claim expression";
  const uid = mapped(all, expression, what);
  if (typeof uid !== "string") throw new TokenError(`${what}: uid claim expression must return a string`);
  return uid;
}

/** Since 1.32, the id of the token is part of it. */
function extraOf(all: Claims): UserInfo["extra"] {
  const entries = new Map<string, readonly string[]>();
  const id = getKey(all.claims, "jti");
  if (typeof id === "string" && id !== "" && all.gates.since("1.32"))
    entries.set(credentialId, [`JTI=${id}`]);
  for (const { key, valueExpression } of mappingsOf(all).extra) {
    const what = `oidc: error evaluating extra claim expression: ${valueExpression}`;
    const values = textsOf(mapped(all, valueExpression), what);
    if (values.length > 0) entries.set(key, values);
  }
  return Object.fromEntries(entries);
}

/** All claims that rules require first, then the rules that are expressions. */
function checkClaimRules(all: Claims): void {
  const { claims } = all;
  const rules = all.configuration.claimValidationRules;
  for (const { claim, requiredValue } of rules) {
    if (claim === "") continue;
    if (getKey(claims, claim) === undefined) {
      throw new TokenError(`oidc: required claim ${claim} not present in ID token`);
    }
    const value = read(`oidc: parse claim ${claim}`, () => textClaim(claims, claim));
    if (value !== requiredValue) {
      const values = `Got = ${value}, want = ${requiredValue}`;
      throw new TokenError(`oidc: required claim ${claim} value does not match. ${values}`);
    }
  }
  const what = "oidc: error evaluating claim validation expression";
  for (const { expression, message } of rules) {
    if (expression === "") continue;
    const compiled = expressionsOf(all).claimRule(expression);
    const holds = prefixed(what, () => evaluated(compiled, expression, { claims: all.value }));
    if (holds !== true)
      throw new TokenError(`${what}: validation expression '${expression}' failed: ${message}`);
  }
}

function checkUserRules(all: Claims, { name, uid, groups, extra }: UserInfo): void {
  const what = "oidc: error evaluating user info validation rule";
  const user: CelValue = { username: name, uid, groups, extra };
  for (const { expression, message } of all.configuration.userValidationRules) {
    const compiled = expressionsOf(all).userRule(expression);
    const holds = prefixed(what, () => evaluated(compiled, expression, { user }));
    if (holds !== true)
      throw new TokenError(`${what}: validation expression '${expression}' failed: ${message}`);
  }
}

function mappingsOf({ configuration }: Claims): ClaimMappings {
  return configuration.claimMappings;
}

function expressionsOf({ expressions }: Claims): ClaimExpressions {
  if (expressions === undefined) throw new Error("the configuration has expressions");
  return expressions;
}

/** The value of a mapping. Errors begin with `what`, if it is given. */
function mapped(all: Claims, expression: string, what?: string): CelValue {
  const compiled = expressionsOf(all).mapping(expression);
  const value = () => evaluated(compiled, expression, { claims: all.value });
  return what === undefined ? value() : prefixed(what, value);
}

/** A text, or the texts of a list, without empty ones. */
function textsOf(value: CelValue, what: string): readonly string[] {
  if (value === null || value === "") return [];
  if (typeof value === "string") return [value];
  const texts = isList(value) ? value.filter((item) => typeof item === "string") : undefined;
  if (texts === undefined || !isList(value) || texts.length < value.length) {
    throw new TokenError(`${what}: expression must return a string or a list of strings`);
  }
  return texts.filter((item) => item !== "");
}

function prefixed<T>(what: string, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof TokenError) throw new TokenError(`${what}: ${error.message}`);
    throw error;
  }
}

function read<T>(what: string, claim: () => T): T {
  try {
    return claim();
  } catch (error) {
    if (error instanceof ClaimError) throw new TokenError(`${what}: ${error.message}`);
    throw error;
  }
}

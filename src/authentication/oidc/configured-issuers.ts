import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import {
  aggregateMessage,
  type FieldError,
  fieldCauses,
  fieldForbidden,
} from "../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import { collectErrors } from "../../apimachinery/validation/findings.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { noOpinion, type TokenAuthenticator } from "../contract/authenticator.ts";
import type { ConfigurationReloads, ReloadCount } from "../contract/configuration-reloads.ts";
import type { IssuerFetch } from "../contract/issuer-fetch.ts";
import { unverifiedIssuer } from "../contract/json-web-token.ts";
import type {
  AnonymousConfiguration,
  AuthenticationConfiguration,
  JwtAuthenticatorConfiguration,
  JwtSource,
} from "../contract/jwt-configuration.ts";
import { ClaimExpressions } from "./claim-expressions.ts";
import { readConfiguration } from "./configuration-text.ts";
import { addConfigurationErrors } from "./configuration-validation.ts";
import { flagsConfiguration } from "./flags-configuration.ts";
import { jwtAuthenticator } from "./jwt-authenticator.ts";
import { serverHash, textHash } from "./text-hash.ts";

/** The algorithms that a token may be signed with, sorted. A configuration allows all of them, flags those they name. */
const allAlgorithms: readonly string[] = "ES256 ES384 ES512 PS256 PS384 PS512 RS256 RS384 RS512".split(" ");

/** The issuers of a configuration, which follow its text. */
export interface ConfiguredIssuers {
  readonly authenticate: TokenAuthenticator;
  /** Asks all issuers for their discovery documents, also those of later texts. */
  readonly discover: () => void;
  /** Undefined if the flag decides. */
  readonly anonymous: AnonymousConfiguration | undefined;
  /** Undefined for a configuration of flags. */
  readonly reloads: () => ConfigurationReloads | undefined;
}

/** Reads a configuration. @throws {ConfigurationError} in upstream's words */
export function configuredIssuers(
  source: JwtSource,
  environment: AuthenticationEnvironment,
): ConfiguredIssuers {
  if (source.from === "flags") {
    const { signingAlgs } = source.flags;
    for (const algorithm of signingAlgs) {
      if (allAlgorithms.includes(algorithm)) continue;
      throw new ConfigurationError(`oidc: unsupported signing alg: "${algorithm}"`);
    }
    const configuration = flagsConfiguration(source.flags);
    const { authenticate, discover } = accepted(configuration, signingAlgs, environment, undefined);
    return { authenticate, discover, anonymous: undefined, reloads: () => undefined };
  }
  return issuersOfText(source, environment);
}

/**
 * Follows the text: one that is not valid changes nothing. What it says about anonymous requests must not change. Upstream:
 * pkg/kubeapiserver/options/authentication.go, ApplyTo, which waits for the new issuers to answer before it uses them.
 */
function issuersOfText(
  { text: presentText, decidesAnonymous }: JwtSource & { from: "text" },
  environment: AuthenticationEnvironment,
): ConfiguredIssuers {
  const { clock, gates } = environment;
  let text = presentText();
  let inUse = text;
  const configuration = loaded(() => readConfiguration(text, gates.since));
  const { anonymous } = configuration;
  if (anonymous !== undefined && decidesAnonymous) throw new ConfigurationError(decidedTwice);
  let issuers = accepted(configuration, allAlgorithms, environment, undefined);
  let discovers = false;
  let success: ReloadCount = { count: 0, last: 0 };
  let failure: ReloadCount = { count: 0, last: 0 };
  const counted = ({ count }: ReloadCount) => ({ count: count + 1, last: clock.now() / 1000 });
  const refresh = (): void => {
    const now = presentText();
    if (now === text) return;
    text = now;
    try {
      const changed = readConfiguration(now, gates.since);
      issuers = accepted(changed, allAlgorithms, environment, { anonymous });
      if (discovers) issuers.discover();
      inUse = now;
      success = counted(success);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      failure = counted(failure);
    }
  };
  return {
    authenticate: (token, audiences) => {
      refresh();
      return issuers.authenticate(token, audiences);
    },
    discover: () => {
      discovers = true;
      issuers.discover();
    },
    anonymous,
    reloads: () => {
      refresh();
      return { serverHash, configurationHash: textHash(inUse), success, failure };
    },
  };
}

/** Says what could not be loaded. @throws {ConfigurationError} */
function loaded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed to load authentication configuration: ${error.message}`);
  }
}

const decidedTwice =
  "anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file";

/** The authenticators of a valid configuration. `before` is what must not change. @throws {ConfigurationError} */
function accepted(
  configuration: AuthenticationConfiguration,
  signingAlgs: readonly string[],
  environment: AuthenticationEnvironment,
  before: { readonly anonymous: AnonymousConfiguration | undefined } | undefined,
): Pick<ConfiguredIssuers, "authenticate" | "discover"> {
  const { gates, clock, release, config, metrics } = environment;
  const expressions = configuration.jwt.some(hasExpressions) ? new ClaimExpressions(release) : undefined;
  const disallowedIssuers = config.serviceAccounts.issuers;
  const errors = collectErrors((found) => {
    addConfigurationErrors(found, configuration, { gates, disallowedIssuers, expressions });
    if (before !== undefined && !isSameAnonymous(before.anonymous, configuration.anonymous)) {
      found.push(fieldForbidden("anonymous", "changed from initial configuration file"));
    }
  });
  if (errors.length > 0) throw invalid(errors, environment);
  checkEgress(configuration);
  const fetch = issuerFetchOf(configuration, config.issuerFetch);
  const methods = new Map(
    configuration.jwt.map((each) => [
      each.issuer.url,
      jwtAuthenticator({ configuration: each, expressions, gates, signingAlgs, fetch, clock, metrics }),
    ]),
  );
  metrics.keepKeySets(new Set([...methods.keys()].map(textHash)));
  return {
    // A token is read once, however many issuers there are.
    authenticate: (token, audiences) =>
      methods.get(issuerOf(token) ?? "")?.authenticate(token, audiences) ?? noOpinion,
    discover: () => {
      for (const { discover } of methods.values()) void discover();
    },
  };
}

/** Google's tokens may name their issuer without the scheme. */
function issuerOf(token: string): string | undefined {
  const issuer = unverifiedIssuer(token);
  return issuer === "accounts.google.com" ? `https://${issuer}` : issuer;
}

/** This server has no egress selectors, as kube-apiserver without its configuration. @throws {ConfigurationError} */
function checkEgress({ jwt }: AuthenticationConfiguration): void {
  for (const { issuer } of jwt) {
    if (issuer.egressSelectorType === "") continue;
    throw new ConfigurationError(
      `oidc: egress lookup required with egress selector type "${issuer.egressSelectorType}"`,
    );
  }
}

/** @throws {ConfigurationError} for an authority that the global `fetch` cannot trust */
function issuerFetchOf({ jwt }: AuthenticationConfiguration, given: IssuerFetch | undefined): IssuerFetch {
  if (given !== undefined) return given;
  if (jwt.every(({ issuer }) => issuer.certificateAuthority === "")) return globalFetch;
  throw new ConfigurationError(
    "certificateAuthority needs the option oidcFetch: a function that takes authorities",
  );
}

const globalFetch: IssuerFetch = (url, { method, headers, signal }) =>
  fetch(url, { method, headers, signal, redirect: "error" });

function invalid(errors: readonly FieldError[], { gates }: AuthenticationEnvironment): ConfigurationError {
  // No message shows a type of the catalog.
  const causes = fieldCauses(errors, gates.since, noGoTypes);
  return new ConfigurationError(`invalid authentication configuration: ${aggregateMessage(causes)}`);
}

function isSameAnonymous(a: AnonymousConfiguration | undefined, b: AnonymousConfiguration | undefined) {
  return jsonEqual(a && { ...a }, b && { ...b });
}

function hasExpressions({
  claimMappings: { username, groups, uid, extra },
  claimValidationRules,
  userValidationRules,
}: JwtAuthenticatorConfiguration): boolean {
  if (extra.length > 0) return true;
  const parts = [username, groups, uid, ...claimValidationRules, ...userValidationRules];
  return parts.some(({ expression }) => expression !== "");
}

import type { OptionType } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import type { Since } from "../apimachinery/release.ts";
import type { IssuerFetch } from "../authentication/contract/issuer-fetch.ts";
import type { JwtSource } from "../authentication/contract/jwt-configuration.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { entriesOf, mapOf } from "./option-types.ts";

/** The options of OpenID Connect, with the names of kube-apiserver's flags. */
export interface OpenIdConnectOptions {
  /** The URL of an issuer whose ID tokens authenticate: `--oidc-issuer-url`. Default: none. */
  readonly oidcIssuerUrl?: string;
  /** The audience of these tokens: `--oidc-client-id`. It must be given with the issuer. */
  readonly oidcClientId?: string;
  /** The claim with the username: `--oidc-username-claim`. Default: "sub". */
  readonly oidcUsernameClaim?: string;
  /**
   * What usernames begin with: `--oidc-username-prefix`. "-" is nothing. Default: the URL of the issuer and `#`; nothing for
   * the claim "email".
   */
  readonly oidcUsernamePrefix?: string;
  /** The claim with the groups, a text or a list of texts: `--oidc-groups-claim`. Default: none. */
  readonly oidcGroupsClaim?: string;
  /** What groups begin with: `--oidc-groups-prefix`. Default: nothing. */
  readonly oidcGroupsPrefix?: string;
  /** The algorithms that tokens may be signed with: `--oidc-signing-algs`. Default: `["RS256"]`. */
  readonly oidcSigningAlgs?: readonly string[];
  /** Claims that tokens must have, with their values: `--oidc-required-claim`. Default: none. */
  readonly oidcRequiredClaim?: ReadonlyMap<string, string> | { readonly [claim: string]: string };
  /**
   * PEM of the authorities that certify the issuer: `--oidc-ca-file`. It needs an `oidcFetch` that takes authorities. Default:
   * those of the host.
   */
  readonly oidcCa?: string;
  /**
   * Fetches the documents of issuers: the `fetch` of `createIssuer()`, `fetchFromIssuer` of `kubedouble/node`, or a test's own
   * function. Default: the global `fetch`, without redirects.
   */
  readonly oidcFetch?: IssuerFetch;
  /**
   * An AuthenticationConfiguration in YAML or JSON, or a function that returns the present one: `--authentication-config`. It
   * is read before the first request is answered. It excludes the other options of OpenID Connect. Default: none.
   */
  readonly authenticationConfiguration?: string | (() => string);
}

/** What each option accepts. */
export const openIdConnectOptionTypes: {
  readonly [option in keyof Required<OpenIdConnectOptions>]: OptionType;
} = {
  oidcIssuerUrl: text,
  oidcClientId: text,
  oidcUsernameClaim: text,
  oidcUsernamePrefix: text,
  oidcGroupsClaim: text,
  oidcGroupsPrefix: text,
  oidcSigningAlgs: listOf(text),
  oidcRequiredClaim: mapOf(text),
  oidcCa: text,
  oidcFetch: { accepts: "a function", isValid: (value) => typeof value === "function" },
  authenticationConfiguration: {
    accepts: "text or a function that returns text",
    isValid: (value) => typeof value === "string" || typeof value === "function",
  },
};

/**
 * Where the configuration of issuers comes from; undefined if there is none.
 * @throws {Error} in upstream's words (pkg/kubeapiserver/options/authentication.go, validateOIDCOptions)
 */
export function completeJwtSource(
  options: OpenIdConnectOptions & { readonly anonymousAuth?: boolean },
  gates: FeatureGates,
): JwtSource | undefined {
  const { authenticationConfiguration: configuration, oidcFetch, anonymousAuth, ...others } = options;
  const isFlagGiven = Object.entries(others).some(
    ([name, value]) => name.startsWith("oidc") && value !== undefined,
  );
  if (configuration !== undefined) {
    checkConfigurationAllowed(isFlagGiven ? "given" : "absent", gates);
    const present = typeof configuration === "string" ? () => configuration : configuration;
    return { from: "text", text: present, decidesAnonymous: anonymousAuth !== undefined };
  }
  if (!isFlagGiven && oidcFetch !== undefined) {
    throw new Error("oidcFetch has no effect without oidcIssuerUrl or authenticationConfiguration");
  }
  if (!isFlagGiven) return undefined;
  const source = flagsOf(options, gates.since);
  if (source !== undefined && options.oidcCa !== undefined && oidcFetch === undefined) {
    throw new Error("oidcCa needs the option oidcFetch: a function that takes authorities");
  }
  return source;
}

/** @throws {Error} */
function checkConfigurationAllowed(flags: "given" | "absent", { since, isEnabled }: FeatureGates): void {
  if (!since("1.29")) throw new Error("authenticationConfiguration needs release 1.29 or newer");
  const gate = "StructuredAuthenticationConfiguration";
  if (!isEnabled(gate)) throw new Error(`set --feature-gates=${gate}=true to use authentication-config file`);
  if (flags === "given")
    throw new Error("authentication-config file and oidc-* flags are mutually exclusive");
}

function flagsOf(options: OpenIdConnectOptions, since: Since): JwtSource | undefined {
  const { oidcIssuerUrl: issuerUrl = "", oidcClientId: clientId = "" } = options;
  const areMissing = issuerUrl === "" || clientId === "";
  if (areMissing && since("1.29")) {
    throw new Error(
      "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set",
    );
  }
  if (areMissing && issuerUrl !== clientId) {
    throw new Error("oidc-issuer-url and oidc-client-id should be specified together");
  }
  if (areMissing) return undefined;
  return {
    from: "flags",
    flags: {
      issuerUrl,
      clientId,
      usernameClaim: options.oidcUsernameClaim ?? "sub",
      usernamePrefix: options.oidcUsernamePrefix ?? "",
      groupsClaim: options.oidcGroupsClaim ?? "",
      groupsPrefix: options.oidcGroupsPrefix ?? "",
      signingAlgs: options.oidcSigningAlgs ?? ["RS256"],
      requiredClaims: new Map(entriesOf(options.oidcRequiredClaim ?? {})),
      ca: options.oidcCa ?? "",
    },
  };
}

import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionTitle, OptionType, OptionTypes } from "../apimachinery/option-checks.ts";
import { boolean, listOf, numberFrom, text } from "../apimachinery/option-types.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { certificateAuthority } from "../authentication/certificates/certificate-authority.ts";
import type { AuthenticationConfig } from "../authentication/contract/authentication-config.ts";
import { algorithmOf, keysOfPem } from "../authentication/service-account/key-pem.ts";
import { serviceAccountKeys } from "../authentication/service-account/service-account-keys.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { duration } from "./duration-option.ts";
import {
  completeJwtSource,
  type OpenIdConnectOptions,
  openIdConnectOptionTypes,
} from "./open-id-connect-options.ts";
import { entriesOf, mapOf, tokenUser, userOptionTypes } from "./option-types.ts";
import { authoritiesOf, checkAuthorities, pemText, presentText } from "./pem-option.ts";
import {
  completeRequestHeaderOptions,
  type RequestHeaderOptions,
  requestHeaderOptionTypes,
} from "./request-header-options.ts";
import { completeIssuers } from "./service-account-issuers.ts";
import {
  completeTokenWebhookOptions,
  type TokenWebhookOptions,
  tokenWebhookOptionTypes,
} from "./webhook-options.ts";

/** Values by name, as a Map or as a plain object. */
export type NamedValues<T> = ReadonlyMap<string, T> | { readonly [name: string]: T };

/** The user of a token. Without groups and uid, the user has none. */
export type TokenUser = Pick<UserInfo, "name"> & Partial<UserInfo>;

/**
 * The options of authentication. They have the names of kube-apiserver's flags; where a flag takes the path of a file, the
 * option takes its text.
 */
export interface AuthenticationOptions
  extends OpenIdConnectOptions,
    RequestHeaderOptions,
    TokenWebhookOptions {
  /** Bearer tokens and their users: `--token-auth-file`. Default: only the tokens that the cluster issues. */
  readonly tokens?: NamedValues<TokenUser>;
  /**
   * The audiences of the API, which a token must have one of: `--api-audiences`. Default: the issuers of service account
   * tokens.
   */
  readonly apiAudiences?: readonly string[];
  /**
   * PEM of the authorities for client certificates, or a function that returns the present PEM: `--client-ca-file`. The
   * authority of `cluster.certificate` is always trusted. Default: no other one.
   */
  readonly clientCa?: string | (() => string);
  /** Whether the bootstrap tokens in Secrets of kube-system authenticate: `--enable-bootstrap-token-auth`. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean;
  /**
   * The issuers of service account tokens: `--service-account-issuer`. The first one issues tokens, and all are accepted. Releases
   * before 1.22 have only one, the last. Default: `https://kubernetes.default.svc.cluster.local`.
   */
  readonly serviceAccountIssuer?: string | readonly string[];
  /**
   * PEM of the private key, of RSA or ECDSA, that signs service account tokens: `--service-account-signing-key-file`.
   * Default: a generated key of RSA.
   */
  readonly serviceAccountSigningKey?: string;
  /**
   * PEM of the keys, private or public, that verify service account tokens: `--service-account-key-file`. Default: the
   * signing key.
   */
  readonly serviceAccountKeys?: readonly string[];
  /**
   * Whether the token of a Secret is valid only as long as the Secret and its account exist: `--service-account-lookup`.
   * Default: true.
   */
  readonly serviceAccountLookup?: boolean;
  /**
   * The longest life of a service account token, such as "48h"; longer requests get this one:
   * `--service-account-max-token-expiration`. Default: no limit.
   */
  readonly serviceAccountMaxTokenExpiration?: string;
  /**
   * Whether the tokens that kubelets request for pods are valid for a year, with a note in the audit log when they are used
   * after an hour: `--service-account-extend-token-expiration`. Default: true.
   */
  readonly serviceAccountExtendTokenExpiration?: boolean;
  /**
   * The URL of the keys in the discovery document of the issuer: `--service-account-jwks-uri`. Default: that of the server.
   */
  readonly serviceAccountJwksUri?: string;
}

/** What each option accepts. */
export const authenticationOptionTypes: {
  readonly [option in keyof Required<AuthenticationOptions>]: OptionType;
} = {
  tokens: mapOf(tokenUser),
  apiAudiences: listOf(text),
  enableBootstrapTokenAuth: boolean,
  clientCa: pemText,
  serviceAccountIssuer: {
    accepts: "text or a list of texts",
    isValid: (value) => text.isValid(value) || listOf(text).isValid(value),
  },
  serviceAccountSigningKey: text,
  serviceAccountKeys: listOf(text),
  serviceAccountLookup: boolean,
  serviceAccountMaxTokenExpiration: duration,
  serviceAccountExtendTokenExpiration: boolean,
  serviceAccountJwksUri: text,
  ...openIdConnectOptionTypes,
  ...requestHeaderOptionTypes,
  ...tokenWebhookOptionTypes,
};

/** The types of the options of a token or a certificate. */
export const credentialOptionTypes: OptionTypes = { ...userOptionTypes, expirationSeconds: numberFrom(0) };

/** Sets the defaults of the options. @throws {Error} that names the option, for a text without a key */
export function completeAuthenticationOptions(
  options: AuthenticationOptions & { readonly anonymousAuth?: boolean },
  title: OptionTitle,
  gates: FeatureGates,
): AuthenticationConfig {
  const { serviceAccountMaxTokenExpiration = "0" } = options;
  const { serviceAccountSigningKey: signingKey, serviceAccountKeys: keys } = options;
  const issuers = completeIssuers(options.serviceAccountIssuer, gates.since);
  checkKeys(keys ?? [], title("serviceAccountKeys"));
  checkKeys(signingKey === undefined ? [] : [signingKey], title("serviceAccountSigningKey"));
  const tokens = entriesOf(options.tokens ?? {});
  const { clientCa } = options;
  if (clientCa !== undefined) checkAuthorities(presentText(clientCa), title("clientCa"));
  if (gates.since("1.35")) checkAllowedNames(options);
  return {
    tokens: new Map(tokens.map(([token, user]) => [token, completeUser(user)])),
    apiAudiences: options.apiAudiences?.length ? options.apiAudiences : issuers,
    serviceAccounts: {
      issuers,
      lookup: options.serviceAccountLookup ?? true,
      maxExpirationSeconds: parseDurationMilliseconds(serviceAccountMaxTokenExpiration) / 1000,
      extendsExpiration: options.serviceAccountExtendTokenExpiration ?? true,
      jwksUri: options.serviceAccountJwksUri,
    },
    serviceAccountKeys: serviceAccountKeys({ signingKey, keys }),
    jwt: completeJwtSource(options, gates),
    issuerFetch: options.oidcFetch,
    bootstrapTokens: options.enableBootstrapTokenAuth ?? false,
    clientCa: clientCa === undefined ? undefined : () => presentText(clientCa),
    authoritiesChange: [clientCa, options.requestheaderClientCa].some((given) => typeof given === "function"),
    certificateAuthority: certificateAuthority(),
    requestHeader: completeRequestHeaderOptions(options, title, gates),
    tokenWebhook: completeTokenWebhookOptions(options, title),
  };
}

/**
 * Clients of the cluster must not pass for proxies.
 * @throws {Error} in upstream's words (pkg/kubeapiserver/options/authentication.go, Validate)
 */
function checkAllowedNames({
  clientCa,
  requestheaderClientCa: proxyCa,
  requestheaderAllowedNames: names = [],
}: AuthenticationOptions): void {
  if (clientCa === undefined || proxyCa === undefined || names.length > 0) return;
  const certificates = new Set(authoritiesOf(presentText(clientCa)));
  if (!authoritiesOf(presentText(proxyCa)).some((authority) => certificates.has(authority))) return;
  throw new Error(
    "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users",
  );
}

/** @throws {Error} for a text that holds no key in PEM */
function checkKeys(pems: readonly string[], title: string): void {
  for (const pem of pems) {
    if (!holdsKey(pem)) throw new Error(`${title}: data does not contain any valid RSA or ECDSA keys`);
  }
}

function holdsKey(pem: string): boolean {
  try {
    return keysOfPem(pem).some((key) => algorithmOf(key) !== undefined);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function completeUser({ name, uid = "", groups = [], extra = {} }: TokenUser): UserInfo {
  return { name, uid, groups, extra };
}

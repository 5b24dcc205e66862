import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { WebhookTarget } from "../../webhooks/webhook-target.ts";
import type { CertificateAuthority } from "./certificate-authority.ts";
import type { IssuerFetch } from "./issuer-fetch.ts";
import type { JwtSource } from "./jwt-configuration.ts";
import type { ServiceAccountKeys } from "./service-account-keys.ts";

/** The completed options of authentication. */
export interface AuthenticationConfig {
  /** The tokens of a token file. */
  readonly tokens: ReadonlyMap<string, UserInfo>;
  /** `--api-audiences`: the audiences of the API. */
  readonly apiAudiences: readonly string[];
  readonly serviceAccounts: ServiceAccountConfig;
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** `--enable-bootstrap-token-auth`. */
  readonly bootstrapTokens: boolean;
  /** `--oidc-*` or `--authentication-config`; undefined for none. */
  readonly jwt: JwtSource | undefined;
  /** How the documents of issuers are fetched; undefined for the global `fetch`. */
  readonly issuerFetch: IssuerFetch | undefined;
  /** `--client-ca-file`: the present PEM of the authorities for client certificates; undefined for none. */
  readonly clientCa: (() => string) | undefined;
  /** Whether the authorities for certificates of clients and proxies can change: functions return them. */
  readonly authoritiesChange: boolean;
  /** The cluster's own authority, which is trusted as well. */
  readonly certificateAuthority: CertificateAuthority;
  /** `--requestheader-*`; undefined for no proxy. */
  readonly requestHeader: RequestHeaderConfig | undefined;
  /** `--authentication-token-webhook-*`; undefined for no webhook. */
  readonly tokenWebhook: TokenWebhookConfig | undefined;
}

/** The completed options of a webhook that authenticates tokens. */
export interface TokenWebhookConfig {
  readonly target: WebhookTarget;
  /** Names the option of the target in errors. */
  readonly title: string;
  /** Of the reviews that are sent. */
  readonly version: "v1" | "v1beta1";
  /** How long answers count; 0 for never. */
  readonly cacheMilliseconds: number;
}

/** The completed options of a proxy that names the user in headers. */
export interface RequestHeaderConfig {
  /** The present PEM of the authorities for the certificates of proxies. */
  readonly clientCa: () => string;
  /** The common names of proxies; empty for any. */
  readonly allowedNames: readonly string[];
  /** The headers in which the user is looked for, in order. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The completed options of service account tokens: `--service-account-*`. */
export interface ServiceAccountConfig {
  /** The issuers that the server accepts. The first one is the claim `iss` of new tokens. */
  readonly issuers: readonly string[];
  /** Whether legacy tokens must still have their Secret. */
  readonly lookup: boolean;
  /** The longest life of a token in seconds; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** Tokens that are mounted into pods are valid longer than requested. */
  readonly extendsExpiration: boolean;
  /** The URL of the keys in the discovery document; undefined for that of the server. */
  readonly jwksUri: string | undefined;
}

/** The keys of service account tokens, all PEM. */
export interface ServiceAccountKeyOptions {
  /** The key that signs tokens; undefined for a generated one. */
  readonly signingKey: string | undefined;
  /** The private or public keys that verify tokens; undefined for the signing key alone. */
  readonly keys: readonly string[] | undefined;
}

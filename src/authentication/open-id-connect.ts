import type { AuthenticationEnvironment } from "./contract/authentication-environment.ts";
import { noOpinion, type TokenAuthenticator } from "./contract/authenticator.ts";
import type { ConfigurationReloads } from "./contract/configuration-reloads.ts";
import type { AnonymousConfiguration } from "./contract/jwt-configuration.ts";
import type { ConfiguredIssuers } from "./oidc/configured-issuers.ts";

/** The issuers of OpenID Connect that a server trusts. */
export interface OpenIdConnect {
  readonly authenticate: TokenAuthenticator;
  /**
   * Reads the configuration; undefined once that is over. Requests wait for it. It rejects with an
   * ConfigurationError.
   */
  readonly ready: () => Promise<void> | undefined;
  /** Asks the issuers for their discovery documents, without waiting for them. */
  readonly discover: () => void;
  /** Which requests are anonymous; undefined if the flag decides. Known when it is ready. */
  readonly anonymous: () => AnonymousConfiguration | undefined;
  /** Undefined if the configuration has no text. */
  readonly reloads: () => ConfigurationReloads | undefined;
}

/**
 * Authenticates the ID tokens of other issuers: `--oidc-*` and `--authentication-config`. Undefined without them. Their code
 * is loaded with the first request.
 */
export function openIdConnect(environment: AuthenticationEnvironment): OpenIdConnect | undefined {
  const source = environment.config.jwt;
  if (source === undefined) return undefined;
  let issuers: ConfiguredIssuers | undefined;
  let loading: Promise<void> | undefined;
  const ready = (): Promise<void> | undefined => {
    if (issuers !== undefined) return undefined;
    loading ??= import("./oidc/configured-issuers.ts").then(({ configuredIssuers }) => {
      issuers = configuredIssuers(source, environment);
    });
    return loading;
  };
  return {
    authenticate: (token, audiences) => {
      if (issuers !== undefined) return issuers.authenticate(token, audiences);
      return (ready() ?? Promise.resolve()).then(() => issuers?.authenticate(token, audiences) ?? noOpinion);
    },
    ready,
    discover: () => {
      const discovering = (ready() ?? Promise.resolve()).then(() => issuers?.discover());
      // Requests report a configuration that is not valid.
      discovering.catch(() => {});
    },
    anonymous: () => issuers?.anonymous,
    reloads: () => issuers?.reloads(),
  };
}

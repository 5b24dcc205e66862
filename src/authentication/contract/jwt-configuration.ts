/**
 * The AuthenticationConfiguration of kube-apiserver, complete: a text that is not set is empty. Upstream: apiserver,
 * pkg/apis/apiserver/types.go.
 */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtAuthenticatorConfiguration[];
  /** Undefined: the flag decides. */
  readonly anonymous: AnonymousConfiguration | undefined;
}

/** Which requests without credentials are anonymous. */
export interface AnonymousConfiguration {
  readonly enabled: boolean;
  /** The paths of these requests; empty for all. */
  readonly paths: readonly string[];
}

/** An issuer, and how its tokens become users. */
export interface JwtAuthenticatorConfiguration {
  readonly issuer: IssuerConfiguration;
  readonly claimValidationRules: readonly ClaimValidationRule[];
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules: readonly UserValidationRule[];
}

export interface IssuerConfiguration {
  readonly url: string;
  readonly discoveryUrl: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
  readonly egressSelectorType: string;
}

/** Either a claim with its required value, or an expression. */
export interface ClaimValidationRule {
  readonly claim: string;
  readonly requiredValue: string;
  readonly expression: string;
  readonly message: string;
}

export interface ClaimMappings {
  readonly username: PrefixedClaimOrExpression;
  readonly groups: PrefixedClaimOrExpression;
  readonly uid: ClaimOrExpression;
  readonly extra: readonly ExtraMapping[];
}

export interface ClaimOrExpression {
  readonly claim: string;
  readonly expression: string;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  /** Undefined if it is not set, which differs from empty. */
  readonly prefix: string | undefined;
}

export interface ExtraMapping {
  readonly key: string;
  readonly valueExpression: string;
}

export interface UserValidationRule {
  readonly expression: string;
  readonly message: string;
}

/** Where the configuration of issuers comes from. */
export type JwtSource =
  | { readonly from: "flags"; readonly flags: OidcFlags }
  | {
      readonly from: "text";
      /** The present text of an AuthenticationConfiguration. */
      readonly text: () => string;
      /** Whether `--anonymous-auth` is given as well, which only one of both may decide. */
      readonly decidesAnonymous: boolean;
    };

/** The flags `--oidc-*`, with their defaults. */
export interface OidcFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  /** Empty for no groups. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgs: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
  /** PEM; empty for the authorities of the host. */
  readonly ca: string;
}

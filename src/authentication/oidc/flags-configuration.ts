import type {
  AuthenticationConfiguration,
  OidcFlags,
  PrefixedClaimOrExpression,
} from "../contract/jwt-configuration.ts";

/** The configuration that the flags `--oidc-*` mean. Upstream: pkg/kubeapiserver/options/authentication.go. */
export function flagsConfiguration(flags: OidcFlags): AuthenticationConfiguration {
  const { issuerUrl, clientId, groupsClaim, groupsPrefix, requiredClaims, ca } = flags;
  return {
    jwt: [
      {
        issuer: {
          url: issuerUrl,
          discoveryUrl: "",
          certificateAuthority: ca,
          audiences: [clientId],
          audienceMatchPolicy: "",
          egressSelectorType: "",
        },
        claimValidationRules: Array.from(requiredClaims, ([claim, requiredValue]) => ({
          claim,
          requiredValue,
          expression: "",
          message: "",
        })),
        claimMappings: {
          username: { claim: flags.usernameClaim, expression: "", prefix: usernamePrefix(flags) },
          groups: groupsClaim === "" ? unset : { claim: groupsClaim, expression: "", prefix: groupsPrefix },
          uid: { claim: "", expression: "" },
          extra: [],
        },
        userValidationRules: [],
      },
    ],
    anonymous: undefined,
  };
}

const unset: PrefixedClaimOrExpression = { claim: "", expression: "", prefix: undefined };

/** Usernames other than addresses begin with the issuer by default; "-" is no prefix. */
function usernamePrefix({ usernamePrefix: prefix, usernameClaim, issuerUrl }: OidcFlags): string {
  if (prefix === "-") return "";
  return prefix === "" && usernameClaim !== "email" ? `${issuerUrl}#` : prefix;
}

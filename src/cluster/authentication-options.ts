import { listOf, type OptionType, type OptionTypes, text } from "../apimachinery/option-checks.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { AuthenticationConfig } from "../authentication/authentication-config.ts";
import { defaultServiceAccountIssuer } from "../authentication/service-account-token.ts";
import { entriesOf, mapOf, tokenUser } from "./option-types.ts";

/** Values by name, as a Map or as a plain object. */
export type NamedValues<T> = ReadonlyMap<string, T> | { readonly [name: string]: T };

/** The user of a token. Without groups and uid, the user has none. */
export type TokenUser = Pick<UserInfo, "name"> & Partial<UserInfo>;

/**
 * The options of authentication. They have the names of kube-apiserver's flags; where a flag takes the path of a file, the
 * option takes its text.
 */
export interface AuthenticationOptions {
  /** Bearer tokens and their users: `--token-auth-file`. Default: only the tokens that the cluster issues. */
  readonly tokens?: NamedValues<TokenUser>;
  /**
   * The audiences of the API, which a token must have one of: `--api-audiences`. Default: the issuer of service account
   * tokens.
   */
  readonly apiAudiences?: readonly string[];
}

/** What each option accepts. */
export const authenticationOptionTypes: {
  readonly [option in keyof Required<AuthenticationOptions>]: OptionType;
} & OptionTypes = {
  tokens: mapOf(tokenUser),
  apiAudiences: listOf(text),
};

/** Sets the defaults of the options. */
export function completeAuthenticationOptions(options: AuthenticationOptions): AuthenticationConfig {
  const issuer = defaultServiceAccountIssuer();
  const apiAudiences = options.apiAudiences ?? issuer.audiences;
  const tokens = entriesOf(options.tokens ?? {});
  return {
    tokens: new Map(tokens.map(([token, user]) => [token, completeUser(user)])),
    apiAudiences,
    serviceAccountIssuer: { ...issuer, audiences: apiAudiences },
  };
}

function completeUser({ name, uid = "", groups = [], extra = {} }: TokenUser): UserInfo {
  return { name, uid, groups, extra };
}

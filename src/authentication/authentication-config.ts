import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ServiceAccountIssuer } from "./service-account-token.ts";

/** The completed options of authentication. */
export interface AuthenticationConfig {
  /** The tokens of a token file. */
  readonly tokens: ReadonlyMap<string, UserInfo>;
  /** `--api-audiences`: the audiences of the API. */
  readonly apiAudiences: readonly string[];
  readonly serviceAccountIssuer: ServiceAccountIssuer;
}

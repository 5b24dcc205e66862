import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { AuthenticationNotes } from "./authenticator.ts";

/** The user of the verified claims of a token, and what the server tells about the token. */
export interface ValidClaims {
  readonly user: UserInfo;
  readonly notes: AuthenticationNotes | undefined;
}

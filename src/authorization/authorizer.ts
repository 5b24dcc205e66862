import type { UserInfo } from "../apimachinery/user-info.ts";
import type { RequestInfo } from "../request/request-info.ts";

/** What is asked: may this user do this? */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

export interface Decision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason: string;
}

export type Authorizer = (attributes: AuthorizationAttributes) => Promise<Decision> | Decision;

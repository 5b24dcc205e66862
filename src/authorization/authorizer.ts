import type { Lister } from "../apimachinery/lister.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { RuleResolver } from "./rule-resolver.ts";

/** The user, and the request to authorize. Upstream: `authorizer.Attributes`. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

export interface Decision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason: string;
}

export type Authorizer = (attributes: AuthorizationAttributes) => Promise<Decision> | Decision;

/** Authorizes requests, and lists what a user is allowed to do. */
export interface Authorization {
  readonly authorizer: (lister: Lister) => Authorizer;
  readonly ruleResolver: (lister: Lister) => RuleResolver;
}

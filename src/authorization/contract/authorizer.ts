import type { FollowingLister } from "../../apimachinery/lister.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { RoleFinder } from "./role-finder.ts";

/** The user, and the request to authorize. Upstream: `authorizer.Attributes`. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** The request, whose signal aborts when its client goes away; undefined if another one asks for the decision, such as a review. */
  readonly request?: Pick<ApiRequest, "signal">;
}

export interface Decision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  /** Why the decision could not be made, or not completely. Unless the request is allowed, it is answered with 500. */
  readonly error?: string;
}

export type Authorizer = (attributes: AuthorizationAttributes) => Promise<Decision> | Decision;

/** The rules that apply to a user in a namespace, as far as they can be listed. */
export interface SubjectRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the user may be allowed more than the rules say. */
  readonly isIncomplete: boolean;
  /** The errors that prevented some rules from being found. */
  readonly errors: readonly string[];
}

/** Lists what an authorizer allows to a user. Upstream: `authorizer.RuleResolver`. */
export type RuleResolver = (user: UserInfo, namespace: string) => SubjectRules;

/** Authorizes requests, and lists what a user is allowed to do. */
export interface Authorization {
  readonly authorize: Authorizer;
  readonly rulesFor: RuleResolver;
  /** The authorizations that this one asks, in order. */
  readonly members?: readonly NamedAuthorization[];
}

/** An authorization that is asked among others, by the name of its mode. */
export interface NamedAuthorization {
  readonly name: string;
  readonly authorization: Authorization;
}

/** What a server authorizes by. */
export interface AuthorizationState {
  readonly lister: FollowingLister;
  /** The roles that the state binds, regardless of the modes. All authorizers share one index. */
  readonly roles: RoleFinder;
}

/** The authorization of a server with this state. */
export type AuthorizationOf = (state: AuthorizationState) => Authorization;

/** The authorizer has no rules to list. */
export const noRules: SubjectRules = { rules: [], isIncomplete: false, errors: [] };

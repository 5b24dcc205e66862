import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** The rules of a role, as authorizers ask for them. */
export interface RuleFinder {
  readonly rules: readonly PolicyRule[];
  /** A rule that allows the request; undefined if none does. */
  ruleFor(info: RequestInfo): PolicyRule | undefined;
}

/** A role that a binding grants. */
export interface GrantedRole {
  readonly found: true;
  readonly role: RuleFinder;
  readonly binding: KubeObject;
  /** The binding and its subject: `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`. */
  readonly grant: () => string;
}

/** A role that a binding grants, or a reference to a role that does not exist. */
export type BoundRole = GrantedRole | { readonly found: false; readonly problem: string };

/** Finds the roles of users. */
export interface RoleFinder {
  /** The roles of a user in a namespace, or cluster-wide ones for the empty namespace, in the order in which they count. */
  of(user: UserInfo, namespace: string): readonly BoundRole[];
  /** The first of the roles of a user that allows a request. */
  allowing(user: UserInfo, info: RequestInfo): GrantedRole | undefined;
  /** The role that a binding in a namespace references; undefined if it does not exist. */
  role(roleRef: JsonObject, namespace: string): RuleFinder | undefined;
}

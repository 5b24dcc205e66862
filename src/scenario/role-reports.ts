import type { JsonObject } from "../apimachinery/json.ts";
import type { RoleDifferences } from "../authorization/least-privilege/compared-roles.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** Whose requests a report is about. */
export interface RoleUser {
  /** The name of the user, such as `system:serviceaccount:shop:ci`. Default: the only user in the log. */
  readonly user?: string;
}

/** Whose roles to make, and their name. */
export interface LeastPrivilegeOptions extends RoleUser {
  /** The name of the roles. Default: that of the user. */
  readonly name?: string;
}

/** The smallest roles for what a user did. */
export interface LeastPrivilege {
  readonly user: string;
  /** A Role for each namespace, and a ClusterRole for what is outside of namespaces or in all of them. */
  readonly roles: readonly JsonObject[];
  /** The roles as YAML documents. A comment says if the log has lost requests. */
  readonly yaml: string;
  /** How many requests the log has lost. The roles may lack what these needed. */
  readonly lost: number;
}

/** Roles and their bindings: manifests and lists of them, or YAML or JSON text. */
export type RoleManifests = string | object | readonly (string | object)[];

/** How roles differ from what a user did, in sentences. */
export interface RoleComparison extends RoleDifferences {
  readonly user: string;
  /** How many requests the log has lost. What these needed counts as unused. */
  readonly lost: number;
}

/** The requests that a report reads. */
export interface ReportedLog {
  readonly all: readonly LoggedRequest[];
  readonly lost: number;
}

/** Makes reports about the permissions that requests needed. */
export interface RoleReports {
  leastPrivilege(log: ReportedLog, options: LeastPrivilegeOptions): Promise<LeastPrivilege>;
  compareRoles(log: ReportedLog, roles: RoleManifests, options: RoleUser): Promise<RoleComparison>;
}

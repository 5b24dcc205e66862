import { structAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { checkOptions } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { policyRuleObject, policyRulesOf } from "../authorization/contract/policy-rule.ts";
import type { RoleFinder } from "../authorization/contract/role-finder.ts";
import { compareWithRequests, type GrantedRules } from "../authorization/least-privilege/compared-roles.ts";
import { defaultGrants } from "../authorization/least-privilege/default-grants.ts";
import { leastRules, type ScopedRules } from "../authorization/least-privilege/least-rules.ts";
import { encodeYaml } from "../codec/yaml/yaml.ts";
import type {
  LeastPrivilege,
  LeastPrivilegeOptions,
  ReportedLog,
  RoleComparison,
  RoleManifests,
  RoleUser,
} from "../scenario/role-reports.ts";
import { UsedAccess, type UserAccess } from "../scenario/used-access.ts";
import { manifestEntries } from "./seeding/manifest.ts";
import { parseEntries } from "./seeding/manifest-text.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";

/** The smallest roles for what a user of the log did. `roles` finds the default ones. */
export function leastPrivilege(
  log: ReportedLog,
  options: LeastPrivilegeOptions,
  roles: RoleFinder,
): LeastPrivilege {
  checkOptions("leastPrivilege", options, { user: text, name: text });
  const used = accessIn(log);
  const { user, access } = accessOf(used, "leastPrivilege", options);
  return { user, ...rolesFor(access, options.name ?? nameOfRole(user), roles, log.lost + used.lost) };
}

/** The roles of all users, as one text of YAML documents. */
export function reportOfRoles(used: UsedAccess, roles: RoleFinder): string {
  const documents = used.users.flatMap((user) => {
    const access = used.of(user);
    if (access === undefined) return [];
    const { yaml } = rolesFor(access, nameOfRole(user), roles, used.lost);
    return `# User ${JSON.stringify(user)}\n${yaml}`;
  });
  return documents.length === 0 ? "# There were no requests.\n" : documents.join("---\n");
}

/**
 * Compares roles with what a user of the log did.
 * @throws {Error} if the manifests have no role
 */
export function compareRoles(
  log: ReportedLog,
  manifests: RoleManifests,
  options: RoleUser,
  roles: RoleFinder,
): RoleComparison {
  checkOptions("compareRoles", options, { user: text });
  const used = accessIn(log);
  const { user, access } = accessOf(used, "compareRoles", options);
  const objects = parseEntries(manifestEntries(manifests, "roles")).map(({ object }) => object);
  const isGrantedToAll = defaultGrants(roles, access.groups);
  const differences = compareWithRequests(grantsOf(objects), access.requests, isGrantedToAll);
  return { user, ...differences, lost: log.lost + used.lost };
}

function accessIn(log: ReportedLog): UsedAccess {
  const used = new UsedAccess();
  for (const request of log.all) used.add(request);
  return used;
}

/** @throws {Error} if the log has no request of the user, or if it is not clear which user is meant */
function accessOf(
  used: UsedAccess,
  call: string,
  { user: wanted }: RoleUser,
): { readonly user: string; readonly access: UserAccess } {
  const { users } = used;
  const [only] = users;
  const user = wanted ?? (users.length === 1 ? only : undefined);
  const access = user === undefined ? undefined : used.of(user);
  if (user !== undefined && access !== undefined) return { user, access };
  const known = users.map((name) => JSON.stringify(name)).join(", ");
  const seen = users.length === 0 ? "it has no requests of users" : `it has those of ${known}`;
  if (user === undefined && users.length > 1) throw new Error(`${call}: name a user of the log; ${seen}`);
  const missing = user === undefined ? "" : ` of the user ${JSON.stringify(user)}`;
  throw new Error(`${call}: the log has no request${missing}; ${seen}`);
}

function rolesFor(
  { requests, groups }: UserAccess,
  name: string,
  roles: RoleFinder,
  lost: number,
): Omit<LeastPrivilege, "user"> {
  const isGrantedToAll = defaultGrants(roles, groups);
  const least = leastRules(requests.filter((info) => !isGrantedToAll(info))).map(roleOf(name));
  const documents = least.map((role) => encodeYaml(role)).join("---\n");
  const notes = [
    ...(lost === 0 ? [] : [`# ${lost} requests are not in the log: the roles may lack what these needed.\n`]),
    ...(least.length === 0 ? ["# No role is needed: every user may do this.\n"] : []),
  ];
  return { roles: least, yaml: `${notes.join("")}${documents}`, lost };
}

function roleOf(name: string): (scoped: ScopedRules) => JsonObject {
  return ({ namespace, rules }) => ({
    apiVersion,
    kind: namespace === "" ? "ClusterRole" : "Role",
    metadata: { name, ...(namespace !== "" && { namespace }) },
    rules: rules.map((rule) => ({ ...policyRuleObject(rule) })),
  });
}

/** A name of a role is a segment of a path. */
function nameOfRole(user: string): string {
  const name = user.replace(/[/%]/g, "-");
  return name === "" || name === "." || name === ".." ? "user" : name;
}

/** @throws {Error} if there are no roles */
function grantsOf(objects: readonly JsonObject[]): readonly GrantedRules[] {
  const withKind = (kind: string) =>
    objects.filter((object) => object["kind"] === kind && textAt(object, "apiVersion").startsWith(rbacGroup));
  const [roles, clusterRoles] = [withKind("Role"), withKind("ClusterRole")];
  if (roles.length + clusterRoles.length === 0) {
    throw new Error("compareRoles: the manifests have neither a Role nor a ClusterRole");
  }
  const bindings = { narrow: withKind("RoleBinding"), wide: withKind("ClusterRoleBinding") };
  return [
    ...roles.map((role) => {
      const namespace = namespaceOf(role);
      const title = `Role ${namespace}/${textAt(role, "metadata", "name")}`;
      return { title, rules: policyRulesOf(role), namespaces: new Set([namespace]) };
    }),
    ...clusterRoles.map((role) => {
      const name = textAt(role, "metadata", "name");
      const namespaces = namespacesOf(name, bindings);
      return { title: `ClusterRole ${name}`, rules: policyRulesOf(role), namespaces };
    }),
  ];
}

const rbacGroup = "rbac.authorization.k8s.io/";

/** Where bindings among the manifests grant a ClusterRole: without any, everywhere. */
function namespacesOf(
  name: string,
  { narrow, wide }: { readonly narrow: readonly JsonObject[]; readonly wide: readonly JsonObject[] },
): GrantedRules["namespaces"] {
  const refers = (binding: JsonObject): boolean => {
    const roleRef = structAt(binding, "roleRef");
    return roleRef["kind"] === "ClusterRole" && roleRef["name"] === name;
  };
  const namespaces = narrow.filter(refers).map(namespaceOf);
  return wide.some(refers) || namespaces.length === 0 ? "all" : new Set(namespaces);
}

/** Clients such as kubectl add the namespace `default`. */
function namespaceOf(object: JsonObject): string {
  return textAt(object, "metadata", "namespace") || "default";
}

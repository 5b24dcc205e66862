import type { Since } from "../apimachinery/release.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { anonymous } from "../apimachinery/user-info.ts";
import { resourceQuestion } from "../authorization/contract/resource-attributes.ts";
import type { HeaderLookup } from "../request/handler.ts";
import type { ResourceRequestInfo } from "../request/request-info.ts";
import { extraKey } from "./contract/extra-key.ts";
import { ImpersonationError, impersonationPrefix as prefix } from "./impersonation-error.ts";
import { serviceAccountGroups, serviceAccountOf } from "./service-account/service-account-user.ts";

/** The user that a request wants to be, and what its own user must be permitted to impersonate, in order. */
export interface Impersonation {
  readonly user: UserInfo;
  readonly permissions: readonly ResourceRequestInfo[];
}

const extraPrefix = "extra-";
const authenticationGroup = "authentication.k8s.io";
const authenticationVersion = "authentication.k8s.io/v1";

/**
 * The impersonation that a request asks for; undefined for most requests. Upstream: apiserver,
 * pkg/endpoints/filters/impersonation.go.
 * @throws {ImpersonationError} without a user
 */
export function impersonationOf(headers: HeaderLookup, since: Since): Impersonation | undefined {
  const wanted = wantedUserOf(headers, since);
  const { username, uid, groups, extras } = wanted;
  const references = referencesTo(wanted);
  if (references.length === 0) return undefined;
  if (username === "") {
    const shown = references.map(({ shown }) => shown).join(" ");
    throw new ImpersonationError(`requested [${shown}] without impersonating a user`);
  }
  return {
    user: { name: username, uid, groups: effectiveGroups(username, groups), extra: extraOf(extras) },
    permissions: references.map(({ permission }) => permission),
  };
}

/** The user that the headers describe; without a name if they do not name one. */
export function wantedUserOf(headers: HeaderLookup, since: Since): WantedUser {
  const given = headers.startingWith(prefix);
  const valuesOf = (name: string) =>
    given.filter(([header]) => header === `${prefix}${name}`).map(([, value]) => value);
  const [username = ""] = valuesOf("user");
  const [uid = ""] = since("1.22") ? valuesOf("uid") : [];
  const extras = given
    .filter(([header]) => header.startsWith(`${prefix}${extraPrefix}`))
    .map(([header, value]) => ({ key: extraKey(header.slice(prefix.length + extraPrefix.length)), value }));
  return { username, uid, groups: valuesOf("group"), extras };
}

/** The values by their keys. */
export function extraOf(extras: WantedUser["extras"]): UserInfo["extra"] {
  const extra: Record<string, string[]> = Object.create(null);
  for (const { key, value } of extras) {
    const known = extra[key];
    if (known === undefined) extra[key] = [value];
    else known.push(value);
  }
  return extra;
}

/** What a request needed permission for to be this user. Groups that the user has anyway needed none. */
export function impersonationPermissions({
  name,
  uid,
  groups,
  extra,
}: UserInfo): readonly ResourceRequestInfo[] {
  const own = new Set(effectiveGroups(name, []));
  const given = groups.filter((group) => !own.has(group));
  const extras = Object.entries(extra).flatMap(([key, values]) => values.map((value) => ({ key, value })));
  const references = referencesTo({ username: name, uid, groups: given, extras });
  return references.map(({ permission }) => permission);
}

/** The groups of a user with these given ones. A service account without explicit groups has its own. */
export function effectiveGroups(username: string, given: readonly string[]): readonly string[] {
  const account = given.length > 0 ? undefined : serviceAccountOf(username);
  const groups = account === undefined ? given : serviceAccountGroups(account.namespace);
  const [every, none] = ["system:authenticated", "system:unauthenticated"];
  if (groups.includes(none)) return groups;
  if (username === anonymous.name) return [...groups, none];
  return groups.includes(every) ? groups : [...groups, every];
}

/** One thing to impersonate: the permission for it, and how upstream prints it in errors. */
interface Reference {
  readonly permission: ResourceRequestInfo;
  readonly shown: string;
}

/** What headers ask for. */
export interface WantedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extras: readonly { readonly key: string; readonly value: string }[];
}

/** In the order in which upstream checks them. */
function referencesTo({ username, uid, groups, extras }: WantedUser): readonly Reference[] {
  return [
    ...(username === "" ? [] : [userReference(username)]),
    ...groups.map((name) => reference({ kind: "Group", name, resource: "groups" })),
    ...extras.map(({ key, value }) => extraReference(key, value)),
    ...(uid === "" ? [] : [uidReference(uid)]),
  ];
}

function userReference(username: string): Reference {
  const account = serviceAccountOf(username);
  if (account === undefined) return reference({ kind: "User", name: username, resource: "users" });
  return reference({ kind: "ServiceAccount", ...account, resource: "serviceaccounts" });
}

function extraReference(key: string, name: string): Reference {
  const group = authenticationGroup;
  return reference({ kind: "UserExtra", name, resource: "userextras", subresource: key, group });
}

function uidReference(name: string): Reference {
  return reference({ kind: "UID", name, resource: "uids", group: authenticationGroup });
}

function reference({
  kind,
  name,
  resource,
  namespace = "",
  subresource = "",
  group = "",
}: {
  readonly kind: string;
  readonly name: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly subresource?: string;
  readonly group?: string;
}): Reference {
  const version = group === "" ? "" : "v1";
  const question = { verb: "impersonate", group, version, namespace, resource, subresource, name };
  // An ObjectReference as Go prints it: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath.
  const apiVersion = group === "" ? "" : authenticationVersion;
  const shown = `{${[kind, namespace, name, "", apiVersion, "", subresource].join(" ")}}`;
  return { permission: resourceQuestion(question), shown };
}

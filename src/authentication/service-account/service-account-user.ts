import type { UserInfo } from "../../apimachinery/user-info.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";

const prefix = "system:serviceaccount:";

/** The name of a service account as a user. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`;
}

/** The namespace and the name of a service account by its username; undefined for other users. */
export function serviceAccountOf(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(prefix)) return undefined;
  const parts = username.slice(prefix.length).split(":");
  const [namespace = "", name = ""] = parts;
  if (parts.length !== 2 || dnsLabelMessages(namespace).length > 0) return undefined;
  return dnsSubdomainMessages(name).length > 0 ? undefined : { namespace, name };
}

/** The groups of the service accounts of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** A service account as a user. */
export function serviceAccountUser(
  namespace: string,
  name: string,
  uid: string,
  extra: UserInfo["extra"],
): UserInfo {
  return {
    name: serviceAccountUsername(namespace, name),
    uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}

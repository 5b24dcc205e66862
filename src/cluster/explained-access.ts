import { checkOptions, checkValue, type OptionTypes } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import type { UserInfo, UserOptions } from "../apimachinery/user-info.ts";
import { effectiveGroups } from "../authentication/impersonation.ts";
import type { AuthorizationAttributes } from "../authorization/contract/authorizer.ts";
import { resourceAttributes } from "../authorization/contract/resource-attributes.ts";
import { isObject, userOptionTypes } from "./option-types.ts";

/** A user: the name, or the name and groups. `system:authenticated` and the groups of a service account need not be given. */
export type ExplainedUser = string | (UserOptions & { readonly name: string });

/** Access to a resource, or to a path that is none. Members that are left out are empty. */
export type ExplainedAccess =
  | {
      /** The verb of RBAC. */
      readonly verb: string;
      readonly group?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly fieldSelector?: string;
      readonly labelSelector?: string;
    }
  | {
      /** The method in lower case. */
      readonly verb: string;
      readonly path: string;
    };

const pathTypes: OptionTypes = {
  verb: { ...text, isRequired: true },
  path: {
    accepts: "a path, such as /healthz",
    isValid: (value) => /^\//.test(String(value)),
    isRequired: true,
  },
};

const resourceTypes: OptionTypes = {
  verb: { ...text, isRequired: true },
  group: text,
  resource: {
    accepts: "the plural name of a resource; a subresource is an option of its own",
    isValid: (value) => typeof value === "string" && value !== "" && !value.includes("/"),
    isRequired: true,
  },
  subresource: text,
  namespace: text,
  name: text,
  fieldSelector: text,
  labelSelector: text,
};

/**
 * The attributes that a request of the user for this access would have.
 * @throws {TypeError} for a user or attributes that are none
 */
export function explainedAttributes(user: ExplainedUser, access: ExplainedAccess): AuthorizationAttributes {
  const info = explainedUser("explain", user);
  if (isObject(access) && "path" in access) {
    checkOptions("explain", access, pathTypes);
    const { verb, path } = access;
    return { user: info, info: { isResourceRequest: false, verb, path } };
  }
  checkOptions("explain", access, resourceTypes);
  const { group = "", namespace = "", name = "", ...others } = access;
  return resourceAttributes(info, { ...others, group, namespace, name, version: "*" });
}

/** The user as the server would know it. `call` is the name of the method, for errors. @throws {TypeError} for what is no user */
export function explainedUser(call: string, user: ExplainedUser): UserInfo {
  const { name, ...options } = typeof user === "string" ? { name: user } : user;
  checkValue(`${call}: the name of the user`, name, text);
  checkOptions(`${call}: user`, options, userOptionTypes);
  const { groups = [], uid = "" }: UserOptions = options;
  return { name, uid, groups: effectiveGroups(name, groups), extra: {} };
}

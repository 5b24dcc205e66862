import type { UserInfo } from "../apimachinery/user-info.ts";
import { impersonationPermissions } from "../authentication/impersonation.ts";
import { resourceQuestion } from "../authorization/contract/resource-attributes.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** What one user has asked of a server. */
export interface UserAccess {
  /** The groups of all users or service accounts that this one has had. */
  readonly groups: ReadonlySet<string>;
  /** What the requests needed permission for, each once. */
  readonly requests: readonly RequestInfo[];
}

interface OpenAccess {
  readonly groups: Set<string>;
  readonly byKey: Map<string, RequestInfo>;
}

/** The groups to which the default roles grant something. */
const commonGroups = ["system:authenticated", "system:unauthenticated", "system:serviceaccounts"];

/** How many different permissions are kept for all users. */
const mostKept = 20_000;

/** What the requests of users needed permission for, whether they had it or not. */
export class UsedAccess {
  readonly #byUser = new Map<string, OpenAccess>();
  #size = 0;
  /** How many permissions were not kept. */
  #lost = 0;

  get lost(): number {
    return this.#lost;
  }

  /** The names of the users, in the order of their first request. */
  get users(): readonly string[] {
    return [...this.#byUser.keys()];
  }

  /** Undefined if the user has made no request. */
  of(user: string): UserAccess | undefined {
    const access = this.#byUser.get(user);
    return access && { groups: access.groups, requests: [...access.byKey.values()] };
  }

  /** Adds an answered request. */
  add(request: LoggedRequest): void {
    const { userInfo, impersonatedUser } = request;
    if (userInfo === undefined) return;
    for (const info of impersonatedUser === undefined ? [] : impersonationPermissions(impersonatedUser)) {
      this.#note(userInfo, info);
    }
    const user = impersonatedUser ?? userInfo;
    const info = infoOf(request);
    this.#note(user, info);
    if (createsByUpdate(request)) this.#note(user, { ...info, verb: "create" });
  }

  #note({ name, groups }: UserInfo, info: RequestInfo): void {
    const access = this.#byUser.get(name) ?? { groups: new Set(), byKey: new Map() };
    for (const group of commonGroups) if (groups.includes(group)) access.groups.add(group);
    const key = keyOf(info);
    if (access.byKey.has(key)) return;
    if (this.#size >= mostKept) {
      this.#lost += 1;
      return;
    }
    this.#size += 1;
    this.#byUser.set(name, access);
    access.byKey.set(key, info);
  }
}

/** An update or apply that creates needs the permission to create, too. */
function createsByUpdate({ verb, status }: LoggedRequest): boolean {
  return status === 201 && (verb === "update" || verb === "patch");
}

function infoOf(request: LoggedRequest): RequestInfo {
  const { verb, path, group, version, resource, subresource, namespace, name } = request;
  if (resource === "") return { isResourceRequest: false, verb, path };
  return resourceQuestion({ verb, group, version, resource, subresource, namespace, name });
}

/** What a rule can tell apart. */
function keyOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return JSON.stringify([info.verb, info.path]);
  const { verb, group, resource, subresource, namespace, name } = info;
  return JSON.stringify([verb, group, resource, subresource, namespace, name]);
}

import type { RequestInfo } from "../../request/request-info.ts";
import type { BoundRole, GrantedRole } from "../contract/role-finder.ts";
import type { RoleRules } from "./role-rules.ts";

/** The roles of a user in one scope, in the order in which they count, and where to look for a resource. */
export class RolesOfUser {
  readonly all: readonly BoundRole[];
  /** The positions of the roles with rules for a resource as rules write it; those with rules for paths under the empty text. */
  readonly #positions = new Map<string, number[]>();

  /** `rulesOf` returns the rules of a role by its position; undefined if the role does not exist. */
  constructor(all: readonly BoundRole[], rulesOf: (position: number) => RoleRules | undefined) {
    this.all = all;
    for (const position of all.keys()) {
      const rules = rulesOf(position);
      if (rules === undefined) continue;
      for (const resource of rules.resources) this.#add(resource, position);
      if (rules.hasPaths) this.#add("", position);
    }
  }

  /** The first role that allows a request. */
  allowing(info: RequestInfo): GrantedRole | undefined {
    if (!info.isResourceRequest) return this.#first("", info, undefined)?.role;
    const { resource, subresource } = info;
    const every = this.#first("*", info, undefined);
    if (subresource === "") return this.#first(resource, info, every)?.role;
    const ofEach = this.#first(`*/${subresource}`, info, every);
    return this.#first(`${resource}/${subresource}`, info, ofEach)?.role;
  }

  #add(resource: string, position: number): void {
    const known = this.#positions.get(resource);
    if (known === undefined) this.#positions.set(resource, [position]);
    else known.push(position);
  }

  /** The first role at these positions that allows a request, unless another one comes before. */
  #first(resource: string, info: RequestInfo, other: Found | undefined): Found | undefined {
    const positions = this.#positions.get(resource);
    if (positions === undefined) return other;
    for (const position of positions) {
      if (other !== undefined && position >= other.position) return other;
      const role = this.all[position];
      if (role?.found === true && role.role.ruleFor(info) !== undefined) return { position, role };
    }
    return other;
  }
}

interface Found {
  readonly position: number;
  readonly role: GrantedRole;
}

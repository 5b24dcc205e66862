import type { NonResourceRequestInfo, RequestInfo, ResourceRequestInfo } from "../../request/request-info.ts";
import { type PolicyRule, pathMatches } from "../contract/policy-rule.ts";
import type { RuleFinder } from "../contract/role-finder.ts";

/** The rules of one role, by the resources they name. Upstream: plugin/pkg/auth/authorizer/rbac, `RuleAllows`. */
export class RoleRules implements RuleFinder {
  readonly rules: readonly PolicyRule[];
  /** By a resource as a rule writes it: `pods`, `pods/log`, `*` or, with the subresource, `*` and `/log`. */
  readonly #ofResources = new Map<string, PolicyRule[]>();
  readonly #ofPaths: readonly PolicyRule[];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    this.#ofPaths = this.rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0);
    for (const rule of this.rules) this.#addResources(rule);
  }

  /** The resources that the rules name, each once. */
  get resources(): Iterable<string> {
    return this.#ofResources.keys();
  }

  get hasPaths(): boolean {
    return this.#ofPaths.length > 0;
  }

  /** A rule that allows the request; undefined if none does. */
  ruleFor(info: RequestInfo): PolicyRule | undefined {
    if (!info.isResourceRequest) return this.#ofPaths.find((rule) => allowsPath(rule, info));
    const { resource, subresource } = info;
    if (subresource === "") return this.#named(resource, info) ?? this.#named("*", info);
    return (
      this.#named(`${resource}/${subresource}`, info) ??
      this.#named(`*/${subresource}`, info) ??
      this.#named("*", info)
    );
  }

  #addResources(rule: PolicyRule): void {
    for (const resource of new Set(rule.resources)) {
      const known = this.#ofResources.get(resource);
      if (known === undefined) this.#ofResources.set(resource, [rule]);
      else known.push(rule);
    }
  }

  #named(resource: string, info: ResourceRequestInfo): PolicyRule | undefined {
    return this.#ofResources.get(resource)?.find((rule) => allowsObject(rule, info));
  }
}

function allowsVerb({ verbs }: PolicyRule, verb: string): boolean {
  return verbs.includes("*") || verbs.includes(verb);
}

/** Whether a rule that names the resource allows the verb on the object. */
function allowsObject(rule: PolicyRule, { verb, group, name }: ResourceRequestInfo): boolean {
  if (!allowsVerb(rule, verb)) return false;
  if (!rule.apiGroups.includes("*") && !rule.apiGroups.includes(group)) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
}

function allowsPath(rule: PolicyRule, { verb, path }: NonResourceRequestInfo): boolean {
  if (!allowsVerb(rule, verb)) return false;
  return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, path));
}

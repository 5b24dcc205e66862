import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import { type PolicyRule, policyRuleObject } from "../contract/policy-rule.ts";
import { RoleRules } from "../rbac/role-rules.ts";
import { partsOf } from "../rbac/rule-coverage.ts";
import { leastRules } from "./least-rules.ts";
import { mergedRules } from "./merged-rules.ts";

/** The rules of a role, and where its bindings grant them. */
export interface GrantedRules {
  /** For messages: `Role shop/reader`. */
  readonly title: string;
  readonly rules: readonly PolicyRule[];
  readonly namespaces: "all" | ReadonlySet<string>;
}

/** How roles differ from what requests need, in sentences. */
export interface RoleDifferences {
  /** What requests needed and no role allows. */
  readonly missing: readonly string[];
  /** What roles allow and no request needed. */
  readonly unused: readonly string[];
}

/** Compares roles with the requests that they are for. `isGrantedToAll` says what needs no role. */
export function compareWithRequests(
  roles: readonly GrantedRules[],
  requests: readonly RequestInfo[],
  isGrantedToAll: (info: RequestInfo) => boolean,
): RoleDifferences {
  const finders = roles.map((role) => ({ role, finder: new RoleRules(role.rules) }));
  const isGranted = (info: RequestInfo): boolean =>
    finders.some(({ role, finder }) => appliesTo(role, info) && finder.ruleFor(info) !== undefined);
  const refused = requests.filter((info) => !isGrantedToAll(info) && !isGranted(info));
  return {
    missing: leastRules(refused).flatMap(({ namespace, rules }) => {
      const role = namespace === "" ? "a ClusterRole" : `a Role in the namespace ${goQuote(namespace)}`;
      return rules.map((rule) => `the requests needed ${role} with ${shown(rule)}`);
    }),
    unused: roles.flatMap((role) => {
      const own = requests.filter((info) => appliesTo(role, info));
      return [...tooBroad(role, own), ...neverUsed(role, own)];
    }),
  };
}

/** A RoleBinding grants no access to paths. */
function appliesTo({ namespaces }: GrantedRules, info: RequestInfo): boolean {
  return namespaces === "all" || (info.isResourceRequest && namespaces.has(info.namespace));
}

/** A wildcard allows more than any requests can need, so it is compared with what they needed of it. */
function tooBroad({ title, rules }: GrantedRules, requests: readonly RequestInfo[]): readonly string[] {
  return rules.filter(hasWildcard).map((rule) => {
    const finder = new RoleRules([rule]);
    const allowed = requests.filter((info) => finder.ruleFor(info) !== undefined);
    const needed = mergedRules(leastRules(allowed).flatMap((scoped) => scoped.rules));
    const text = needed.length === 0 ? "nothing" : needed.map(shown).join(" and ");
    return `${title} allows ${shown(rule)}, of which the requests needed ${text}`;
  });
}

function neverUsed({ title, rules }: GrantedRules, requests: readonly RequestInfo[]): readonly string[] {
  const parts = rules.filter((rule) => !hasWildcard(rule)).flatMap((rule) => [...partsOf(rule)]);
  const unused = parts.filter((part) => {
    const finder = new RoleRules([part]);
    return !requests.some((info) => finder.ruleFor(info) !== undefined);
  });
  return mergedRules(unused).map((rule) => `${title} allows ${shown(rule)}, which no request needed`);
}

/** A path with a star at its end is the usual form of a permission for paths, so only `*` itself counts. */
function hasWildcard({ verbs, apiGroups, resources, nonResourceURLs }: PolicyRule): boolean {
  if ([verbs, apiGroups, nonResourceURLs].some((values) => values.includes("*"))) return true;
  return resources.some((resource) => resource.startsWith("*"));
}

function shown(rule: PolicyRule): string {
  return JSON.stringify(policyRuleObject(rule));
}

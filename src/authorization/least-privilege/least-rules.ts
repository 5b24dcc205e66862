import { compareText } from "../../apimachinery/text-order.ts";
import type { RequestInfo, ResourceRequestInfo } from "../../request/request-info.ts";
import { type PolicyRule, policyRule } from "../contract/policy-rule.ts";
import { resourceOfRule } from "../explanation/smallest-rule.ts";
import { RoleRules } from "../rbac/role-rules.ts";
import { mergedRules } from "./merged-rules.ts";

/** The rules of a Role in a namespace, or those of a ClusterRole for the empty one. */
export interface ScopedRules {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/**
 * The fewest permissions that allow these requests: those of a Role for each namespace, and last those of a ClusterRole for what
 * is outside of namespaces or in all of them. What the ClusterRole grants is in no Role.
 */
export function leastRules(requests: readonly RequestInfo[]): readonly ScopedRules[] {
  const byNamespace = new Map<string, RequestInfo[]>();
  for (const info of requests) {
    const namespace = namespaceOfRole(info);
    const known = byNamespace.get(namespace);
    if (known === undefined) byNamespace.set(namespace, [info]);
    else known.push(info);
  }
  const wide = rulesFor(byNamespace.get("") ?? []);
  const granted = new RoleRules(wide);
  const narrow = [...byNamespace].sort(([a], [b]) => compareText(a, b));
  return [
    ...narrow.map(([namespace, infos]) => ({
      namespace,
      rules: rulesFor(infos.filter((info) => granted.ruleFor(info) === undefined)),
    })),
    { namespace: "", rules: wide },
  ].filter(({ rules }) => rules.length > 0);
}

/**
 * The namespace whose Role can allow a request; empty for a ClusterRole. A Role could allow access to its own namespace, but a
 * client that creates or deletes namespaces has no Role in them.
 */
function namespaceOfRole(info: RequestInfo): string {
  if (!info.isResourceRequest) return "";
  return info.group === "" && info.resource === "namespaces" ? "" : info.namespace;
}

/** The objects of a verb: their names, or `all` once a request has named none. */
type NamedObjects = Set<string> | "all";

/** What the requests do to one resource. */
interface ResourceUse {
  readonly info: ResourceRequestInfo;
  readonly verbs: Map<string, NamedObjects>;
}

/** The rules for requests of one scope. */
function rulesFor(requests: readonly RequestInfo[]): readonly PolicyRule[] {
  const uses = new Map<string, ResourceUse>();
  const rules: PolicyRule[] = [];
  for (const info of requests) {
    if (info.isResourceRequest) addUse(uses, info);
    else rules.push(policyRule({ verbs: [info.verb], nonResourceURLs: [info.path] }));
  }
  return mergedRules([...rules, ...[...uses.values()].flatMap(rulesOfUse)]);
}

function addUse(uses: Map<string, ResourceUse>, info: ResourceRequestInfo): void {
  const key = `${info.group}/${resourceOfRule(info)}`;
  const { verbs } = uses.get(key) ?? { verbs: new Map<string, NamedObjects>() };
  uses.set(key, { info, verbs });
  const named = verbs.get(info.verb) ?? new Set<string>();
  verbs.set(info.verb, info.name === "" || named === "all" ? "all" : named.add(info.name));
}

function rulesOfUse({ info, verbs }: ResourceUse): readonly PolicyRule[] {
  // With `list`, the user has read all objects.
  const readsAll = verbs.get("list") === "all" || verbs.get("watch") === "all";
  return [...verbs].map(([verb, named]) =>
    policyRule({
      verbs: [verb],
      apiGroups: [info.group],
      resources: [resourceOfRule(info)],
      resourceNames: verb === "get" && readsAll ? [] : fixedNames(named),
    }),
  );
}

/** More names than these are not the fixed names of a program. */
const mostNames = 3;

/** The names that a rule can list; none where another run would have others. */
function fixedNames(named: NamedObjects): readonly string[] {
  if (named === "all" || named.size > mostNames) return [];
  const names = [...named];
  return names.some(isGenerated) ? [] : names.sort(compareText);
}

/** Whether a name ends as a server completes `generateName`. Upstream: apimachinery, pkg/util/rand. */
function isGenerated(name: string): boolean {
  return /-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name);
}

import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import { type AuthorizationOf, type Decision, noRules } from "../contract/authorizer.ts";
import { pathMatches, policyRule } from "../contract/policy-rule.ts";
import type { AbacPolicy } from "./policy-file.ts";

const refused: Decision = { verdict: "noOpinion", reason: "No policy matched." };
const reads = ["get", "list", "watch"];

/**
 * Allows what a policy of a file allows: `--authorization-mode=ABAC`.
 * Upstream: pkg/auth/authorizer/abac/abac.go.
 */
export function abac(policies: readonly AbacPolicy[]): AuthorizationOf {
  return () => ({
    authorize: ({ user, info }) => {
      const isAllowed = policies.some((policy) => isAbout(policy, user) && allows(policy, info));
      return isAllowed ? { verdict: "allow", reason: "" } : refused;
    },
    rulesFor: (user, namespace) => ({
      ...noRules,
      rules: policies
        .filter((policy) => isAbout(policy, user) && isFor(policy.namespace, namespace))
        .flatMap(rulesOf),
    }),
  });
}

/** If a policy names a user and a group, both must match. */
function isAbout({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === "" && group === "") return false;
  return (user === "" || user === name) && (group === "" || groups.includes(group));
}

function allows(policy: AbacPolicy, info: RequestInfo): boolean {
  if (policy.readonly && !reads.includes(info.verb)) return false;
  const { namespace, resource, apiGroup, nonResourcePath } = policy;
  if (!info.isResourceRequest) return nonResourcePath === "*" || pathMatches(nonResourcePath, info.path);
  return isFor(namespace, info.namespace) && isFor(resource, info.resource) && isFor(apiGroup, info.group);
}

/** What a policy does not set is equal only to the empty text. */
function isFor(wanted: string, actual: string): boolean {
  return wanted === "*" || wanted === actual;
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: AbacPolicy) {
  const verbs = readonly ? reads : ["*"];
  return [
    ...(resource === "" ? [] : [policyRule({ verbs, apiGroups: [apiGroup], resources: [resource] })]),
    ...(nonResourcePath === "" ? [] : [policyRule({ verbs, nonResourceURLs: [nonResourcePath] })]),
  ];
}

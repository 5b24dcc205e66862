import type { RequestInfo, ResourceRequestInfo } from "../../request/request-info.ts";
import { type PolicyRule, policyRule } from "../contract/policy-rule.ts";

/** The smallest rule of a role that allows a request, with the name of the object if the request has one. */
export function smallestRule(info: RequestInfo): PolicyRule {
  const verbs = [info.verb];
  if (!info.isResourceRequest) return policyRule({ verbs, nonResourceURLs: [info.path] });
  const resourceNames = info.name === "" ? [] : [info.name];
  return policyRule({ verbs, apiGroups: [info.group], resources: [resourceOfRule(info)], resourceNames });
}

/** The resource as a rule writes it: `pods`, or `pods/log`. */
export function resourceOfRule({
  resource,
  subresource,
}: Pick<ResourceRequestInfo, "resource" | "subresource">): string {
  return subresource === "" ? resource : `${resource}/${subresource}`;
}

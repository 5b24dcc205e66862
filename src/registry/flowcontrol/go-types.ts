import {
  type GoType,
  goBoolean,
  goInteger,
  goPointer,
  goSlice,
  goStruct,
  goText,
  goTexts,
} from "../../apimachinery/go-type.ts";

const subject = goStruct("flowcontrol.Subject", [
  ["Kind", "kind", goText],
  ["User", "user", goPointer("flowcontrol.UserSubject")],
  ["Group", "group", goPointer("flowcontrol.GroupSubject")],
  ["ServiceAccount", "serviceAccount", goPointer("flowcontrol.ServiceAccountSubject")],
]);

const resourceRule = goStruct("flowcontrol.ResourcePolicyRule", [
  ["Verbs", "verbs", goTexts],
  ["APIGroups", "apiGroups", goTexts],
  ["Resources", "resources", goTexts],
  ["ClusterScope", "clusterScope", goBoolean],
  ["Namespaces", "namespaces", goTexts],
]);

const nonResourceRule = goStruct("flowcontrol.NonResourcePolicyRule", [
  ["Verbs", "verbs", goTexts],
  ["NonResourceURLs", "nonResourceURLs", goTexts],
]);

const rule = goStruct("flowcontrol.PolicyRulesWithSubjects", [
  ["Subjects", "subjects", goSlice("flowcontrol.Subject", subject)],
  ["ResourceRules", "resourceRules", goSlice("flowcontrol.ResourcePolicyRule", resourceRule)],
  ["NonResourceRules", "nonResourceRules", goSlice("flowcontrol.NonResourcePolicyRule", nonResourceRule)],
]);

export const goDistinguisherMethod: GoType = goStruct("flowcontrol.FlowDistinguisherMethod", [
  ["Type", "type", goText],
]);

export const goFlowSchemaSpec: GoType = goStruct("flowcontrol.FlowSchemaSpec", [
  [
    "PriorityLevelConfiguration",
    "priorityLevelConfiguration",
    goStruct("flowcontrol.PriorityLevelConfigurationReference", [["Name", "name", goText]]),
  ],
  ["MatchingPrecedence", "matchingPrecedence", goInteger],
  ["DistinguisherMethod", "distinguisherMethod", goPointer("flowcontrol.FlowDistinguisherMethod")],
  ["Rules", "rules", goSlice("flowcontrol.PolicyRulesWithSubjects", rule)],
]);

export const goPriorityLevelSpec: GoType = goStruct("flowcontrol.PriorityLevelConfigurationSpec", [
  ["Type", "type", goText],
  ["Limited", "limited", goPointer("flowcontrol.LimitedPriorityLevelConfiguration")],
  ["Exempt", "exempt", goPointer("flowcontrol.ExemptPriorityLevelConfiguration")],
]);

import {
  type GoType,
  goBoolean,
  goInteger,
  goPointer,
  goSlice,
  goStruct,
  goText,
  goTexts,
} from "../../../apimachinery/go/go-type.ts";

const named = goStruct("flowcontrol.UserSubject", [["Name", "name", goText]]);

const account = goStruct("flowcontrol.ServiceAccountSubject", [
  ["Namespace", "namespace", goText],
  ["Name", "name", goText],
]);

const subject = goStruct("flowcontrol.Subject", [
  ["Kind", "kind", goText],
  ["User", "user", goPointer("flowcontrol.UserSubject", named)],
  ["Group", "group", goPointer("flowcontrol.GroupSubject", named)],
  ["ServiceAccount", "serviceAccount", goPointer("flowcontrol.ServiceAccountSubject", account)],
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
  [
    "DistinguisherMethod",
    "distinguisherMethod",
    goPointer("flowcontrol.FlowDistinguisherMethod", goDistinguisherMethod),
  ],
  ["Rules", "rules", goSlice("flowcontrol.PolicyRulesWithSubjects", rule)],
]);

const queuing = goStruct("flowcontrol.QueuingConfiguration", [
  ["Queues", "queues", goInteger],
  ["HandSize", "handSize", goInteger],
  ["QueueLengthLimit", "queueLengthLimit", goInteger],
]);

const limited = goStruct("flowcontrol.LimitedPriorityLevelConfiguration", [
  ["NominalConcurrencyShares", "nominalConcurrencyShares", goInteger],
  [
    "LimitResponse",
    "limitResponse",
    goStruct("flowcontrol.LimitResponse", [
      ["Type", "type", goText],
      ["Queuing", "queuing", goPointer("flowcontrol.QueuingConfiguration", queuing)],
    ]),
  ],
  ["LendablePercent", "lendablePercent", goPointer("int32")],
  ["BorrowingLimitPercent", "borrowingLimitPercent", goPointer("int32")],
]);

const exempt = goStruct("flowcontrol.ExemptPriorityLevelConfiguration", [
  ["NominalConcurrencyShares", "nominalConcurrencyShares", goPointer("int32")],
  ["LendablePercent", "lendablePercent", goPointer("int32")],
]);

export const goPriorityLevelSpec: GoType = goStruct("flowcontrol.PriorityLevelConfigurationSpec", [
  ["Type", "type", goText],
  ["Limited", "limited", goPointer("flowcontrol.LimitedPriorityLevelConfiguration", limited)],
  ["Exempt", "exempt", goPointer("flowcontrol.ExemptPriorityLevelConfiguration", exempt)],
]);

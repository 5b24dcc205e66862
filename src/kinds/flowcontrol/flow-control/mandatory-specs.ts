import type { JsonObject } from "../../../apimachinery/json.ts";

const everything: JsonObject = {
  resourceRules: [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
  ],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

function group(name: string): JsonObject {
  return { kind: "Group", group: { name } };
}

/** The specs of the mandatory flow schemas, by name. */
export const mandatoryFlowSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [
    "exempt",
    {
      priorityLevelConfiguration: { name: "exempt" },
      matchingPrecedence: 1,
      rules: [{ subjects: [group("system:masters")], ...everything }],
    },
  ],
  [
    "catch-all",
    {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: 10000,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: [group("system:unauthenticated"), group("system:authenticated")], ...everything }],
    },
  ],
]);

/** The spec of the mandatory priority level `catch-all`. */
export const catchAllSpec: JsonObject = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
};

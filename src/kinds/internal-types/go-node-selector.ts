import { type GoType, goSlice, goStruct, goText, goTexts } from "../../apimachinery/go/go-type.ts";

const requirements = goSlice(
  "core.NodeSelectorRequirement",
  goStruct("core.NodeSelectorRequirement", [
    ["Key", "key", goText],
    ["Operator", "operator", goText],
    ["Values", "values", goTexts],
  ]),
);

/** What one term of a selector of nodes asks for. */
export const goNodeSelectorTerm: GoType = goStruct("core.NodeSelectorTerm", [
  ["MatchExpressions", "matchExpressions", requirements],
  ["MatchFields", "matchFields", requirements],
]);

export const goNodeSelectorTerms: GoType = goSlice("core.NodeSelectorTerm", goNodeSelectorTerm);

/** A selector of nodes, as upstream's internal type. */
export const goNodeSelector: GoType = goStruct("core.NodeSelector", [
  ["NodeSelectorTerms", "nodeSelectorTerms", goNodeSelectorTerms],
]);

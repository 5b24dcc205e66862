import { type GoType, goSlice, goStruct, goText, goTexts } from "../../apimachinery/go/go-type.ts";

const requirements = goSlice(
  "core.NodeSelectorRequirement",
  goStruct("core.NodeSelectorRequirement", [
    ["Key", "key", goText],
    ["Operator", "operator", goText],
    ["Values", "values", goTexts],
  ]),
);

/** The internal type of a node selector term. */
export const goNodeSelectorTerm: GoType = goStruct("core.NodeSelectorTerm", [
  ["MatchExpressions", "matchExpressions", requirements],
  ["MatchFields", "matchFields", requirements],
]);

export const goNodeSelectorTerms: GoType = goSlice("core.NodeSelectorTerm", goNodeSelectorTerm);

/** The internal type of a node selector. */
export const goNodeSelector: GoType = goStruct("core.NodeSelector", [
  ["NodeSelectorTerms", "nodeSelectorTerms", goNodeSelectorTerms],
]);

import { listAt, stringsAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import {
  compileRequirement,
  type LabelOperator,
  type Labels,
} from "../../apimachinery/validation/label-requirement.ts";

/** What node selectors look at. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels;
}

export type NodeSelection = (node: SelectableNode) => boolean;

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
  ["Gt", "gt"],
  ["Lt", "lt"],
]);

/**
 * The nodes that a pod accepts: by its `nodeSelector` and by its required node affinity; undefined if it accepts all. Upstream:
 * component-helpers, scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function requiredNodes(spec: JsonObject): NodeSelection | undefined {
  const wanted = Object.entries(stringsAt(spec, "nodeSelector"));
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const terms = listAt(spec, "affinity", "nodeAffinity", required, "nodeSelectorTerms").map(nodeSelectorTerm);
  if (wanted.length === 0 && terms.length === 0) return undefined;
  return (node) =>
    wanted.every(([key, value]) => node.labels[key] === value) &&
    (terms.length === 0 || terms.some((term) => term(node)));
}

/** The names of the only nodes that required node affinity can accept; undefined if a term names none. */
export function requiredNodeNames(spec: JsonObject): ReadonlySet<string> | undefined {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const terms = listAt(spec, "affinity", "nodeAffinity", required, "nodeSelectorTerms");
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const named = listAt(term, "matchFields")
      .filter(({ key, operator }) => key === "metadata.name" && operator === "In")
      .map((field) => textsAt(field, "values"));
    if (named.length === 0) return undefined;
    const [first = [], ...others] = named;
    for (const name of first) if (others.every((list) => list.includes(name))) names.add(name);
  }
  return names;
}

/** The nodes that a NodeSelector selects: those that one of its terms matches. */
export function nodeSelector(selector: JsonObject): NodeSelection {
  const terms = listAt(selector, "nodeSelectorTerms").map(nodeSelectorTerm);
  return (node) => terms.some((term) => term(node));
}

/** The nodes that a term selects: all of its expressions match. A term without any matches no node. */
export function nodeSelectorTerm(term: JsonObject): NodeSelection {
  const expressions = listAt(term, "matchExpressions").map(requirement);
  const fields = listAt(term, "matchFields").map(requirement);
  if (expressions.length === 0 && fields.length === 0) return () => false;
  return ({ name, labels }) =>
    expressions.every((matches) => matches(labels)) &&
    fields.every((matches) => matches({ "metadata.name": name }));
}

function requirement(expression: JsonObject): (labels: Labels) => boolean {
  const operator = operators.get(textAt(expression, "operator"));
  if (operator === undefined) return () => false;
  return compileRequirement({
    key: textAt(expression, "key"),
    operator,
    values: textsAt(expression, "values"),
  });
}

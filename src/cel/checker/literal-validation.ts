import { children } from "../syntax/children.ts";
import type { Call, Expression, ListLiteral, MapLiteral } from "../syntax/expression.ts";
import type { Issues } from "../syntax/issues.ts";
import type { CelType } from "../types/cel-type.ts";
import { formatType } from "../types/format-type.ts";
import { isDynamic, isExactly, unwrapOptional } from "../types/type-relations.ts";
import { isError } from "../values/cel-error.ts";
import { type CheckedExpression, typeOfNode } from "./checked-expression.ts";

/** The functions whose literal arguments are checked, with the index of the argument (cel-go, cel/validator.go). */
const validated: ReadonlyMap<string, number> = new Map([
  ["duration", 0],
  ["timestamp", 0],
  ["matches", 1],
]);

/** Adds an issue for each literal that its function does not accept, and for lists and maps of several types. */
export function addLiteralIssues(checked: CheckedExpression, issues: Issues): void {
  const { literalValidation, homogeneousLiterals } = checked.environment;
  const visit = (node: Expression, isExempt: boolean): void => {
    if (node.kind === "call" && literalValidation) addInvalidArgument(checked, node, issues);
    if (node.kind === "list" && !isExempt) addMixedElements(checked, node, issues);
    if (node.kind === "map" && !isExempt) addMixedEntries(checked, node, issues);
    // The arguments of a format have the types of its clauses.
    const isFormat = node.kind === "call" && node.function === "format";
    for (const child of children(node)) visit(child, isExempt || isFormat);
  };
  visit(checked.root, !homogeneousLiterals);
}

function addInvalidArgument(checked: CheckedExpression, node: Call, issues: Issues): void {
  const index = validated.get(node.function);
  const reference = checked.references[node.id];
  if (index === undefined || reference?.kind !== "call") return;
  const operands = node.target === undefined ? node.arguments : [node.target, ...node.arguments];
  const argument = operands[index];
  if (argument?.kind !== "literal") return;
  const literals = operands.map((operand) => (operand.kind === "literal" ? operand.value : undefined));
  const isInvalid = reference.overloads.some(({ prepare, call, isFoldable }) =>
    isError(isFoldable ? call(argument.value) : (prepare?.(literals) ?? null)),
  );
  if (isInvalid) issues.add(checked.offsets[argument.id], `invalid ${node.function} argument`);
}

function addMixedElements(checked: CheckedExpression, node: ListLiteral, issues: Issues): void {
  addMixed(checked, node.elements, node.optional, issues);
}

function addMixedEntries(checked: CheckedExpression, node: MapLiteral, issues: Issues): void {
  const optional = new Set(node.entries.flatMap((entry, i) => (entry.optional ? [i] : [])));
  addMixed(
    checked,
    node.entries.map(({ key }) => key),
    new Set(),
    issues,
  );
  addMixed(
    checked,
    node.entries.map(({ value }) => value),
    optional,
    issues,
  );
}

/** Adds an issue for the first node whose type differs from that of the nodes before it. */
function addMixed(
  checked: CheckedExpression,
  nodes: readonly Expression[],
  optional: ReadonlySet<number>,
  issues: Issues,
): void {
  let first: CelType | undefined;
  for (const [i, node] of nodes.entries()) {
    const own = typeOfNode(checked, node);
    const type = optional.has(i) ? unwrapOptional(own) : own;
    first ??= type;
    if (isDynamic(first) || isDynamic(type) || isExactly(first, type)) continue;
    issues.add(
      checked.offsets[node.id],
      `expected type '${formatType(first)}' but found '${formatType(type)}'`,
    );
    return;
  }
}

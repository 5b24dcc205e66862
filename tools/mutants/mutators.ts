import type { Node } from "oxc-parser";
import type { Form } from "./mutant.ts";

/** What a mutator puts in place of a node; `at` if it concerns another range than that of the node. */
export interface Change {
  readonly replacement: string;
  readonly form: Form;
  readonly at?: { readonly start: number; readonly end: number };
}

type TextOf = (node: Node) => string;

const boundaries: ReadonlyMap<string, readonly string[]> = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["+", ["-"]],
  ["-", ["+"]],
  ["*", ["/"]],
  ["/", ["*"]],
  ["%", ["*"]],
]);

const booleanOperators: ReadonlyMap<string, string> = new Map([
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
]);

/** Calls of which the receiver alone is a mutant. */
const droppedMethods: ReadonlySet<string> = new Set([
  "concat",
  "filter",
  "reverse",
  "slice",
  "sort",
  "toLowerCase",
  "toSorted",
  "trim",
]);

const exchangedMethods: ReadonlyMap<string, string> = new Map([
  ["every", "some"],
  ["some", "every"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
]);

/** The changes of one node, without those of its parts. */
export function changesOf(node: Node, textOf: TextOf): readonly Change[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return [expression("true", node.test), expression("false", node.test)];
    case "WhileStatement":
      return [expression("false", node.test)];
    case "ForStatement":
      return node.test === null ? [] : [expression("false", node.test)];
    case "BinaryExpression":
      return (boundaries.get(node.operator) ?? []).map((operator) =>
        expression(`${textOf(node.left)} ${operator} ${textOf(node.right)}`),
      );
    case "LogicalExpression":
      return [
        expression(`(${textOf(node.left)}) ${booleanOperators.get(node.operator)} (${textOf(node.right)})`),
      ];
    case "UnaryExpression":
      return node.operator === "!" ? [expression(textOf(node.argument))] : [];
    case "Literal":
      return literalChanges(node.value);
    case "TemplateLiteral":
      return [expression("``")];
    case "ArrayExpression":
      return node.elements.length === 0 ? [] : [expression("[]")];
    case "CallExpression":
      return callChanges(node, textOf);
    default:
      return statementChanges(node);
  }
}

function expression(replacement: string, at?: Node): Change {
  return { replacement, form: "expression", ...(at && { at }) };
}

function literalChanges(value: unknown): readonly Change[] {
  if (typeof value === "boolean") return [expression(String(!value))];
  if (typeof value === "number") return [expression(String(value + 1))];
  if (typeof value === "string") return [expression(value === "" ? '"mutated"' : '""')];
  return [];
}

function callChanges(node: Extract<Node, { type: "CallExpression" }>, textOf: TextOf): readonly Change[] {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.computed || callee.optional) return [];
  if (callee.property.type !== "Identifier") return [];
  const { name } = callee.property;
  if (droppedMethods.has(name)) return [expression(textOf(callee.object))];
  const other = exchangedMethods.get(name);
  if (other === undefined) return [];
  const rest = textOf(node).slice(callee.end - node.start);
  return [expression(`${textOf(callee.object)}.${other}${rest}`)];
}

function statementChanges(node: Node): readonly Change[] {
  switch (node.type) {
    case "ExpressionStatement": {
      const isSuper = node.expression.type === "CallExpression" && node.expression.callee.type === "Super";
      return isSuper || node.directive ? [] : [{ replacement: "", form: "removal" }];
    }
    case "ThrowStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return [{ replacement: "", form: "removal" }];
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return earlyReturn(node.body);
    default:
      return [];
  }
}

function earlyReturn(body: Node | null): readonly Change[] {
  if (body === null) return [];
  // Functions that return nothing stay as they are.
  if (body.type === "Identifier" && body.name === "undefined") return [];
  if (body.type !== "BlockStatement") return [expression("undefined", body)];
  if (body.body.length === 0) return [];
  const at = { start: body.start + 1, end: body.start + 1 };
  return [{ replacement: "return;", form: "return", at }];
}

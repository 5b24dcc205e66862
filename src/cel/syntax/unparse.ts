import { goFloat } from "../../apimachinery/go/go-value.ts";
import { doubleValue, Uint } from "../values/numbers.ts";
import type { CelValue } from "../values/value.ts";
import type { Call, Expression } from "./expression.ts";
import { binaryOperators, operators } from "./operators.ts";
import { showBytes, showString } from "./quoting.ts";

const texts: ReadonlyMap<string, string> = new Map([
  ...Array.from(binaryOperators, ([text, name]) => [name, text] as const),
  [operators.and, "&&"],
  [operators.or, "||"],
]);

/** An expression as text, with parentheses around each operator. Macros that were expanded cannot be written. */
export function unparse(node: Expression): string {
  switch (node.kind) {
    case "literal":
      return showLiteral(node.value);
    case "identifier":
      return node.name;
    case "select":
      return node.testOnly ? `has(${field(node.operand, node.field)})` : field(node.operand, node.field);
    case "call":
      return showCall(node);
    case "list":
      return `[${node.elements.map((item, i) => mark(node.optional.has(i)) + unparse(item)).join(", ")}]`;
    case "map": {
      const entries = node.entries.map(
        ({ key, value, optional }) => `${mark(optional)}${unparse(key)}: ${unparse(value)}`,
      );
      return `{${entries.join(", ")}}`;
    }
    case "struct": {
      const fields = node.fields.map(
        ({ name, value, optional }) => `${mark(optional)}${name}: ${unparse(value)}`,
      );
      return `${node.name}{${fields.join(", ")}}`;
    }
    case "comprehension":
      throw new Error("an expanded macro cannot be written as an expression");
  }
}

function mark(isOptional: boolean): string {
  return isOptional ? "?" : "";
}

function field(operand: Expression, name: string): string {
  const written = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name}\``;
  return `${unparse(operand)}.${written}`;
}

function showCall(node: Call): string {
  const [first, second, third] = node.arguments.map(unparse);
  const operator = texts.get(node.function);
  if (operator !== undefined) return `(${first} ${operator} ${second})`;
  switch (node.function) {
    case operators.conditional:
      return `(${first} ? ${second} : ${third})`;
    case operators.not:
      return `!(${first})`;
    case operators.negate:
      return `-(${first})`;
    case operators.index:
      return `${first}[${second}]`;
    case operators.optionalIndex:
      return `${first}[?${second}]`;
    case operators.optionalSelect:
      return `${first}.?${nameOf(node)}`;
    default: {
      const target = node.target === undefined ? "" : `${unparse(node.target)}.`;
      return `${target}${node.function}(${node.arguments.map(unparse).join(", ")})`;
    }
  }
}

function nameOf(node: Call): string {
  const name = node.arguments[1];
  return name?.kind === "literal" ? String(name.value) : "";
}

function showLiteral(value: CelValue): string {
  if (typeof value === "string") return showString(value);
  if (value instanceof Uint8Array) return showBytes(value);
  if (value instanceof Uint) return `${value.value}u`;
  const double = doubleValue(value);
  if (double === undefined) return String(value);
  const text = goFloat(double);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

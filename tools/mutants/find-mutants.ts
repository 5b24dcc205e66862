import { type Node, parseSync } from "oxc-parser";
import { partsOf } from "./find-loops.ts";
import { type Mutant, type MutantName, nameOf } from "./mutant.ts";
import { changesOf } from "./mutators.ts";

/** Every mutant of a source, in the order of the text. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  const names = new Map<string, number>();
  const unchanged = new Set<Node>();
  const visit = (node: Node, within: string): void => {
    if (isSkipped(node)) return;
    addSpine(unchanged, node);
    addEmptyDefault(unchanged, node);
    // In parentheses, the text would no longer be the tag's.
    if (node.type === "TaggedTemplateExpression") unchanged.add(node.quasi);
    const inner = within === "" || node.type === "MethodDefinition" ? (nameOfNode(node) ?? within) : within;
    const enclosing = node.type === "FunctionDeclaration" ? inner : within;
    const changes = unchanged.has(node) ? [] : changesOf(node, (part) => source.slice(part.start, part.end));
    for (const { replacement, form, at = node } of changes) {
      const original = source.slice(at.start, at.end);
      const equal: MutantName = { file, within: enclosing, original, replacement, nth: 0 };
      const nth = (names.get(nameOf(equal)) ?? 0) + 1;
      names.set(nameOf(equal), nth);
      const line = source.slice(0, at.start).split("\n").length;
      found.push({ ...equal, nth, line, start: at.start, end: at.end, form });
    }
    for (const part of partsOf(node, isCode)) visit(part, inner);
  };
  visit(program, "");
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Nodes without an effect at run time, sources of modules, and the texts of errors that report a mistake in the code. */
function isSkipped(node: Node): boolean {
  switch (node.type) {
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return false;
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
      return true;
    case "ExportNamedDeclaration":
      return node.source !== null;
    case "NewExpression":
      return node.callee.type === "Identifier" && /^(Type|Range)?Error$/.test(node.callee.name);
    default:
      return node.type.startsWith("TS");
  }
}

/** Within `a?.b.c()` only the whole can be in parentheses: they would end what `?.` leaves out. */
function addSpine(unchanged: Set<Node>, node: Node): void {
  if (node.type !== "ChainExpression") return;
  let part: Node = node.expression;
  for (;;) {
    if (part.type === "CallExpression") part = part.callee;
    else if (part.type === "MemberExpression") part = part.object;
    else if (part.type === "TSNonNullExpression") part = part.expression;
    else return;
    unchanged.add(part);
  }
}

/** In `name ?? ""` and `{ name = "" }` the empty text only satisfies the types: the objects have names. */
function addEmptyDefault(unchanged: Set<Node>, node: Node): void {
  if (node.type !== "AssignmentPattern" && node.type !== "LogicalExpression") return;
  if (node.right.type === "Literal" && node.right.value === "") unchanged.add(node.right);
}

/** The key of a property is its name, unless it is computed. */
function isCode(node: Node, key: string): boolean {
  return key !== "key" || !("computed" in node) || node.computed;
}

function nameOfNode(node: Node): string | undefined {
  if (node.type === "FunctionDeclaration") return node.id?.name;
  if (node.type === "VariableDeclarator") return node.id.type === "Identifier" ? node.id.name : undefined;
  if (node.type !== "MethodDefinition") return undefined;
  return "name" in node.key ? String(node.key.name) : undefined;
}

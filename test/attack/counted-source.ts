import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** The variable with the steps of a counted source. */
export const stepsVariable = "__steps";

/** Text to insert at a position of the source. */
type Insertion = readonly [position: number, text: string];

const step = `${stepsVariable}.count++;`;

/** The source with a counter of its steps: how often it enters a function or the body of a loop. */
export function countedSource(file: string, source: string): string {
  const insertions: Insertion[] = [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const visit = (node: Node): void => {
    const body = bodyOf(node);
    if (body !== undefined) insertions.push(...countedBody(body));
    for (const key of visitorKeys[node.type] ?? []) {
      // The keys are those of the node.
      const part: unknown = (node as unknown as Readonly<Record<string, unknown>>)[key];
      for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child);
    }
  };
  visit(program);
  return inserted(source, insertions);
}

/** What runs each time that a function is called or a loop goes round. */
function bodyOf(node: Node): Node | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node.body ?? undefined;
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return node.body;
    default:
      return undefined;
  }
}

function countedBody(body: Node): readonly Insertion[] {
  const { type, start, end } = body;
  if (body.type === "BlockStatement") return [[afterDirectives(body), step]];
  const isStatement = type.endsWith("Statement") || type.endsWith("Declaration");
  if (isStatement)
    return [
      [start, `{ ${step} `],
      [end, " }"],
    ];
  return [
    [start, `(${stepsVariable}.count++, (`],
    [end, "))"],
  ];
}

/** Behind the opening brace, or behind `"use strict"`. */
function afterDirectives(body: Extract<Node, { type: "BlockStatement" }>): number {
  const directives = body.body.filter((statement) => "directive" in statement && statement.directive);
  return directives.at(-1)?.end ?? body.start + 1;
}

function inserted(source: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const [position, text] of insertions.toSorted(([a], [b]) => a - b)) {
    pieces.push(source.slice(at, position), text);
    at = position;
  }
  return pieces.join("") + source.slice(at);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

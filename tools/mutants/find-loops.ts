import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A range of a source. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The bodies of all loops of a source. */
export function findLoops(file: string, source: string): readonly Range[] {
  const bodies: Range[] = [];
  const visit = (node: Node): void => {
    if (isLoop(node)) bodies.push(node.body);
    for (const part of partsOf(node)) visit(part);
  };
  visit(parseSync(file, source).program);
  return bodies;
}

/** The nodes within a node. */
export function partsOf(
  node: Node,
  isWanted: (node: Node, key: string) => boolean = () => true,
): readonly Node[] {
  return (visitorKeys[node.type] ?? [])
    .filter((key) => isWanted(node, key))
    .flatMap((key): unknown => (node as unknown as Readonly<Record<string, unknown>>)[key]) // The keys are those of the node.
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function isLoop(node: Node): node is Extract<Node, { type: (typeof loops)[number] }> {
  return loops.some((type) => type === node.type);
}

const loops = [
  "DoWhileStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "WhileStatement",
] as const;

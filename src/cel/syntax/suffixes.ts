import type { Expression } from "./expression.ts";
import { follows } from "./follows.ts";
import { parseArguments, parseFieldName } from "./items.ts";
import { operators } from "./operators.ts";
import type { ParserContext } from "./parser-context.ts";

/** The fields, indices and member calls after an operand. */
export function parseSuffixes(parser: ParserContext, operand: Expression): Expression {
  let result = operand;
  for (;;) {
    const { kind } = parser.tokens.peek();
    if (kind !== "'.'" && kind !== "'['") return result;
    parser.depths.enter("member");
    result = kind === "'['" ? parseIndex(parser, result) : parseField(parser, result);
  }
}

function parseIndex(parser: ParserContext, operand: Expression): Expression {
  const { tokens, build, options } = parser;
  const open = tokens.take();
  const mark = tokens.takeIf("'?'");
  const index = parser.expression(follows.index);
  tokens.match("']'", follows.member);
  if (mark !== undefined && !options.optionalSyntax)
    return parser.error(open.start, "unsupported syntax '[?'");
  const name = mark === undefined ? operators.index : operators.optionalIndex;
  const id = build.id(open.start);
  parser.depths.count(id, [operand, index]);
  return { kind: "call", id, function: name, target: undefined, arguments: [operand, index] };
}

function parseField(parser: ParserContext, operand: Expression): Expression {
  const { tokens } = parser;
  const next = tokens.peek(1).kind;
  if (next === "IDENTIFIER" && tokens.peek(2).kind === "'('") return parseMemberCall(parser, operand);
  if (next !== "IDENTIFIER" && next !== "ESC_IDENTIFIER" && next !== "'?'") tokens.noViableAlternative(2);
  const dot = tokens.take();
  const mark = tokens.takeIf("'?'");
  const fieldStart = tokens.peek().start;
  const field = parseFieldName(parser);
  const id = parser.build.id(dot.start);
  parser.depths.count(id, [operand]);
  if (mark === undefined) return { kind: "select", id, operand, field, testOnly: false };
  if (!parser.options.optionalSyntax) return parser.error(dot.start, "unsupported syntax '.?'");
  const name: Expression = { kind: "literal", id: parser.build.id(fieldStart), value: field };
  return {
    kind: "call",
    id,
    function: operators.optionalSelect,
    target: undefined,
    arguments: [operand, name],
  };
}

function parseMemberCall(parser: ParserContext, operand: Expression): Expression {
  const { tokens, build } = parser;
  tokens.take();
  const name = tokens.text(tokens.take());
  const open = tokens.take();
  const args = parseArguments(parser);
  const result = parser.call(build.id(open.start), name, operand, args);
  parser.depths.count(result.id, [operand, ...args]);
  return result;
}

import type { Expression } from "./expression.ts";
import { expressionStart, follows } from "./follows.ts";
import { parseArguments, parseFields, parseList, parseMap } from "./items.ts";
import { literalValue } from "./literals.ts";
import type { ParserContext } from "./parser-context.ts";
import type { Token } from "./tokens.ts";

/** Names that no variable or function may have; fields may (cel-go, parser/parser.go). */
const reserved: ReadonlySet<string> = new Set([
  ..."as break const continue else false for function if import in let loop package namespace null".split(
    " ",
  ),
  ..."return true var void while".split(" "),
]);

/** An operand: a name, a call, a literal, or an expression in parentheses. */
export function parsePrimary(parser: ParserContext): Expression {
  const { tokens } = parser;
  const depth = tokens.enter(follows.member);
  try {
    tokens.sync(primaryStart);
    return parseChoice(parser);
  } catch (error) {
    tokens.recover(error, depth);
    return parser.failed();
  } finally {
    tokens.leave(depth);
  }
}

const primaryStart = expressionStart.filter((kind) => kind !== "'!'");

function parseChoice(parser: ParserContext): Expression {
  const { tokens } = parser;
  switch (tokens.peek().kind) {
    case "'('":
      return parseNested(parser);
    case "'['":
      return parseList(parser);
    case "'{'":
      return parseMap(parser);
    case "'.'":
      if (tokens.peek(1).kind !== "IDENTIFIER") tokens.noViableAlternative(2);
      return parseName(parser, tokens.take());
    case "IDENTIFIER":
      return parseName(parser, undefined);
    default:
      return parseLiteral(parser);
  }
}

function parseNested(parser: ParserContext): Expression {
  parser.tokens.take();
  const inner = parser.expression(follows.arguments);
  parser.tokens.match("')'", follows.member);
  return inner;
}

function parseLiteral(parser: ParserContext): Expression {
  const { tokens, build } = parser;
  return tokens.rule(
    follows.end,
    () => {
      const { start } = tokens.peek();
      const sign = tokens.takeIf("'-'") === undefined ? "" : "-";
      if (tokens.is("<EOF>")) return parser.failed();
      const token = tokens.take();
      const literal = literalValue(token.kind, tokens.text(token), sign);
      if ("error" in literal) return parser.error(start, literal.error);
      return { kind: "literal", id: build.id(start), value: literal.value };
    },
    () => parser.failed(),
  );
}

/** `name`, `.name`, `name(arguments)` or `a.b.Message{fields}` */
function parseName(parser: ParserContext, dot: Token | undefined): Expression {
  const { tokens, build } = parser;
  if (isMessage(parser)) return parseMessage(parser, dot);
  const token = tokens.take();
  const name = tokens.text(token);
  const start = dot?.start ?? token.start;
  const qualified = dot === undefined ? name : `.${name}`;
  const open = tokens.takeIf("'('");
  const args = open === undefined ? undefined : parseArguments(parser);
  if (reserved.has(name)) return parser.error(start, `reserved identifier: ${name}`);
  if (open === undefined || args === undefined) {
    return { kind: "identifier", id: build.id(token.start), name: qualified };
  }
  return parser.call(build.id(open.start), qualified, undefined, args);
}

/** Whether names and dots lead to a brace. */
function isMessage({ tokens }: ParserContext): boolean {
  let ahead = 1;
  while (tokens.peek(ahead).kind === "'.'" && tokens.peek(ahead + 1).kind === "IDENTIFIER") ahead += 2;
  return tokens.peek(ahead).kind === "'{'";
}

function parseMessage(parser: ParserContext, dot: Token | undefined): Expression {
  const { tokens, build } = parser;
  let name = dot === undefined ? "" : ".";
  while (!tokens.is("'{'")) name += tokens.text(tokens.take());
  const open = tokens.take();
  const fields = parseFields(parser);
  const id = build.id(open.start);
  parser.depths.pass(
    id,
    fields.map(({ value }) => value),
  );
  return { kind: "struct", id, name, fields };
}

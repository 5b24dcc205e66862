import type { Expression, MapEntry, StructField } from "./expression.ts";
import { expressionStart, follows } from "./follows.ts";
import type { ParserContext } from "./parser-context.ts";
import type { Token, TokenKind } from "./tokens.ts";

const closing: Record<"list" | "braces", readonly TokenKind[]> = {
  list: ["']'", "','"],
  braces: ["'}'", "','"],
};

const itemStart: readonly TokenKind[] = [...expressionStart, "'?'"];
const fieldStart: readonly TokenKind[] = ["IDENTIFIER", "ESC_IDENTIFIER", "'?'"];

/** The arguments of a call, after its parenthesis. */
export function parseArguments(parser: ParserContext): readonly Expression[] {
  const { tokens } = parser;
  tokens.sync([...expressionStart, "')'"]);
  const args = tokens.is("')'")
    ? []
    : tokens.rule(
        follows.arguments,
        () => {
          const items = [parser.expression(follows.nextItem)];
          while (tokens.takeIf("','")) items.push(parser.expression(follows.nextItem));
          return items;
        },
        () => [],
      );
  tokens.match("')'", follows.member);
  return args;
}

/** `[a, ?b,]` */
export function parseList(parser: ParserContext): Expression {
  const { tokens, build } = parser;
  const { start } = tokens.take();
  tokens.sync([...itemStart, ...closing.list]);
  const optional = new Set<number>();
  const elements: Expression[] = [];
  const parseElement = () => {
    const mark = takeOptional(parser);
    elements.push(parser.expression(follows.end));
    if (mark !== undefined) optional.add(elements.length - 1);
  };
  if (!closing.list.includes(tokens.peek().kind)) {
    const element = () => tokens.rule(follows.nextItem, parseElement, () => undefined);
    tokens.rule(
      follows.elements,
      () => separated(parser, itemStart, element),
      () => [],
    );
  }
  closeItems(parser, "']'", closing.list);
  const id = build.id(start);
  parser.depths.pass(id, elements);
  return { kind: "list", id, elements, optional };
}

/** `{a: b, ?c: d,}` */
export function parseMap(parser: ParserContext): Expression {
  const { tokens, build } = parser;
  const { start } = tokens.take();
  const id = build.id(start);
  tokens.sync([...itemStart, ...closing.braces]);
  const parseEntry = (): MapEntry => {
    const parseKey = () => ({ mark: takeOptional(parser), key: parser.expression(follows.end) });
    const { mark, key } = tokens.rule(follows.colon, parseKey, () => ({
      mark: undefined,
      key: parser.failed(),
    }));
    const entryId = colonId(parser);
    const value = parser.expression(follows.nextItem);
    return { id: entryId, key, value, optional: mark !== undefined };
  };
  const entries = closing.braces.includes(tokens.peek().kind)
    ? []
    : tokens.rule(
        follows.entries,
        () => separated(parser, itemStart, parseEntry),
        () => [],
      );
  closeItems(parser, "'}'", closing.braces);
  parser.depths.pass(
    id,
    entries.flatMap(({ key, value }) => [key, value]),
  );
  return { kind: "map", id, entries };
}

/** The fields of a message, after its brace. */
export function parseFields(parser: ParserContext): readonly StructField[] {
  const { tokens } = parser;
  tokens.sync([...fieldStart, ...closing.braces]);
  const parseField = (): StructField => {
    const parseName = () => ({ mark: takeOptional(parser), name: parseFieldName(parser) });
    const { mark, name } = tokens.rule(follows.colon, parseName, () => ({ mark: undefined, name: "" }));
    const id = colonId(parser);
    const value = parser.expression(follows.nextItem);
    return { id, name, value, optional: mark !== undefined };
  };
  const fields = closing.braces.includes(tokens.peek().kind)
    ? []
    : tokens.rule(
        follows.entries,
        () => separated(parser, fieldStart, parseField),
        () => [],
      );
  closeItems(parser, "'}'", closing.braces);
  return fields;
}

/** The name of a field, which may stand in backquotes. */
export function parseFieldName(parser: ParserContext): string {
  const { tokens } = parser;
  return tokens.rule(
    follows.member,
    () => {
      tokens.sync(["IDENTIFIER", "ESC_IDENTIFIER"]);
      const token = tokens.take();
      if (token.kind !== "ESC_IDENTIFIER") return tokens.text(token);
      if (!parser.options.escapedIdentifiers) parser.error(token.start, "unsupported syntax: '`'");
      return tokens.text(token).slice(1, -1);
    },
    () => "",
  );
}

function takeOptional(parser: ParserContext): Token | undefined {
  const mark = parser.tokens.takeIf("'?'");
  if (mark !== undefined && !parser.options.optionalSyntax)
    parser.error(mark.start, "unsupported syntax '?'");
  return mark;
}

function colonId(parser: ParserContext): number {
  const { start } = parser.tokens.peek();
  parser.tokens.match("':'", follows.expression);
  return parser.build.id(start);
}

/** A trailing comma and the bracket. */
function closeItems({ tokens }: ParserContext, close: TokenKind, expected: readonly TokenKind[]): void {
  tokens.sync(expected);
  tokens.takeIf("','");
  tokens.match(close, follows.member);
}

/** Items between commas. A comma before anything else ends the list. */
function separated<T>({ tokens }: ParserContext, start: readonly TokenKind[], parseItem: () => T): T[] {
  const items = [parseItem()];
  while (tokens.is("','") && start.includes(tokens.peek(1).kind)) {
    tokens.take();
    items.push(parseItem());
  }
  return items;
}

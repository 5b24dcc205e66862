import { DepthLimit, TooDeep } from "./depth-limit.ts";
import type { Expression } from "./expression.ts";
import { ExpressionBuilder, type Macro, MacroError } from "./expression-builder.ts";
import { expressionStart, follows, levels } from "./follows.ts";
import type { Issues } from "./issues.ts";
import { tokenize } from "./lexer.ts";
import { operators } from "./operators.ts";
import type { ParserContext, ParserOptions } from "./parser-context.ts";
import { parsePrimary } from "./primary.ts";
import { codePoints } from "./source.ts";
import { parseSuffixes } from "./suffixes.ts";
import { type Follow, TokenStream, TooManyErrors } from "./token-stream.ts";
import type { TokenKind } from "./tokens.ts";

/** A parsed expression. */
export interface ParsedExpression {
  readonly root: Expression;
  /** The offset of each node in the source, by its id. */
  readonly offsets: readonly number[];
}

const maxCodePoints = 100_000;

/** Parses an expression. What is wrong with it is added to `issues`; then the tree is only a part. */
export function parse(issues: Issues, options: ParserOptions): ParsedExpression {
  const parser = new Parser(issues, options);
  const size = codePoints(issues.source.text);
  if (size > maxCodePoints) {
    issues.add(undefined, `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`);
    return { root: parser.failed(), offsets: parser.build.offsets };
  }
  try {
    return { root: parser.parse(), offsets: parser.build.offsets };
  } catch (error) {
    if (error instanceof TooDeep) issues.add(undefined, error.message);
    else if (!(error instanceof TooManyErrors)) throw error;
    return { root: parser.failed(), offsets: parser.build.offsets };
  }
}

/** The rules of the grammar from the expression down to the operand; `primary.ts` and `suffixes.ts` have the rest. */
class Parser implements ParserContext {
  readonly tokens: TokenStream;
  readonly build: ExpressionBuilder = new ExpressionBuilder();
  readonly options: ParserOptions;
  readonly depths: DepthLimit = new DepthLimit();
  readonly #issues: Issues;
  readonly #macros: ReadonlyMap<string, Macro>;

  constructor(issues: Issues, options: ParserOptions) {
    this.#issues = issues;
    this.options = options;
    this.tokens = new TokenStream(
      codePoints(issues.source.text) > maxCodePoints ? [] : tokenize(issues),
      issues,
    );
    this.#macros = new Map(options.macros.map((macro) => [macroKey(macro), macro]));
  }

  parse(): Expression {
    return this.tokens.rule(
      follows.end,
      () => {
        const root = this.expression(follows.start);
        this.tokens.match("<EOF>", follows.end);
        return root;
      },
      () => this.failed(),
    );
  }

  /** A node for what could not be parsed. */
  failed(): Expression {
    return this.build.literal(null);
  }

  /** Reports an error at an offset. */
  error(offset: number, message: string): Expression {
    this.#issues.add(offset, message);
    return this.build.expandAt(offset, () => this.failed());
  }

  /** `condition ? a : b` */
  expression(follow: Follow): Expression {
    return this.#counted("expression", () =>
      this.tokens.rule(
        follow,
        () => this.#conditional(),
        () => this.failed(),
      ),
    );
  }

  #conditional(): Expression {
    const condition = this.#logical(follows.condition);
    const operator = this.tokens.takeIf("'?'");
    if (operator === undefined) return condition;
    const id = this.build.id(operator.start);
    const whenTrue = this.#logical(follows.colon);
    this.tokens.match("':'", follows.expression);
    const whenFalse = this.expression(follows.end);
    this.depths.count(id, [condition, whenTrue, whenFalse]);
    return this.#operator(id, operators.conditional, [condition, whenTrue, whenFalse]);
  }

  /** `a || b || c`, whose terms are `d && e && f` */
  #logical(follow: Follow): Expression {
    const and = (inner: Follow) =>
      this.#chain("'&&'", operators.and, inner, () => this.#relation(follows.and));
    return this.#chain("'||'", operators.or, follow, () => and(follows.or));
  }

  /** A chain of one logical operator, which becomes a balanced tree. */
  #chain(kind: TokenKind, name: string, follow: Follow, parseTerm: () => Expression): Expression {
    return this.tokens.rule(
      follow,
      () => {
        const terms = [parseTerm()];
        const ids: number[] = [];
        for (let operator = this.tokens.takeIf(kind); operator; operator = this.tokens.takeIf(kind)) {
          const { start } = operator;
          terms.push(parseTerm());
          ids.push(this.build.id(start));
        }
        return this.#balanced(name, terms, ids, 0, ids.length - 1);
      },
      () => this.failed(),
    );
  }

  #balanced(
    name: string,
    terms: readonly Expression[],
    ids: readonly number[],
    low: number,
    high: number,
  ): Expression {
    const middle = Math.floor((low + high + 1) / 2);
    const id = ids[middle];
    const first = terms[low];
    if (first === undefined) return this.failed();
    if (low > high || id === undefined) return first;
    const left = middle === low ? first : this.#balanced(name, terms, ids, low, middle - 1);
    const last = terms[middle + 1] ?? first;
    const right = middle === high ? last : this.#balanced(name, terms, ids, middle + 1, high);
    this.depths.pass(id, [left, right]);
    return { kind: "call", id, function: name, target: undefined, arguments: [left, right] };
  }

  #relation(follow: Follow): Expression {
    const operand = () => this.#calculation(follows.relation);
    return this.#binary("relation", levels.relations, follow, operand, () => this.#relationOperand());
  }

  #relationOperand(): Expression {
    return this.#counted("relation", () => this.#calculation(follows.relation));
  }

  /** Sums of products; both levels are one rule of the grammar. */
  #calculation(follow: Follow): Expression {
    const product = () =>
      this.#binaryLoop(
        "calculation",
        levels.products,
        () => this.#unary(follows.calculation),
        () => this.#unaryOperand(),
      );
    return this.#binary("calculation", levels.sums, follow, product, () =>
      this.#counted("calculation", product),
    );
  }

  #unaryOperand(): Expression {
    return this.#counted("calculation", () => this.#unary(follows.calculation));
  }

  #binary(
    rule: "relation" | "calculation",
    kinds: readonly TokenKind[],
    follow: Follow,
    parseFirst: () => Expression,
    parseNext: () => Expression,
  ): Expression {
    return this.#counted(rule, () =>
      this.tokens.rule(
        follow,
        () => this.#binaryLoop(rule, kinds, parseFirst, parseNext),
        () => this.failed(),
      ),
    );
  }

  /** Operators of one level associate to the left. */
  #binaryLoop(
    rule: "relation" | "calculation",
    kinds: readonly TokenKind[],
    parseFirst: () => Expression,
    parseNext: () => Expression,
  ): Expression {
    let left = parseFirst();
    const depth = this.depths.depth(rule);
    while (kinds.includes(this.tokens.peek().kind)) {
      this.depths.enter(rule);
      const operator = this.tokens.take();
      const id = this.build.id(operator.start);
      const right = parseNext();
      this.depths.count(id, [left, right]);
      const text = this.tokens.text(operator);
      left = this.#operator(id, text === "in" ? operators.in : `_${text}_`, [left, right]);
    }
    this.depths.leaveTo(rule, depth);
    return left;
  }

  #unary(follow: Follow): Expression {
    return this.tokens.rule(
      follow,
      () => {
        this.tokens.sync(expressionStart);
        if (this.tokens.is("'!'")) return this.#prefixed("'!'", operators.not);
        if (!this.tokens.is("'-'")) return this.member();
        const next = this.tokens.peek(1).kind;
        if (next === "NUM_INT" || next === "NUM_FLOAT") return this.member();
        return this.#prefixed("'-'", operators.negate);
      },
      () => this.failed(),
    );
  }

  /** `!!a` is a, and `--a` too. */
  #prefixed(kind: "'!'" | "'-'", name: string): Expression {
    const { start } = this.tokens.peek();
    const operand = kind === "'!'" ? expressionStart : expressionStart.filter((item) => item !== "'!'");
    let count = 0;
    while (this.tokens.is(kind)) {
      if (kind === "'-'" && !operand.includes(this.tokens.peek(1).kind)) this.tokens.noViableAlternative(2);
      this.tokens.take();
      this.tokens.syncLoop(operand);
      count++;
    }
    const inner = this.member();
    if (count % 2 === 0) return inner;
    const id = this.build.id(start);
    this.depths.pass(id, [inner]);
    return this.#operator(id, name, [inner]);
  }

  /** An operand with its fields, indices and member calls. */
  member(): Expression {
    const outer = this.depths.depth("member");
    this.depths.enter("member");
    const result = this.tokens.rule(
      follows.end,
      () => parseSuffixes(this, parsePrimary(this)),
      () => this.failed(),
    );
    this.depths.leaveTo("member", outer);
    return result;
  }

  /** A call of a function, or what its macro expands to. */
  call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const isMember = target !== undefined;
    const macro =
      this.#macros.get(macroKey({ name, argumentCount: args.length, isMember })) ??
      this.#macros.get(macroKey({ name, argumentCount: "any", isMember }));
    const offset = this.build.offsets[id] ?? 0;
    if (macro !== undefined) {
      try {
        const expanded = this.build.expandAt(offset, () => macro.expand(this.build, target, args));
        if (expanded !== undefined) {
          this.depths.pass(expanded.id, target === undefined ? args : [target, ...args]);
          return expanded;
        }
      } catch (error) {
        if (!(error instanceof MacroError)) throw error;
        return this.error(this.build.offsets[error.node.id] ?? offset, error.message);
      }
    }
    this.depths.pass(id, target === undefined ? args : [target, ...args]);
    return { kind: "call", id, function: name, target, arguments: args };
  }

  #operator(id: number, name: string, args: readonly Expression[]): Expression {
    return { kind: "call", id, function: name, target: undefined, arguments: args };
  }

  #counted(rule: "expression" | "relation" | "calculation", parse: () => Expression): Expression {
    const outer = this.depths.depth(rule);
    this.depths.enter(rule);
    const result = parse();
    this.depths.leaveTo(rule, outer);
    return result;
  }
}

function macroKey({ name, argumentCount, isMember }: Omit<Macro, "expand">): string {
  return `${name}:${argumentCount}:${isMember ? "member" : "global"}`;
}

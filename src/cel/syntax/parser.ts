import { DepthLimit, TooDeep } from "./depth-limit.ts";
import type { Expression } from "./expression.ts";
import { ExpressionBuilder, MacroError } from "./expression-builder.ts";
import { expressionStart, follows, levels } from "./follows.ts";
import type { Issues } from "./issues.ts";
import { tokenize } from "./lexer.ts";
import { macroOf } from "./macro-table.ts";
import { operators } from "./operators.ts";
import type { ParserContext, ParserOptions } from "./parser-context.ts";
import { parsePrimary } from "./primary.ts";
import { codePoints } from "./source.ts";
import { parseSuffixes } from "./suffixes.ts";
import { type Follow, TokenStream, TooManyErrors } from "./token-stream.ts";
import type { Token, TokenKind } from "./tokens.ts";

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

  constructor(issues: Issues, options: ParserOptions) {
    this.#issues = issues;
    this.options = options;
    this.tokens = new TokenStream(
      codePoints(issues.source.text) > maxCodePoints ? [] : tokenize(issues),
      issues,
    );
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

  // Each rule is one function, without closures: 250 nested expressions must fit the stack.

  /** `condition ? a : b` */
  expression(follow: Follow): Expression {
    const nesting = this.depths.depth("expression");
    this.depths.enter("expression");
    const depth = this.tokens.enter(follow);
    try {
      const condition = this.#or(follows.condition);
      const operator = this.tokens.takeIf("'?'");
      if (operator === undefined) return condition;
      const id = this.build.id(operator.start);
      const whenTrue = this.#or(follows.colon);
      this.tokens.match("':'", follows.expression);
      const whenFalse = this.expression(follows.end);
      this.depths.count(id, [condition, whenTrue, whenFalse]);
      return this.#operator(id, operators.conditional, [condition, whenTrue, whenFalse]);
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
      this.depths.leaveTo("expression", nesting);
    }
  }

  #or(follow: Follow): Expression {
    return this.#logical(operators.or, "'||'", follow, () => this.#and(follows.or));
  }

  #and(follow: Follow): Expression {
    return this.#logical(operators.and, "'&&'", follow, () => this.#relation(follows.and));
  }

  /** `a || b || c` or `a && b && c`, which becomes a balanced tree */
  #logical(name: string, operator: TokenKind, follow: Follow, term: () => Expression): Expression {
    const depth = this.tokens.enter(follow);
    try {
      const terms = [term()];
      const ids: number[] = [];
      while (this.tokens.is(operator)) {
        const { start } = this.tokens.take();
        terms.push(term());
        ids.push(this.build.id(start));
      }
      return this.#balanced(name, terms, ids, 0, ids.length - 1);
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
    }
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

  /** `a < b`, to the left */
  #relation(follow: Follow): Expression {
    const nesting = this.depths.depth("relation");
    this.depths.enter("relation");
    const depth = this.tokens.enter(follow);
    try {
      let left = this.#calculation(follows.relation);
      while (levels.relations.includes(this.tokens.peek().kind)) {
        this.depths.enter("relation");
        const operator = this.tokens.take();
        left = this.#binary(operator, left, this.#calculation(follows.relation));
      }
      return left;
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
      this.depths.leaveTo("relation", nesting);
    }
  }

  /** Sums of products, to the left; both levels are one rule of the grammar */
  #calculation(follow: Follow): Expression {
    const nesting = this.depths.depth("calculation");
    this.depths.enter("calculation");
    const depth = this.tokens.enter(follow);
    try {
      let left = this.#product();
      while (levels.sums.includes(this.tokens.peek().kind)) {
        this.depths.enter("calculation");
        const operator = this.tokens.take();
        left = this.#binary(operator, left, this.#product());
      }
      return left;
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
      this.depths.leaveTo("calculation", nesting);
    }
  }

  #product(): Expression {
    const nesting = this.depths.depth("calculation");
    let left = this.#unary(follows.calculation);
    while (levels.products.includes(this.tokens.peek().kind)) {
      this.depths.enter("calculation");
      const operator = this.tokens.take();
      left = this.#binary(operator, left, this.#unary(follows.calculation));
    }
    this.depths.leaveTo("calculation", nesting);
    return left;
  }

  #binary(operator: Token, left: Expression, right: Expression): Expression {
    const id = this.build.id(operator.start);
    this.depths.count(id, [left, right]);
    const text = this.tokens.text(operator);
    return this.#operator(id, text === "in" ? operators.in : `_${text}_`, [left, right]);
  }

  #unary(follow: Follow): Expression {
    const depth = this.tokens.enter(follow);
    try {
      this.tokens.sync(expressionStart);
      if (this.tokens.is("'!'")) return this.#prefixed("'!'", operators.not);
      if (!this.tokens.is("'-'")) return this.member();
      const next = this.tokens.peek(1).kind;
      if (next === "NUM_INT" || next === "NUM_FLOAT") return this.member();
      return this.#prefixed("'-'", operators.negate);
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
    }
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
    const nesting = this.depths.depth("member");
    this.depths.enter("member");
    const depth = this.tokens.enter(follows.end);
    try {
      return parseSuffixes(this, parsePrimary(this));
    } catch (error) {
      this.tokens.recover(error, depth);
      return this.failed();
    } finally {
      this.tokens.leave(depth);
      this.depths.leaveTo("member", nesting);
    }
  }

  /** A call of a function, or what its macro expands to. */
  call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const isMember = target !== undefined;
    const macro = macroOf(this.options.macros, { name, argumentCount: args.length, isMember });
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
}

import type { Operand, Pipeline, TemplateNode, TemplateValue } from "./template-nodes.ts";
import { type TemplatePiece, type TemplateToken, templatePieces } from "./template-tokens.ts";

const longestTemplate = 100_000;
/** The parser calls itself for nested blocks and parentheses. */
const deepest = 100;

const blocks: ReadonlySet<string> = new Set(["if", "with", "range"]);
const supportedActions = "if, else, else if, with, range, end, variables, comments and pipelines";
const unsupportedActions: ReadonlySet<string> = new Set(["define", "template", "block", "break", "continue"]);
const constants: ReadonlyMap<string, TemplateValue> = new Map<string, TemplateValue>([
  ["true", true],
  ["false", false],
  ["nil", null],
]);

/** Parses a Go template that may call these functions. @throws {Error} for what is not supported, and lists what is */
export function parseTemplate(source: string, functions: ReadonlySet<string>): readonly TemplateNode[] {
  if (source.length > longestTemplate)
    throw new Error(`a template of more than ${longestTemplate} characters`);
  return new TemplateParser(templatePieces(source), functions).whole();
}

class TemplateParser {
  readonly #pieces: readonly TemplatePiece[];
  readonly #functions: ReadonlySet<string>;
  #piece = 0;
  /** The tokens of the action that is being read. */
  #tokens: readonly TemplateToken[] = [];
  #next = 0;
  #line = 1;
  #depth = 0;
  /** The variables in scope. */
  #variables: string[] = ["$"];

  constructor(pieces: readonly TemplatePiece[], functions: ReadonlySet<string>) {
    this.#pieces = pieces;
    this.#functions = functions;
  }

  whole(): readonly TemplateNode[] {
    const nodes = this.#list();
    if (this.#piece < this.#pieces.length) throw this.#problem(`unexpected {{${this.#peek().text}}}`);
    return nodes;
  }

  /** The nodes before an `end`, an `else` or the end of the template. */
  #list(): readonly TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (; this.#piece < this.#pieces.length; ) {
      const piece = this.#pieces[this.#piece];
      if (piece === undefined) break;
      if (piece.type === "text") nodes.push(piece);
      else {
        this.#open(piece);
        const { type, text } = this.#peek();
        if (type === "word" && (text === "end" || text === "else")) break;
        nodes.push(this.#action());
        continue;
      }
      this.#piece++;
    }
    return nodes;
  }

  #open({ tokens, line }: Extract<TemplatePiece, { readonly type: "action" }>): void {
    this.#tokens = tokens;
    this.#next = 0;
    this.#line = line;
  }

  /** Reads an action, and the block that it begins. */
  #action(): TemplateNode {
    const { type, text } = this.#peek();
    if (type === "word" && unsupportedActions.has(text))
      throw this.#problem(`the action ${text} is not supported; supported: ${supportedActions}`);
    if (type === "word" && blocks.has(text)) return this.#block();
    const pipeline = this.#pipeline();
    this.#close();
    return { type: "output", pipeline };
  }

  #block(): TemplateNode {
    this.#enter();
    const scope = this.#variables.length;
    // It is one of `blocks`.
    const type = this.#take().text as "if" | "with" | "range";
    const pipeline = this.#pipeline(type === "range" ? 2 : 1);
    this.#close();
    const inner = this.#variables.length;
    const body = this.#list();
    this.#variables.length = inner;
    const otherwise = this.#otherwise(type);
    this.#variables.length = scope;
    this.#depth--;
    return { type, pipeline, body, otherwise };
  }

  /** The branch after `else`, and the `end` of the block. */
  #otherwise(type: "if" | "with" | "range"): readonly TemplateNode[] {
    if (this.#piece >= this.#pieces.length) throw this.#problem(`{{${type}}} without {{end}}`);
    if (this.#take().text === "end") {
      this.#close();
      return [];
    }
    if (this.#peek().type !== "end") {
      if (this.#peek().text !== type || type === "range")
        throw this.#problem(`unexpected ${this.#peek().text} after else`);
      // The end of the inner block is that of this one.
      return [this.#block()];
    }
    this.#close();
    const nodes = this.#list();
    if (this.#piece >= this.#pieces.length) throw this.#problem(`{{${type}}} without {{end}}`);
    if (this.#take().text !== "end") throw this.#problem("expected end; found {{else}}");
    this.#close();
    return nodes;
  }

  #pipeline(mostVariables = 1): Pipeline {
    const { variables, isAssignment } = this.#declaration(mostVariables);
    const commands: Operand[][] = [];
    do commands.push(this.#command());
    while (this.#takeSymbol("|"));
    if (!isAssignment) this.#variables.push(...variables);
    return { variables, isAssignment, commands };
  }

  /** `$a :=`, `$a =` or `$a, $b :=`. */
  #declaration(most: number): Pick<Pipeline, "variables" | "isAssignment"> {
    const [first, second, third, fourth] = this.#tokens.slice(this.#next);
    const isPair = first?.type === "variable" && second?.text === "," && third?.type === "variable";
    const sign = isPair ? fourth : second;
    if (first?.type !== "variable" || (sign?.text !== ":=" && sign?.text !== "=")) return noVariables;
    if (isPair && most < 2) throw this.#problem("too many declarations in command");
    const variables = isPair ? [first.text, third.text] : [first.text];
    const isAssignment = sign.text === "=";
    if (isAssignment) for (const name of variables) this.#check(name);
    this.#next += isPair ? 4 : 2;
    return { variables, isAssignment };
  }

  #command(): Operand[] {
    const operands: Operand[] = [];
    while (!this.#isAtEndOfCommand()) operands.push(this.#operand());
    if (operands.length === 0) throw this.#problem(`missing value for command`);
    const [first] = operands;
    if (operands.length > 1 && first?.type !== "function")
      throw this.#problem("can't give argument to non-function");
    return operands;
  }

  #isAtEndOfCommand(): boolean {
    const { type, text } = this.#peek();
    return type === "end" || (type === "symbol" && (text === "|" || text === ")"));
  }

  #operand(): Operand {
    let operand = this.#term();
    while (this.#peek().type === "field" && this.#peek().isAttached)
      operand = { type: "field", of: operand, name: this.#take().text.slice(1) };
    return operand;
  }

  #term(): Operand {
    const { type, text } = this.#take();
    switch (type) {
      case "text":
        return { type: "literal", value: this.#textOf(text) };
      case "number":
        return { type: "literal", value: this.#integerOf(text) };
      case "variable":
        this.#check(text);
        return { type: "variable", name: text };
      case "field":
        return { type: "field", of: { type: "dot" }, name: text.slice(1) };
      case "word":
        return this.#word(text);
      default:
        if (text === ".") return { type: "dot" };
        if (text !== "(") throw this.#problem(`unexpected ${text} in operand`);
        return this.#inParentheses();
    }
  }

  #word(text: string): Operand {
    if (constants.has(text)) return { type: "literal", value: constants.get(text) };
    if (!this.#functions.has(text)) {
      const known = [...this.#functions].sort().join(", ");
      throw this.#problem(`the function ${text} is not supported; supported: ${known}`);
    }
    return { type: "function", name: text };
  }

  #inParentheses(): Operand {
    this.#enter();
    const pipeline = this.#pipeline();
    if (!this.#takeSymbol(")")) throw this.#problem("unclosed left paren");
    this.#depth--;
    return { type: "pipeline", pipeline };
  }

  #textOf(quoted: string): string {
    if (quoted.startsWith("`")) return quoted.slice(1, -1);
    try {
      // The token is a text in quotation marks.
      return JSON.parse(quoted) as string;
    } catch {
      throw this.#problem(`the escapes of ${quoted} are not supported; supported: those of JSON`);
    }
  }

  #integerOf(text: string): bigint {
    if (!/^[-+]?\d{1,18}$/.test(text))
      throw this.#problem(`the number ${text} is not supported; supported: decimal integers`);
    return BigInt(text.replace("+", ""));
  }

  #check(variable: string): void {
    if (!this.#variables.includes(variable))
      throw this.#problem(`undefined variable ${JSON.stringify(variable)}`);
  }

  #enter(): void {
    if (++this.#depth > deepest) throw this.#problem(`more than ${deepest} nested blocks and parentheses`);
  }

  #peek(): TemplateToken {
    return this.#tokens[this.#next] ?? endToken;
  }

  #take(): TemplateToken {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #takeSymbol(text: string): boolean {
    const isNext = this.#peek().type === "symbol" && this.#peek().text === text;
    if (isNext) this.#next++;
    return isNext;
  }

  /** The action is over. */
  #close(): void {
    if (this.#peek().type !== "end") throw this.#problem(`unexpected ${this.#peek().text} in command`);
    this.#piece++;
  }

  #problem(problem: string): Error {
    return new Error(`line ${this.#line}: ${problem}`);
  }
}

const noVariables = { variables: [], isAssignment: false };
const endToken: TemplateToken = { type: "end", text: "}}", isAttached: false };

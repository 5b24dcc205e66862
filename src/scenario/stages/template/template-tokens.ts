/** A part of an action of a Go template. */
export interface TemplateToken {
  readonly type: "text" | "number" | "variable" | "field" | "word" | "symbol" | "end";
  readonly text: string;
  /** Whether it follows the one before without a space, as `.b` does in `.a.b`. */
  readonly isAttached: boolean;
}

/** Text, or the tokens of an action. */
export type TemplatePiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "action"; readonly tokens: readonly TemplateToken[]; readonly line: number };

const token =
  /\s+|(?<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<number>[-+]?\d[\w.]*)|(?<variable>\$\w*)|(?<field>\.[A-Za-z_]\w*)|(?<word>[A-Za-z_]\w*)|(?<symbol>:=|[=|(),.])/y;

/** Splits a template into text and actions (text/template/parse/lex.go). @throws {Error} for what no action has */
export function templatePieces(source: string): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let line = 1;
  let isTrimmed = false;
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf("{{", at);
    const end = open < 0 ? source.length : open;
    const trimsBefore = open >= 0 && /^-\s/.test(source.slice(open + 2, open + 4));
    pieces.push({ type: "text", text: trimmed(source.slice(at, end), isTrimmed, trimsBefore) });
    line += newlines(source, at, end);
    if (open < 0) break;
    const action = readAction(source, open + (trimsBefore ? 3 : 2), line);
    if (action.tokens.length > 1) pieces.push({ type: "action", tokens: action.tokens, line });
    line += newlines(source, open, action.end);
    isTrimmed = action.trimsAfter;
    at = action.end;
  }
  return pieces;
}

interface ReadAction {
  readonly tokens: readonly TemplateToken[];
  readonly end: number;
  readonly trimsAfter: boolean;
}

function readAction(source: string, start: number, line: number): ReadAction {
  const comment = readComment(source, start);
  if (comment !== undefined) return comment;
  const tokens: TemplateToken[] = [];
  let wasSpace = true;
  for (let at = start; ; at = token.lastIndex) {
    const trimsAfter = /^\s-\}\}$/.test(source.slice(at - 1, at + 3));
    if (trimsAfter || source.startsWith("}}", at)) {
      const end = at + (trimsAfter ? 3 : 2);
      return { tokens: [...tokens, { type: "end", text: "}}", isAttached: false }], end, trimsAfter };
    }
    token.lastIndex = at;
    const match = token.exec(source);
    if (match === null) throw new Error(`line ${line}: ${unexpected(source, at)}`);
    const [type] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    // The groups of the pattern have the names of the types.
    if (type !== undefined)
      tokens.push({ type: type as TemplateToken["type"], text: match[0], isAttached: !wasSpace });
    wasSpace = type === undefined;
  }
}

function readComment(source: string, start: number): ReadAction | undefined {
  const [spaces = ""] = /^\s?/.exec(source.slice(start, start + 1)) ?? [];
  if (!source.startsWith("/*", start + spaces.length)) return undefined;
  const close = source.indexOf("*/", start + spaces.length + 2);
  if (close < 0) throw new Error("unclosed comment");
  const trimsAfter = source.startsWith(" -}}", close + 2);
  if (!trimsAfter && !source.startsWith("}}", close + 2))
    throw new Error("comment ends before closing delimiter");
  return { tokens: [], end: close + (trimsAfter ? 6 : 4), trimsAfter };
}

function unexpected(source: string, at: number): string {
  return at >= source.length
    ? "unclosed action"
    : `unexpected ${JSON.stringify(source.slice(at, at + 20))} in action`;
}

function trimmed(text: string, start: boolean, end: boolean): string {
  const rest = start ? text.trimStart() : text;
  return end ? rest.trimEnd() : rest;
}

function newlines(source: string, start: number, end: number): number {
  let count = 0;
  for (let at = source.indexOf("\n", start); at >= 0 && at < end; at = source.indexOf("\n", at + 1)) count++;
  return count;
}

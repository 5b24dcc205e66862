import { isEscaped } from "../codec/json/json-parser.ts";

const SPACE = /\s/;
const BARE = /[^,\]}\s]*/y;

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const HTML = /[<>&\u2028\u2029]/;
const HTML_ALL = /[<>&\u2028\u2029]/g;

/** The members of a JSON object in their order, with each value as text. The text must be a JSON object. */
export function rawMembers(text: string): [key: string, raw: string][] {
  const members: [key: string, raw: string][] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== "}") {
    const keyEnd = stringEnd(text, at);
    const key = text.slice(at, keyEnd);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    members.push([key.includes("\\") ? JSON.parse(key) : key.slice(1, -1), text.slice(start, end)]);
    at = nextItem(text, end);
  }
  return members;
}

/** The elements of a JSON array as text. The text must be a JSON array. */
export function rawElements(text: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== "]") {
    const end = valueEnd(text, at);
    elements.push(text.slice(at, end));
    at = nextItem(text, end);
  }
  return elements;
}

/** JSON without the whitespace between tokens. Strings and numbers do not change. */
export function compactJson(text: string): string {
  if (!SPACE.test(text)) return text;
  let compact = "";
  let start = 0;
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      at = stringEnd(text, at);
      continue;
    }
    const next = skipSpace(text, at);
    if (next === at) {
      at++;
      continue;
    }
    compact += text.slice(start, at);
    at = next;
    start = next;
  }
  return compact + text.slice(start);
}

/** JSON with the characters escaped that Go escapes for HTML. They occur only in strings. */
export function escapeHtml(text: string): string {
  if (!HTML.test(text)) return text;
  return text.replace(HTML_ALL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Skips a comma to the next item, or moves to the closing bracket. */
function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first === "{" || first === "[") return containerEnd(text, at);
  BARE.lastIndex = at;
  return at + (BARE.exec(text)?.[0].length ?? 0);
}

function containerEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

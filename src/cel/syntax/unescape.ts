/** The message of cel-go for an escape sequence that stands for nothing. */
export class UnescapeError extends Error {}

const simple: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** The text of a string literal, quotes and prefix included. Throws an UnescapeError. */
export function unescapeString(literal: string): string {
  const { body, isRaw } = bodyOf(literal);
  if (isRaw || !body.includes("\\")) return body;
  let text = "";
  for (let i = 0; i < body.length; ) {
    if (body[i] !== "\\") {
      const next = body.indexOf("\\", i);
      text += body.slice(i, next < 0 ? undefined : next);
      if (next < 0) break;
      i = next;
      continue;
    }
    const { code, length } = escapeAt(body, i);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw new UnescapeError("invalid unicode code point");
    text += String.fromCodePoint(code);
    i += length;
  }
  return text;
}

/** The bytes of a bytes literal after its `b`. Hexadecimal and octal escapes are bytes. Throws an UnescapeError. */
export function unescapeBytes(literal: string): Uint8Array {
  const { body, isRaw } = bodyOf(literal);
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let i = 0; i < body.length; ) {
    if (body[i] !== "\\" || isRaw) {
      const character = String.fromCodePoint(body.codePointAt(i) ?? 0);
      bytes.push(...encoder.encode(character));
      i += character.length;
      continue;
    }
    const { code, length } = escapeAt(body, i);
    if (/[uU]/.test(body[i + 1] ?? "")) throw new UnescapeError("unable to unescape string");
    bytes.push(code);
    i += length;
  }
  return Uint8Array.from(bytes);
}

function bodyOf(literal: string): { readonly body: string; readonly isRaw: boolean } {
  const normal = literal.replace(/\r\n?/g, "\n");
  const isRaw = /^r/i.test(normal);
  const quoted = isRaw ? normal.slice(1) : normal;
  const quotes = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(quotes, quoted.length - quotes), isRaw };
}

function escapeAt(text: string, at: number): { readonly code: number; readonly length: number } {
  const letter = text[at + 1] ?? "";
  const known = simple.get(letter);
  if (known !== undefined) return { code: known, length: 2 };
  if (/[0-3]/.test(letter)) return { code: Number.parseInt(text.slice(at + 1, at + 4), 8), length: 4 };
  const digits = { x: 2, X: 2, u: 4, U: 8 }[letter];
  if (digits === undefined) return { code: letter.charCodeAt(0), length: 2 };
  return { code: Number.parseInt(text.slice(at + 2, at + 2 + digits), 16), length: 2 + digits };
}

/** A token of a label selector: a key, a value or a keyword; a symbol; or the end. */
export interface LabelToken {
  readonly type: "word" | "symbol" | "end";
  readonly text: string;
}

const END: LabelToken = { type: "end", text: "" };
const SPACE = /[ \t\r\n]/;
const SYMBOL = /[=!(),<>]/;

/**
 * Splits a label selector into tokens; the last one is the end. A word ends at a space or a symbol. As upstream, a
 * NUL ends a word, and at the start of a token it ends the input.
 */
export function scanLabelSelector(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  for (;;) {
    while (position < text.length && SPACE.test(text.charAt(position))) position++;
    const character = text.charAt(position);
    if (character === "" || character === "\0") return [...tokens, END];
    if (SYMBOL.test(character)) {
      const symbol = symbolAt(text, position);
      tokens.push({ type: "symbol", text: symbol });
      position += symbol.length;
      continue;
    }
    const end = wordEnd(text, position);
    tokens.push({ type: "word", text: text.slice(position, end) });
    position = text.charAt(end) === "\0" ? end + 1 : end;
  }
}

/** `==` and `!=` are the only symbols of two characters. */
function symbolAt(text: string, position: number): string {
  const two = text.slice(position, position + 2);
  return two === "==" || two === "!=" ? two : text.charAt(position);
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const character = text.charAt(end);
    if (character === "\0" || SPACE.test(character) || SYMBOL.test(character)) break;
    end++;
  }
  return end;
}

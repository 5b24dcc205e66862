/** The attributes with links, by element (apimachinery, pkg/util/proxy/transport.go, atomsToAttrs). */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["href"]],
  ["applet", ["codebase"]],
  ["area", ["href"]],
  ["audio", ["src"]],
  ["base", ["href"]],
  ["blockquote", ["cite"]],
  ["body", ["background"]],
  ["button", ["formaction"]],
  ["command", ["icon"]],
  ["del", ["cite"]],
  ["embed", ["src"]],
  ["form", ["action"]],
  ["frame", ["longdesc", "src"]],
  ["head", ["profile"]],
  ["html", ["manifest"]],
  ["iframe", ["longdesc", "src"]],
  ["img", ["longdesc", "src", "usemap"]],
  ["input", ["src", "usemap", "formaction"]],
  ["ins", ["cite"]],
  ["link", ["href"]],
  ["object", ["classid", "codebase", "data", "usemap"]],
  ["q", ["cite"]],
  ["script", ["src"]],
  ["source", ["src"]],
  ["video", ["poster", "src"]],
]);

/** Elements whose content is text up to their end tag. */
const textElements: ReadonlySet<string> = new Set([
  ...[
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "textarea",
    "title",
    "xmp",
  ],
]);

/** White space between attributes. */
const blank = /[ \n\r\t\f]/;

/** A tag: where it ends, and what it says. */
interface Tag {
  readonly end: number;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isSelfClosing: boolean;
}

/**
 * A page with other links. As in upstream, which tokenizes the page with `golang.org/x/net/html` (token.go and escape.go), start tags are
 * written in its form, all else stays, and a tag that never ends is dropped. It takes linear time.
 */
export function withLinks(page: string, replaced: (link: string) => string): string {
  const written: string[] = [];
  let position = 0;
  for (;;) {
    const start = indexOf(page, /<[a-zA-Z/!?]/g, position);
    written.push(page.slice(position, start));
    if (start === page.length) break;
    const tag = isLetter(page[start + 1]) ? tagAt(page, start + 1) : undefined;
    if (tag === undefined && isLetter(page[start + 1])) break;
    const end = tag?.end ?? endOfOther(page, start);
    if (end === undefined) break;
    written.push(tag === undefined ? page.slice(start, end) : textOf(tag, replaced));
    position = end;
    if (tag === undefined || !textElements.has(tag.name)) continue;
    const close = endOfText(page, end, tag.name);
    written.push(page.slice(end, close));
    position = close;
  }
  return written.join("");
}

/** Where a pattern, which is a global one, next matches; the end of the page if it does not. */
function indexOf(page: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(page)?.index ?? page.length;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-zA-Z]/.test(character);
}

/** Where an end tag, a comment or a declaration ends; undefined for an end tag that never ends. */
function endOfOther(page: string, start: number): number | undefined {
  if (page[start + 1] === "/" && isLetter(page[start + 2])) return tagAt(page, start + 2)?.end;
  if (!page.startsWith("<!--", start)) return after(page, ">", start + 2);
  const short = /^-?>/.exec(page.slice(start + 4, start + 6));
  if (short !== null) return start + 4 + short[0].length;
  return endOf(page, /--!?>/g, start + 4);
}

/** Where the next match of a pattern, which is a global one, ends; the end of the page if there is none. */
function endOf(page: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(page) ? pattern.lastIndex : page.length;
}

/** Where a text ends that the page has next; the end of the page if it has none. */
function after(page: string, text: string, from: number): number {
  const start = page.indexOf(text, from);
  return start === -1 ? page.length : start + text.length;
}

/** Where the text of an element ends: at its end tag. */
function endOfText(page: string, from: number, name: string): number {
  if (name === "plaintext") return page.length;
  if (name === "script") return endOfScript(page, from);
  return indexOf(page, new RegExp(`</${name}[ \\n\\r\\t\\f/>]`, "gi"), from);
}

/**
 * Where a script ends: at its end tag, unless that follows `<!--` and another script's start tag. Any other sign after a `<` in what
 * follows `<!--` ends this state (token.go, scriptDataEscapedLessThanSign).
 */
function endOfScript(page: string, from: number): number {
  const pattern = /<!--|-->|<\/?script[ \n\r\t\f/>]|<[^a-zA-Z/]/gi;
  pattern.lastIndex = from;
  let state: "data" | "escaped" | "double escaped" = "data";
  for (let match = pattern.exec(page); match !== null; match = pattern.exec(page)) {
    const found = match[0].toLowerCase();
    if (found.startsWith("</script")) {
      if (state !== "double escaped") return match.index;
      state = "escaped";
    } else if (found.startsWith("<script")) {
      if (state === "escaped") state = "double escaped";
    } else if (found === "-->") {
      state = "data";
    } else {
      if (state === "escaped") state = "data";
      else if (state === "data" && found === "<!--") state = "escaped";
      pattern.lastIndex = match.index + 1;
    }
  }
  return page.length;
}

/** Reads a tag after its `<`; undefined if it never ends. */
function tagAt(page: string, start: number): Tag | undefined {
  const nameEnd = endOfRun(page, start, /[^ \n\r\t\f/>]/);
  const attributes: [string, string][] = [];
  let position = nameEnd;
  for (;;) {
    position = endOfRun(page, position, /[ \n\r\t\f/]/);
    const character = page[position];
    if (character === undefined) return undefined;
    if (character === ">") break;
    const keyEnd = endOfRun(page, position + 1, /[^ \n\r\t\f/>=]/);
    const name = lower(page.slice(position, keyEnd));
    const { value, end } = attributeValue(page, keyEnd);
    attributes.push([name, value]);
    position = end;
  }
  const name = lower(page.slice(start, nameEnd));
  return { end: position + 1, name, attributes, isSelfClosing: page[position - 1] === "/" };
}

function attributeValue(page: string, keyEnd: number): { readonly value: string; readonly end: number } {
  const equals = endOfRun(page, keyEnd, blank);
  if (page[equals] !== "=") return { value: "", end: keyEnd };
  const start = endOfRun(page, equals + 1, blank);
  const quote = page[start];
  if (quote === '"' || quote === "'") {
    const end = after(page, quote, start + 1);
    return { value: page.slice(start + 1, end - 1), end };
  }
  const end = endOfRun(page, start, /[^ \n\r\t\f>]/);
  return { value: page.slice(start, end), end };
}

/** Where the characters end that match; the pattern matches no empty text. */
function endOfRun(page: string, from: number, matching: RegExp): number {
  let position = from;
  while (matching.test(page[position] ?? "")) position += 1;
  return position;
}

function textOf({ name, attributes, isSelfClosing }: Tag, replaced: (link: string) => string): string {
  const links = linkAttributes.get(name) ?? [];
  const written = attributes.map(([attribute, value]) => {
    const text = links.includes(attribute) ? replaced(unescaped(value)) : unescaped(value);
    return ` ${attribute}="${escaped(text)}"`;
  });
  return `<${name}${written.join("")}${isSelfClosing ? "/" : ""}>`;
}

/** A name with ASCII letters in lower case: other letters have no lower case in HTML. */
function lower(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The entities that are read; those of HTML's first versions, all but `&apos;`, need no semicolon. */
const named: { readonly [name: string]: string } = {
  ...{ amp: "&", gt: ">", lt: "<", quot: '"', AMP: "&", GT: ">", LT: "<", QUOT: '"' },
  ...{ "amp;": "&", "apos;": "'", "gt;": ">", "lt;": "<", "quot;": '"' },
  ...{ "AMP;": "&", "GT;": ">", "LT;": "<", "QUOT;": '"' },
};

/** The characters from 0x80, as Windows-1252 has them; a blank stands for one that stays. */
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** A character of the private use area in place of the `&` of an entity that stays as it is. */
const kept = "\u{f0000}";

/** A value without the usual entities. Others, such as `&copy;`, stay, where upstream writes their characters. */
function unescaped(value: string): string {
  return value
    .replaceAll("\0", "\ufffd")
    .replace(/\r\n?/g, "\n")
    .replace(/&(?:#[xX]([0-9a-fA-F]+);?|#([0-9]+;|[0-9]{2,})|([a-zA-Z0-9]+[;=]?))/g, characterOf);
}

function characterOf(entity: string, hexadecimal?: string, decimal?: string, name?: string): string {
  if (hexadecimal !== undefined) return numbered(Number.parseInt(hexadecimal, 16));
  if (decimal !== undefined) return numbered(Number.parseInt(decimal, 10));
  if (name === undefined) return entity;
  if (Object.hasOwn(named, name)) return named[name] ?? entity;
  return name.endsWith(";") ? kept + name : entity;
}

function numbered(code: number): string {
  if (code >= 0x80 && code <= 0x9f) {
    const character = windows1252[code - 0x80];
    return character === " " || character === undefined ? String.fromCodePoint(code) : character;
  }
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

const escapes: { readonly [character: string]: string } = {
  "&": "&amp;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "\r": "&#13;",
};

function escaped(text: string): string {
  return text.replace(/[&'<>"\r]/g, (character) => escapes[character] ?? "").replaceAll(kept, "&");
}

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
  ...["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"],
]);

/** A tag: where it ends, and what it says. */
interface Tag {
  readonly end: number;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isSelfClosing: boolean;
}

/**
 * A page with other links. As in upstream, which tokenizes the page with `golang.org/x/net/html`, start tags are written in its form, all
 * else stays, and a tag that never ends is dropped. It takes linear time.
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
  return after(page, page.startsWith("<!--", start) ? "-->" : ">", start + 2);
}

/** Where a text ends that the page has next; the end of the page if it has none. */
function after(page: string, text: string, from: number): number {
  const start = page.indexOf(text, from);
  return start === -1 ? page.length : start + text.length;
}

/** Where the text of an element ends: at its end tag. */
function endOfText(page: string, from: number, name: string): number {
  if (name === "plaintext") return page.length;
  return indexOf(page, new RegExp(`</${name}[\\s/>]`, "gi"), from);
}

/** Reads a tag after its `<`; undefined if it never ends. */
function tagAt(page: string, start: number): Tag | undefined {
  const nameEnd = endOfRun(page, start, /[^\s/>]/);
  const attributes: [string, string][] = [];
  let position = nameEnd;
  for (;;) {
    position = endOfRun(page, position, /[\s/]/);
    const character = page[position];
    if (character === undefined) return undefined;
    if (character === ">") break;
    const keyEnd = endOfRun(page, position + 1, /[^\s/>=]/);
    const name = page.slice(position, keyEnd).toLowerCase();
    const { value, end } = attributeValue(page, keyEnd);
    attributes.push([name, value]);
    position = end;
  }
  const name = page.slice(start, nameEnd).toLowerCase();
  return { end: position + 1, name, attributes, isSelfClosing: page[position - 1] === "/" };
}

function attributeValue(page: string, keyEnd: number): { readonly value: string; readonly end: number } {
  const equals = endOfRun(page, keyEnd, /\s/);
  if (page[equals] !== "=") return { value: "", end: keyEnd };
  const start = endOfRun(page, equals + 1, /\s/);
  const quote = page[start];
  if (quote === '"' || quote === "'") {
    const end = after(page, quote, start + 1);
    return { value: page.slice(start + 1, end - 1), end };
  }
  const end = endOfRun(page, start, /[^\s>]/);
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

const named: { readonly [name: string]: string } = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** A character of the private use area in place of the `&` of an entity that stays as it is. */
const kept = "\u{f0000}";

/** A value without the usual entities. Others, such as `&copy;`, stay, where upstream writes their characters. */
function unescaped(value: string): string {
  return value
    .replace(/\r\n?/g, "\n")
    .replace(/&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});/g, (entity, name: string) => {
      const code = name.startsWith("#") ? numberOf(name.slice(1)) : undefined;
      if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
      return Object.hasOwn(named, name) ? (named[name] ?? entity) : kept + entity.slice(1);
    });
}

function numberOf(digits: string): number {
  return /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
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

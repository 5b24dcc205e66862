/** A difference that disappears if the library reads one of several rewritten texts instead. */
export interface YamlRewrite {
  readonly title: string;
  readonly reason: string;
  readonly example: string;
  readonly rewrites: (text: string) => readonly string[];
  /** What the library reads if none of the texts explains the difference. */
  readonly otherwise: "first" | "unchanged";
}

/** The part before the root of the first document: directives, comments, and the document start marker. */
const START = /^(?:%.*\n|[ \t]*(?:#.*)?\n)*(?:---[ \t]*(?:#.*)?(?:\n|(?=[^ \t\n])))?(?:[ \t]*(?:#.*)?\n)* */;
const PROPERTIES = /^(?:[!&]\S*\s+)*/;

const closerOf: ReadonlyMap<string, RegExp> = new Map([
  ["[", /\]/g],
  ["{", /\}/g],
  ["'", /'/g],
  ['"', /"/g],
]);

/**
 * The text up to each place where its root may end: after its properties, after a closing bracket or quote, at any line
 * of a scalar, before a line with less indent than the first, and before the next document.
 */
function upToRootEnd(text: string): readonly string[] {
  const start = START.exec(text.replaceAll("\r", " "))?.[0].length ?? 0;
  const properties = PROPERTIES.exec(text.slice(start))?.[0] ?? "";
  const from = start + properties.length;
  const ends = [
    ...propertyEnds(properties).map((end) => start + end),
    ...closers(text, from),
    ...lines(text, from),
  ];
  return ends.filter((end) => end > start).map((end) => text.slice(0, end));
}

/** The places after the brackets or quotes that may close the one at `from`. */
function closers(text: string, from: number): number[] {
  const closer = closerOf.get(text.charAt(from));
  const found = closer === undefined ? [] : [...text.matchAll(closer)];
  return found.map(({ index }) => index + 1).filter((end) => end > from + 1);
}

/** The starts of the lines before which the node at `from` may end. */
function lines(text: string, from: number): number[] {
  const column = from - (text.lastIndexOf("\n", from - 1) + 1);
  const isCollection = COLLECTION.test(text.slice(from));
  return [...text.matchAll(/^( *)[^ \n]/gm)]
    .filter(({ 1: indent = "", index }) => {
      return index > from && (indent.length < column || !isCollection || DOCUMENT.test(text.slice(index)));
    })
    .map(({ index }) => index);
}

function propertyEnds(properties: string): number[] {
  return [...properties.matchAll(/\S+/g)].map(({ 0: property, index }) => index + property.length);
}

/** The first line of a block collection. */
const COLLECTION = /^(?:[-?]\s|(?![|>])(?:(?! #).)*:(?:\s|$))/;
const DOCUMENT = /^(?:---|\.\.\.)(?:\s|$)/;

/** In the order in which they are tried, each on the result of the previous one. */
export const yamlRewrites: readonly YamlRewrite[] = [
  {
    title: "a lone carriage return ends a line, as do NEL, LS and PS",
    reason: "YAML 1.1 has these line breaks; for the library only a line feed ends a line",
    example: "a: 1\rb: 2",
    rewrites: (text) => [text.replace(/\r(?!\n)|[\u0085\u2028\u2029]/g, "\n")],
    otherwise: "first",
  },
  {
    title: "a byte order mark is not a column",
    reason: "yaml.v2 removes it before it counts columns",
    example: "\ufeff- >-\n  a\n- b",
    rewrites: (text) => [text.replace(/^\ufeff/, "")],
    otherwise: "first",
  },
  {
    title: "the text after the root of the first document is ignored",
    reason: "yaml.Unmarshal parses one document and scans only one more token",
    example: "[]\n[]",
    rewrites: upToRootEnd,
    otherwise: "unchanged",
  },
];

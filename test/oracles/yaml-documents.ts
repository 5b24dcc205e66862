import fc from "fast-check";
import { blockLines, plainText, quotedText } from "./yaml-scalars.ts";

/** A node of a document and its style. */
type Spelled = SpelledScalar | SpelledBlockScalar | SpelledCollection;

interface SpelledScalar {
  readonly kind: "scalar";
  readonly tag: string;
  readonly quote: "" | "'" | '"';
  readonly text: string;
}

interface SpelledBlockScalar {
  readonly kind: "blockScalar";
  readonly header: string;
  readonly indent: number;
  readonly lines: readonly string[];
}

interface SpelledCollection {
  readonly kind: "sequence" | "mapping";
  readonly style: "block" | "flow";
  /** The indent of a block below its parent. */
  readonly indent: number;
  /** The space after a comma or a bracket in a flow collection. */
  readonly space: string;
  readonly comment: string;
  readonly entries: readonly SpelledEntry[];
}

interface SpelledEntry {
  readonly key: SpelledScalar;
  readonly colon: ":" | " :" | "?" | "";
  readonly value: Spelled;
}

const tag = fc.oneof(
  { weight: 20, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..."!!str !!int !!float !!bool !!null !!timestamp !!binary ! !local !!foo".split(" "),
    ),
  },
);
const scalar: fc.Arbitrary<SpelledScalar> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<SpelledScalar>({
      kind: fc.constant("scalar"),
      tag,
      quote: fc.constant(""),
      text: plainText,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record<SpelledScalar>({
      kind: fc.constant("scalar"),
      tag,
      quote: fc.constantFrom("'", '"'),
      text: quotedText,
    }),
  },
);
const simpleKey: fc.Arbitrary<SpelledScalar> = fc
  .constantFrom(..."a a b c name 1 1.0 y ~".split(" "))
  .map((text) => {
    return { kind: "scalar", tag: "", quote: "", text };
  });
const key = fc.oneof({ weight: 5, arbitrary: simpleKey }, { weight: 1, arbitrary: scalar });
const blockScalar = fc.record<SpelledBlockScalar>({
  kind: fc.constant("blockScalar"),
  header: fc.constantFrom(..."| > |- >- |+ >+ |2 >1- |-2 |+1 >4".split(" "), "| # c", ">- #c", "|x", "|0"),
  indent: fc.constantFrom(1, 2, 2, 2, 3, 4),
  lines: blockLines,
});

const { node } = fc.letrec<{ node: Spelled; collection: SpelledCollection; entry: SpelledEntry }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, scalar, tie("collection"), blockScalar),
  collection: fc.record<SpelledCollection>({
    kind: fc.constantFrom("sequence", "mapping", "mapping"),
    style: fc.constantFrom("block", "block", "flow"),
    indent: fc.constantFrom(0, 1, 2, 2, 2, 3, 4),
    space: fc.constantFrom(" ", " ", "", "  ", "\n", " # c\n ", "\t", " \n  "),
    comment: fc.constantFrom("", "", "", " # c", " #", "#c"),
    entries: fc.array(tie("entry"), { maxLength: 4 }),
  }),
  entry: fc.record<SpelledEntry>({
    key,
    colon: fc.constantFrom(":", ":", ":", ":", " :", "?", ""),
    value: tie("node"),
  }),
}));

/** One document, in most cases with a collection as its root. */
const document = fc
  .tuple(
    fc.constantFrom(
      "",
      "",
      "",
      "---\n",
      "--- ",
      "# c\n",
      "%YAML 1.1\n---\n",
      "%TAG ! x\n---\n",
      "\n",
      "...\n",
    ),
    node,
  )
  .map(([start, root]) => start + rendered(root, 0, "\n").replace(/^\n/, ""));

/** Documents of random structure and style. Some of them are invalid. */
export const yamlDocuments: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "", "", "", "", "", "\ufeff"),
    first: document,
    rest: fc.constantFrom(
      "",
      "",
      "",
      "",
      "\n---\nb: 2\n",
      "\n...\n",
      "\n...\nx",
      "\n--- !!str 1",
      "\n# c",
      "\n---\n]",
    ),
    lineBreak: fc.constantFrom("\n", "\n", "\n", "\n", "\r\n", "\r"),
  })
  .map(({ mark, first, rest, lineBreak }) => mark + (first + rest).replaceAll("\n", lineBreak));

function rendered(spelled: Spelled, column: number, blockStart: string): string {
  switch (spelled.kind) {
    case "scalar":
      return ` ${scalarText(spelled, column + 1)}`;
    case "blockScalar": {
      const indent = " ".repeat(column + spelled.indent);
      const lines = spelled.lines.map((line) => (line === "" ? "" : indent + line));
      return ` ${[spelled.header, ...lines].join("\n")}`;
    }
    default:
      if (spelled.style === "flow" || spelled.entries.length === 0) return ` ${flowText(spelled)}`;
      return (
        spelled.comment + blockStart + blockText(spelled, column).slice(blockStart === "\n" ? 0 : column)
      );
  }
}

function scalarText({ tag, quote, text }: SpelledScalar, column: number): string {
  const properties = tag === "" ? "" : `${tag} `;
  return properties + quote + text.replaceAll("\n", `\n${" ".repeat(column)}`) + quote;
}

function flowText({ kind, space, entries }: SpelledCollection): string {
  const [open, close] = kind === "mapping" ? "{}" : "[]";
  return `${open}${space}${entries.map((entry) => flowEntry(kind, entry, space)).join(`,${space}`)}${close}`;
}

function flowEntry(kind: "sequence" | "mapping", { key, colon, value }: SpelledEntry, space: string): string {
  const valueText = flowValue(value).trimStart();
  if (colon === "") return kind === "mapping" ? scalarText(key, 1) : valueText;
  if (kind === "sequence" && colon === ":") return valueText;
  if (colon === "?") return `? ${scalarText(key, 1)} : ${valueText}`;
  return `${scalarText(key, 1)}${colon}${space === "" ? " " : space}${valueText}`;
}

function flowValue(value: Spelled): string {
  if (value.kind === "blockScalar") return value.lines.join(" ");
  return value.kind === "scalar" ? scalarText(value, 1) : flowText(value);
}

function blockText({ kind, indent, entries }: SpelledCollection, column: number): string {
  const margin = " ".repeat(column);
  return entries
    .map(({ key, colon, value }) => {
      if (kind === "sequence") {
        const step = Math.max(indent, 1);
        // A collection may start on the line of the dash.
        const compact = colon === "" ? "\n" : " ".repeat(step);
        return `${margin}-${rendered(value, column + 1 + step, compact)}`;
      }
      const isList = value.kind === "sequence" && value.style === "block";
      const step = isList ? indent : Math.max(indent, 1);
      if (colon === "?")
        return `${margin}? ${scalarText(key, column + 2)}\n${margin}:${rendered(value, column + step, "\n")}`;
      if (colon === "") return `${margin}${scalarText(key, column + 1)}:`;
      return `${margin}${scalarText(key, column + 1)}${colon}${rendered(value, column + step, "\n")}`;
    })
    .join("\n");
}

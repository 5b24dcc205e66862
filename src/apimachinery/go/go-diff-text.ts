/** A text that is laid out on one line or on several. */
export type DiffText = string | DiffWrap | DiffList;

/** A text with a prefix and a suffix: `core.PodSpec{` and `}`. */
export interface DiffWrap {
  readonly prefix: string;
  readonly value: DiffText;
  readonly suffix: string;
}

export interface DiffList {
  readonly records: readonly DiffRecord[];
}

/** The side of the diff that a text belongs to: the old value, the new one, or both if empty. */
export type DiffSide = "" | "-" | "+";

export interface DiffRecord {
  readonly side: DiffSide;
  /** Empty for the elements of a list. */
  readonly key: string;
  readonly value: DiffText;
  /** The comment of an ellipsis, which stands for omitted records: `... // 2 identical fields`. */
  readonly comment?: string;
}

const longestLine = 72;

/** A record that represents omitted ones. `comment` states their number and kind. */
export function ellipsis(comment?: string): DiffRecord {
  return { side: "", key: "", value: "...", ...(comment !== undefined && { comment }) };
}

/** The lines of a diff, each with its mark, indented by tabs. */
export function layOut(text: DiffText): string {
  return `${indentation("", 0)}${expanded(collapsed(text, "").text, "", 0)}\n`;
}

interface Collapsed {
  /** The whole text on one line. */
  readonly line: string;
  /** The same line if it may stand on one line; otherwise the text with its parts laid out. */
  readonly text: DiffText;
}

function collapsed(text: DiffText, side: DiffSide): Collapsed {
  if (typeof text === "string") return { line: text, text };
  if ("prefix" in text) {
    const { line: inner, text: value } = collapsed(text.value, side);
    const line = text.prefix + inner + text.suffix;
    return { line, text: typeof value === "string" ? line : { ...text, value } };
  }
  const records = text.records.map((record) => ({ record, ...collapsed(record.value, side || record.side) }));
  const line = records.map(({ record, line: value }) => keyed(record.key) + value).join(", ");
  const isShort = side === "" || line.length <= longestLine;
  const isPlain = records.every(({ record, text: value }) => {
    return record.side === "" && record.comment === undefined && typeof value === "string";
  });
  if (isShort && isPlain) return { line, text: line };
  return { line, text: { records: records.map(({ record, text: value }) => ({ ...record, value })) } };
}

function keyed(key: string): string {
  return key === "" ? "" : `${key}: `;
}

function expanded(text: DiffText, side: DiffSide, depth: number): string {
  if (typeof text === "string") return text;
  if ("prefix" in text) return text.prefix + expanded(text.value, side, depth) + text.suffix;
  const lines = batches(text.records) ?? recordLines(text.records, side, depth);
  const ofSide = (own: DiffSide) => `\n${indentation(side || own, depth + 1)}`;
  return `${lines.map(([own, line]) => ofSide(own) + line).join("")}\n${indentation(side, depth)}`;
}

type Line = readonly [side: DiffSide, text: string];

function recordLines(records: readonly DiffRecord[], side: DiffSide, depth: number): readonly Line[] {
  const widths = keyWidths(records);
  return records.map(({ side: own, key, value, comment }, i) => {
    const start = keyed(key).padEnd(widths[i] ?? 0);
    const end = value === "..." ? "" : ",";
    const remark = comment === undefined ? "" : ` // ${comment}`;
    return [own, start + expanded(value, side || own, depth + 1) + end + remark];
  });
}

/** Groups short elements into shared lines; undefined if an element is not short. */
function batches(records: readonly DiffRecord[]): readonly Line[] | undefined {
  const lines: string[] = [];
  for (const { side, key, value, comment } of records) {
    if (side !== "" || key !== "" || typeof value !== "string" || comment !== undefined) return undefined;
    const last = lines.at(-1);
    const fits = last !== undefined && last.length + 1 + value.length + 2 <= longestLine;
    if (fits) lines[lines.length - 1] = `${last} ${value},`;
    else lines.push(`${value},`);
  }
  return lines.map((line) => ["", line]);
}

/** Aligns the values of consecutive records that take one line each. */
function keyWidths(records: readonly DiffRecord[]): readonly number[] {
  const widths = records.map(() => 0);
  let group: number[] = [];
  const close = () => {
    const width = Math.max(0, ...group.map((i) => keyed(records[i]?.key ?? "").length));
    for (const i of group) widths[i] = width;
    group = [];
  };
  for (const [i, { key, value }] of records.entries()) {
    if (key !== "" && typeof value === "string") group.push(i);
    else close();
  }
  close();
  return widths;
}

/** go-cmp indents with non-breaking spaces so that no one parses its output. */
function indentation(side: DiffSide, depth: number): string {
  return `${side === "" ? "\u00a0" : side}\u00a0${"\t".repeat(depth)}`;
}

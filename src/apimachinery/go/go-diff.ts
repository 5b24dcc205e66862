import { isJsonObject, type JsonValue, jsonEqual } from "../json.ts";
import { compareText } from "../text-order.ts";
import { type DiffRecord, type DiffSide, type DiffText, ellipsis, layOut } from "./go-diff-text.ts";
import { formatGoValue, type TypeMode, typed } from "./go-diff-value.ts";
import { goQuote } from "./go-quote.ts";
import { type GoShape, type GoStructField, isZeroValue } from "./go-shape.ts";

/**
 * The difference between two values of a Go type in the format of go-cmp: each change with two unchanged neighbors on
 * either side, and the number of the others. Where go-cmp searches within long texts and for the shortest edit script
 * of two lists, this shows the old and new text and compares lists from both ends.
 */
export function goDiff(types: SideTypes, old: JsonValue, now: JsonValue): string {
  return layOut(diffText(compared(types, old, now), "emit"));
}

/** The Go type of both sides. They differ only in how they read a value: the new one may be as the client sent it. */
export interface SideTypes {
  readonly old: GoShape;
  readonly now: GoShape;
}

/** Two values to compare, and their parts. Undefined means that a side lacks the value. */
interface Pair {
  readonly types: SideTypes;
  readonly old: JsonValue | undefined;
  readonly now: JsonValue | undefined;
  readonly isSame: boolean;
  /** The side that has it, for an element of a list or an entry of a map that the other side lacks. */
  readonly onlyIn: DiffSide;
  readonly parts: readonly Part[];
  /** The number of parts at any depth. */
  readonly count: number;
  readonly depth: number;
}

interface Part {
  readonly key: string;
  readonly pair: Pair;
}

const contextParts = 2;
const mostChanges = 16;
const shownParts = 4;

function compared(types: SideTypes, old: JsonValue | undefined, now: JsonValue | undefined): Pair {
  const parts = partsOf(types, old, now);
  const areZero = isZeroValue(types.old, old) && isZeroValue(types.now, now);
  const isSame =
    parts === undefined ? areZero || jsonEqual(old, now) : parts.every(({ pair }) => pair.isSame);
  return paired(types, old, now, isSame, "", parts ?? []);
}

function paired(
  types: SideTypes,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
  isSame: boolean,
  onlyIn: DiffSide,
  parts: readonly Part[],
): Pair {
  const count = parts.reduce((sum, { pair }) => sum + pair.count + 1, 0);
  const depth = parts.reduce((most, { pair }) => Math.max(most, pair.depth + 1), 0);
  return { types, old, now, isSame, onlyIn, parts, count, depth };
}

/** The parts that are compared; undefined if the value is compared as a whole. */
function partsOf(
  types: SideTypes,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly Part[] | undefined {
  const { old: shape } = types;
  if (shape.kind === "struct") return shape.isWhole ? undefined : fieldParts(types, old, now);
  if (old === undefined || old === null || now === undefined || now === null) return undefined;
  const inner = { old: elementOf(shape), now: elementOf(types.now) };
  if (shape.kind === "pointer") return [{ key: "", pair: compared(inner, old, now) }];
  if (shape.kind === "slice" && Array.isArray(old) && Array.isArray(now)) return elements(inner, old, now);
  if (shape.kind !== "map" || !isJsonObject(old) || !isJsonObject(now)) return undefined;
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(compareText);
  return keys.map((key) => {
    const pair = oneSidedPair(inner, Object.hasOwn(old, key) ? old[key] : undefined, now[key]);
    return { key: shape.keyMark + goQuote(key), pair };
  });
}

function fieldParts(
  types: SideTypes,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly Part[] {
  const fields = fieldsOf(types.now);
  return fieldsOf(types.old).map((field, i) => {
    const other = fields[i] ?? field;
    const pair = compared({ old: field.shape, now: other.shape }, field.read(old), other.read(now));
    return { key: field.name, pair };
  });
}

function fieldsOf(shape: GoShape): readonly GoStructField[] {
  return shape.kind === "struct" ? shape.fields() : [];
}

/** What a pointer, list or map holds; other types hold themselves. */
function elementOf(shape: GoShape): GoShape {
  switch (shape.kind) {
    case "pointer":
      return shape.to;
    case "slice":
      return shape.element;
    case "map":
      return shape.values;
    default:
      return shape;
  }
}

/** A pair of which one side may be missing. */
function oneSidedPair(types: SideTypes, old: JsonValue | undefined, now: JsonValue | undefined): Pair {
  if (old === undefined) return paired(types, old, now, false, "+", []);
  return now === undefined ? paired(types, old, now, false, "-", []) : compared(types, old, now);
}

function elements(types: SideTypes, old: readonly JsonValue[], now: readonly JsonValue[]): readonly Part[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && jsonEqual(old[start], now[start])) start += 1;
  let end = 0;
  while (end < shorter - start && jsonEqual(old.at(-1 - end), now.at(-1 - end))) end += 1;
  const before = old.slice(start, old.length - end);
  const after = now.slice(start, now.length - end);
  const middle = Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
    oneSidedPair(types, before[i], after[i]),
  );
  const same = (item: JsonValue) => compared(types, item, item);
  const pairs = [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)];
  return pairs.map((pair) => ({ key: "", pair }));
}

/** The difference of a pair that is not equal. */
function diffText(pair: Pair, mode: TypeMode): DiffText {
  const shape = pair.types.old;
  if (shape.kind === "pointer") {
    const [inner] = pair.parts;
    return { prefix: "&", value: inner === undefined ? "nil" : diffText(inner.pair, mode), suffix: "" };
  }
  const value: DiffText = { prefix: "{", value: { records: changedRecords(pair) }, suffix: "}" };
  return typed(shape, value, mode, "changed");
}

function changedRecords({ types: { old: shape }, parts }: Pair): readonly DiffRecord[] {
  const mode: TypeMode = shape.kind === "struct" ? "auto" : "elide";
  const records: DiffRecord[] = [];
  let changes = 0;
  for (const group of groupsOf(parts)) {
    if (changes >= mostChanges) {
      records.push(ellipsis(counted(parts.slice(group.start), shape)));
      break;
    }
    const members = parts.slice(group.start, group.end);
    if (group.isSame) records.push(...contextRecords(members, group, parts.length, mode, shape));
    else {
      records.push(...members.flatMap((part) => changeRecords(part, mode)));
      changes += members.length;
    }
  }
  return records;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly isSame: boolean;
}

/** Groups of consecutive parts that are all equal or all changed. */
function groupsOf(parts: readonly Part[]): readonly Group[] {
  const starts = [...parts.keys()].filter(
    (i) => i === 0 || parts[i]?.pair.isSame !== parts[i - 1]?.pair.isSame,
  );
  return starts.map((start, i) => {
    return { start, end: starts[i + 1] ?? parts.length, isSame: parts[start]?.pair.isSame === true };
  });
}

/** The neighbors of changes. The other parts are counted, unless there is only one. */
function contextRecords(
  parts: readonly Part[],
  { start, end }: Group,
  total: number,
  mode: TypeMode,
  shape: GoShape,
): readonly DiffRecord[] {
  const leading = start === 0 ? 0 : Math.min(contextParts, parts.length);
  let trailing = end === total ? 0 : Math.min(contextParts, parts.length - leading);
  if (parts.length - leading - trailing === 1) trailing += 1;
  const shown = ({ key, pair }: Part): DiffRecord => ({ side: "", key, value: sameText(pair, mode) });
  const hidden = parts.slice(leading, parts.length - trailing);
  return [
    ...parts.slice(0, leading).map(shown),
    ...(hidden.length > 0 ? [ellipsis(counted(hidden, shape))] : []),
    ...parts.slice(parts.length - trailing).map(shown),
  ];
}

/** A change of a single value shows the old and the new value, a change of a composite value shows the difference. */
function changeRecords({ key, pair }: Part, mode: TypeMode): readonly DiffRecord[] {
  if (pair.count !== pair.depth) return [{ side: "", key, value: diffText(pair, mode) }];
  const records: DiffRecord[] = [];
  if (pair.onlyIn !== "+") records.push({ side: "-", key, value: sideText(pair, "-", mode) });
  if (pair.onlyIn !== "-") records.push({ side: "+", key, value: sideText(pair, "+", mode) });
  return records;
}

/** The short form of a pair that is equal. A value that differs in its text only is shown by the shorter text. */
function sameText(pair: Pair, mode: TypeMode): DiffText {
  const { types, old, now, parts } = pair;
  const shape = types.old;
  if (parts.length === 0) {
    const before = formatGoValue(shape, old, { mode, side: "", verbosity: 1 });
    if (shape === types.now) return before;
    const after = formatGoValue(types.now, now, { mode, side: "", verbosity: 1 });
    return layOut(before).length < layOut(after).length ? before : after;
  }
  if (shape.kind === "pointer")
    return { prefix: "&", value: sameText(parts[0]?.pair ?? pair, mode), suffix: "" };
  const inner: TypeMode = shape.kind === "struct" ? "auto" : "elide";
  const records: DiffRecord[] = [];
  for (const { key, pair: part } of parts) {
    if (records.length === shownParts) {
      records.push(ellipsis());
      break;
    }
    if (shape.kind === "struct" && isZeroValue(part.types.old, part.old)) continue;
    records.push({ side: "", key, value: sameText(part, inner) });
  }
  return { prefix: "{", value: { records }, suffix: "}" };
}

/** One side of a pair that differs. */
function sideText(pair: Pair, side: "-" | "+", mode: TypeMode): DiffText {
  const { parts } = pair;
  const { shape, value } = sideOf(pair, side);
  if (parts.length === 0) return formatGoValue(shape, value, { mode, side, verbosity: 3 });
  // There is only one part; otherwise the pair would not be shown from one side.
  if (shape.kind === "pointer") {
    return { prefix: "&", value: sideText(parts[0]?.pair ?? pair, side, mode), suffix: "" };
  }
  const inner: TypeMode = shape.kind === "struct" ? "auto" : "elide";
  const isZero = (part: Pair) => {
    const { shape: of, value: own } = sideOf(part, side);
    return shape.kind === "struct" && isZeroValue(of, own);
  };
  const records = parts
    .filter(({ pair: part }) => !isZero(part))
    .map(({ key, pair: part }): DiffRecord => ({ side: "", key, value: sideText(part, side, inner) }));
  return typed(shape, { prefix: "{", value: { records }, suffix: "}" }, mode, "changed");
}

function sideOf({ types, old, now }: Pair, side: "-" | "+") {
  return side === "-" ? { shape: types.old, value: old } : { shape: types.now, value: now };
}

function counted(parts: readonly Part[], { kind }: GoShape): string {
  const of = (name: string, count: number) => (count > 0 ? [`${count} ${name}`] : []);
  const changed = parts.filter(({ pair }) => !pair.isSame);
  const texts = [
    ...of("identical", parts.length - changed.length),
    ...of("removed", changed.filter(({ pair }) => pair.onlyIn === "-").length),
    ...of("inserted", changed.filter(({ pair }) => pair.onlyIn === "+").length),
    ...of("modified", changed.filter(({ pair }) => pair.onlyIn === "").length),
  ];
  const last = texts.pop() ?? "";
  const all = texts.length > 1 ? `${texts.join(", ")}, and ${last}` : [...texts, last].join(" and ");
  return `${all} ${partName(kind, parts.length)}`;
}

function partName(kind: GoShape["kind"], count: number): string {
  if (kind === "map") return count === 1 ? "entry" : "entries";
  const name = kind === "struct" ? "field" : "element";
  return count === 1 ? name : `${name}s`;
}

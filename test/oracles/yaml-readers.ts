import { Document, isAlias, isMap, isScalar, isSeq, type Pair, type Scalar } from "yaml";
import { parseYaml } from "../../src/codec/yaml/yaml.ts";
import { isAccepted, type Outcome, outcomeOf } from "./known-difference.ts";
import { sameValue } from "./same-value.ts";
import { jsonOf, type LibraryDocument, readByLibrary, scalarValue } from "./yaml-library.ts";
import { yamlRewrites } from "./yaml-rewrites.ts";

/** The results of both readers for one text. */
export interface YamlComparison {
  readonly text: string;
  readonly ours: Outcome;
  readonly theirs: LibraryDocument;
  /** The first place that differs if both readers accept the text. */
  readonly place: Place | undefined;
}

/** A place where both readers differ, with our value. */
export interface Place {
  readonly scalar: Scalar | undefined;
  /** Undefined for a key that our value does not have. */
  readonly ours: unknown;
}

/** Reads a text with both readers. The library may read a rewritten text instead. */
export function compareReaders(text: string, libraryText: string = text): YamlComparison {
  const ours = outcomeOf(() => parseYaml(text));
  const theirs = readByLibrary(libraryText);
  const { document } = theirs;
  const isComparable = isAccepted(ours) && theirs.error === undefined;
  const place = isComparable ? differentPlace(document, document?.contents ?? null, ours.value) : undefined;
  return { text, ours, theirs, place };
}

/** The comparison with the first rewritten text that the readers agree on, or that a known difference explains. */
export function compareRewritten(
  text: string,
  isKnown: (comparison: YamlComparison) => boolean,
): YamlComparison {
  let comparison = compareReaders(text);
  for (const { rewrites, otherwise } of yamlRewrites) {
    if (isSameYaml(comparison) || isKnown(comparison)) break;
    const comparisons = rewrites(comparison.theirs.text).map((libraryText) =>
      compareReaders(text, libraryText),
    );
    const fallback = otherwise === "first" ? comparisons[0] : undefined;
    comparison = comparisons.find(isSameYaml) ?? comparisons.find(isKnown) ?? fallback ?? comparison;
  }
  return comparison;
}

/** Whether both readers refuse, or read the same value. */
export function isSameYaml({ ours, theirs, place }: YamlComparison): boolean {
  return place === undefined && isAccepted(ours) === (theirs.error === undefined);
}

function differentPlace(document: Document | undefined, node: unknown, ours: unknown): Place | undefined {
  if (isAlias(node) && document !== undefined) return differentPlace(document, node.resolve(document), ours);
  if (isScalar(node)) return sameValue(ours, scalarValue(node)) ? undefined : { scalar: node, ours };
  if (isSeq(node)) return differentItem(document, node.items, ours);
  if (isMap(node) && node.items.some(isMerge)) {
    return sameValue(ours, jsonOf(node.toJS(document ?? new Document())))
      ? undefined
      : { scalar: undefined, ours };
  }
  if (isMap(node)) return differentMember(document, node.items, ours);
  return ours === null && node === null ? undefined : { scalar: undefined, ours };
}

function differentItem(
  document: Document | undefined,
  items: readonly unknown[],
  ours: unknown,
): Place | undefined {
  if (!Array.isArray(ours) || ours.length !== items.length) return { scalar: undefined, ours };
  return firstOf(items, (item, i) => differentPlace(document, item, ours[i]));
}

/** The last value of a duplicate key counts. */
function differentMember(
  document: Document | undefined,
  pairs: readonly Pair[],
  ours: unknown,
): Place | undefined {
  if (typeof ours !== "object" || ours === null || Array.isArray(ours)) return { scalar: undefined, ours };
  // An object; only its own keys are read.
  const members = ours as Record<string, unknown>;
  const byKey = new Map(pairs.map(({ key, value }) => [keyText(document, key), { key, value }]));
  const place = firstOf([...byKey], ([text, { key, value }]) => {
    if (text === undefined) return { scalar: undefined, ours };
    if (!Object.hasOwn(members, text)) return { scalar: isScalar(key) ? key : undefined, ours: undefined };
    return differentPlace(document, value, members[text]);
  });
  return place ?? (byKey.size === Object.keys(members).length ? undefined : { scalar: undefined, ours });
}

function keyText(document: Document | undefined, key: unknown): string | undefined {
  const target = isAlias(key) && document !== undefined ? key.resolve(document) : key;
  return isScalar(target) ? String(scalarValue(target)) : undefined;
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.source === "<<";
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T, index: number) => Place | undefined,
): Place | undefined {
  for (const [i, item] of items.entries()) {
    const place = find(item, i);
    if (place !== undefined) return place;
  }
  return undefined;
}

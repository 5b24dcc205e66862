import { type Document, type Pair, parseAllDocuments, type Scalar, type Tags, visit } from "yaml";
import { integerOf } from "../../src/apimachinery/go/parsed-json.ts";
import { isAccepted, outcomeOf } from "./known-difference.ts";

/** Tags of YAML 1.1 that Go's yaml.v2 does not implement. */
const unknownToGo = ["omap", "pairs", "set", "timestamp"].map((name) => `tag:yaml.org,2002:${name}`);

/** Removes tags that Go does not implement, and the forms of numbers with base 60. */
function goTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === "string") return true;
    return !unknownToGo.includes(tag.tag) && !("format" in tag && tag.format === "TIME");
  });
}

/** The first document of a text as the library reads it. A document with an error is incomplete. */
export interface LibraryDocument {
  readonly text: string;
  readonly document: Document | undefined;
  readonly error: LibraryError | undefined;
}

/** The first error of the library, and the text from its position on. */
export interface LibraryError {
  readonly code: string;
  readonly message: string;
  readonly rest: string;
}

/** Reads the first document of a text by the rules of YAML 1.1. */
export function readByLibrary(text: string): LibraryDocument {
  const documents = parseAllDocuments(text, {
    version: "1.1",
    merge: true,
    uniqueKeys: false,
    intAsBigInt: true,
    customTags: goTags,
    logLevel: "silent",
  });
  const document = Array.isArray(documents) ? documents[0] : undefined;
  return { text, document, error: errorOf(document, text) };
}

/** The library detects some errors, such as unknown anchors, only in toJS(). */
function errorOf(document: Document.Parsed | undefined, text: string): LibraryError | undefined {
  const error = document?.errors[0];
  if (error !== undefined)
    return { code: error.code, message: error.message, rest: text.slice(error.pos[0]) };
  const outcome = outcomeOf(() => document?.toJS());
  return isAccepted(outcome) ? undefined : { code: "NO_VALUE", message: outcome.refusal, rest: "" };
}

/** The value of a scalar as JSON. */
export function scalarValue({ value }: Scalar): unknown {
  return jsonOf(value);
}

/** A value as JSON. Integers beyond int64 become floats, and bytes become text. */
export function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Uint8Array) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(value);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
  }
  if (typeof value !== "bigint") return value;
  return value >= -(2n ** 63n) && value < 2n ** 63n ? integerOf(value) : Number(value);
}

/** All scalars of a document, including keys. */
export function scalarsOf(document: Document | undefined): readonly Scalar[] {
  const scalars: Scalar[] = [];
  if (document !== undefined) visit(document, { Scalar: (_key, scalar) => void scalars.push(scalar) });
  return scalars;
}

/** The plain scalars in flow collections. */
export function plainScalarsInFlow(document: Document | undefined): readonly Scalar[] {
  const scalars = new Set<Scalar>();
  if (document === undefined) return [];
  visit(document, {
    Collection: (_key, collection) => {
      if (collection.flow !== true) return;
      visit(collection, {
        Scalar: (_inner, scalar) => {
          if (scalar.type === "PLAIN") scalars.add(scalar);
        },
      });
    },
  });
  return [...scalars];
}

/** All pairs of the mappings of a document. */
export function pairsOf(document: Document | undefined): readonly Pair[] {
  const pairs: Pair[] = [];
  if (document !== undefined) visit(document, { Pair: (_key, pair) => void pairs.push(pair) });
  return pairs;
}

import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { FieldSchema, Schema } from "../catalog/type-schema.ts";
import { PatchError } from "./patch-error.ts";

/** How a strategic merge patch treats a field. */
export interface PatchMeta {
  /** The shape of the field's value; of a list, the shape of its elements. */
  readonly schema: Schema;
  /** Whether a list is merged; all others are replaced. */
  readonly merges: boolean;
  /** Whether an object is replaced, too. */
  readonly replaces: boolean;
  /** What tells the elements of a merged list apart; empty for a list of scalars. */
  readonly mergeKey: string;
}

const text: Schema = { type: "scalar", scalar: "string" };

/**
 * What is known of a field of an object.
 * @throws {PatchError} internal, where the object has no such field or is of no type with fields
 */
export function fieldMeta(owner: Schema, name: string): PatchMeta {
  const field = fieldOf(owner, name);
  return field === undefined ? metaOf(text, undefined) : metaOf(field.schema, field);
}

/**
 * What is known of a list of an object.
 * @throws {PatchError} internal, also where the field is no list, or one of lists
 */
export function listMeta(owner: Schema, name: string): PatchMeta {
  const field = fieldOf(owner, name);
  const schema = field?.schema ?? text;
  const elements = elementSchema(schema);
  if (elements !== undefined) {
    if (elementSchema(elements) !== undefined) {
      throw new PatchError("internal", "unexpected slice of slice");
    }
    return metaOf(elements, field);
  }
  // Upstream asks no more of a pointer than that it points at something.
  if (field?.pointer) return metaOf(schema, field);
  throw new PatchError("internal", `expected slice or array type, but got: ${goKind(owner)}`);
}

function metaOf(schema: Schema, field: FieldSchema | undefined): PatchMeta {
  const strategies = field?.patchStrategy ?? [];
  return {
    schema,
    merges: strategies.includes("merge"),
    replaces: strategies.includes("replace"),
    mergeKey: field?.patchMergeKey ?? "",
  };
}

/** Undefined for `kind` and `apiVersion`, which are text and not among the fields. */
function fieldOf(owner: Schema, name: string): FieldSchema | undefined {
  const kind = goKind(owner);
  if (kind !== "struct") {
    const problem = `merging an object in json but data type is not struct, instead is: ${kind}`;
    throw new PatchError("internal", problem);
  }
  if (owner.type === "struct") {
    const field = owner.field(name) ?? owner.fields.find((candidate) => isSameLetters(candidate.name, name));
    if (field !== undefined) return field;
    if (owner.typeMeta && (name === "kind" || name === "apiVersion")) return undefined;
  }
  const problem = `unable to find api field in struct ${goName(owner)} for the json field ${goQuote(name)}`;
  throw new PatchError("internal", problem);
}

/** Upstream takes a name in other letter case if nothing fits better. */
function isSameLetters(a: string, b: string): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase();
}

function elementSchema(schema: Schema): Schema | undefined {
  if (schema.type === "list") return schema.items;
  return schema.type === "scalar" && schema.scalar === "bytes"
    ? { type: "scalar", scalar: "uint32" }
    : undefined;
}

/** The names of the Go structures that are scalars to the schema. */
const structScalars: ReadonlyMap<string, string> = new Map([
  ["time", "Time"],
  ["microtime", "MicroTime"],
  ["duration", "Duration"],
  ["quantity", "Quantity"],
  ["intOrString", "IntOrString"],
  ["rawExtension", "RawExtension"],
  ["json", "JSON"],
  ["fieldsV1", "FieldsV1"],
  ["unknown", "Unknown"],
]);

/** What Go's reflection calls the kind of type. */
export function goKind(schema: Schema): string {
  switch (schema.type) {
    case "struct":
    case "either":
      return "struct";
    case "list":
      return "slice";
    case "map":
      return "map";
    case "scalar":
      break;
  }
  if (structScalars.has(schema.scalar)) return "struct";
  if (schema.scalar === "bytes") return "slice";
  if (schema.scalar === "double") return "float64";
  return schema.scalar === "float" ? "float32" : schema.scalar;
}

function goName(schema: Schema): string {
  if (schema.type === "struct" || schema.type === "either") return schema.name;
  return schema.type === "scalar" ? (structScalars.get(schema.scalar) ?? "") : "";
}

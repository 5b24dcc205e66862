import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { FieldSchema, Schema } from "../catalog/type-schema.ts";
import { PatchError } from "./patch-error.ts";

/** How a strategic merge patch treats a field. */
export interface PatchMeta {
  /** The schema of the field's value; for a list, the schema of its elements. */
  readonly schema: Schema;
  /** Whether a list is merged instead of replaced. */
  readonly merges: boolean;
  /** Whether an object is replaced instead of merged. */
  readonly replaces: boolean;
  /** The member that identifies the elements of a merged list; empty for a list of scalars. */
  readonly mergeKey: string;
}

const text: Schema = { type: "scalar", scalar: "string" };

/**
 * How a patch treats a field of an object.
 * @throws {PatchError} internal, if the object has no such field or its type has no fields
 */
export function fieldMeta(owner: Schema, name: string): PatchMeta {
  const field = fieldOf(owner, name);
  return field === undefined ? metaOf(text, undefined) : metaOf(field.schema, field);
}

/**
 * How a patch treats a list of an object.
 * @throws {PatchError} internal, also if the field is not a list, or is a list of lists
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
  // Upstream accepts a pointer to any type here.
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

/** Undefined for `kind` and `apiVersion`, which are strings that the schema does not list. */
function fieldOf(owner: Schema, name: string): FieldSchema | undefined {
  const kind = goKind(owner);
  if (kind !== "struct") {
    const problem = `merging an object in json but data type is not struct, instead is: ${kind}`;
    throw new PatchError("internal", problem);
  }
  if (owner.type === "struct") {
    const field = owner.field(name) ?? owner.fields.find((candidate) => equalFold(candidate.name, name));
    if (field !== undefined) return field;
    if (owner.typeMeta && (name === "kind" || name === "apiVersion")) return undefined;
  }
  const problem = `unable to find api field in struct ${goName(owner)} for the json field ${goQuote(name)}`;
  throw new PatchError("internal", problem);
}

/** Upstream accepts a name in another letter case if no field matches exactly. */
function equalFold(a: string, b: string): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase();
}

function elementSchema(schema: Schema): Schema | undefined {
  if (schema.type === "list") return schema.items;
  return schema.type === "scalar" && schema.scalar === "bytes"
    ? { type: "scalar", scalar: "uint32" }
    : undefined;
}

/** The names of the Go structures that the schema represents as scalars. */
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

/** The name of the type's kind in Go's reflection. */
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

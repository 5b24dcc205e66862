import type { ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";
import type { ResourceScope } from "./scope.ts";

type SpecScope = Pick<ResourceScope, "completeSpecs" | "gvk" | "schema">;

/** A document to decode, and the complete spec that was taken out of it. */
export interface SpecApart {
  readonly document: ParsedJson;
  readonly spec: JsonObject | undefined;
}

/** Takes a complete spec out of a document. */
export function specApart(document: ParsedJson, scope: SpecScope): SpecApart {
  const spec = storedSpec(document, scope);
  if (spec === undefined || !scope.completeSpecs.has(spec)) return { document, spec: undefined };
  // It has a stored spec, so it is a plain object.
  const { spec: _, ...rest } = document as { readonly [field: string]: ParsedJson };
  return { document: rest, spec };
}

/** Puts the spec back into the decoded document, before it gets its defaults, which may depend on the spec. */
export function withSpec<T extends MutableJsonObject>(object: T, { spec }: SpecApart): T {
  return spec === undefined ? object : Object.assign(object, { spec });
}

/** Notes whether the spec of a document came out unchanged in the object made of it. The object shares it then. */
export function noteCompleteSpec(document: ParsedJson, object: MutableJsonObject, scope: SpecScope): void {
  const spec = storedSpec(document, scope);
  if (spec === undefined || object["spec"] === spec || !jsonEqual(object["spec"], spec)) return;
  scope.completeSpecs.add(spec);
  object["spec"] = spec;
}

/** The spec of a document in the version of the endpoint, if it is a part of a stored object: only these are frozen. */
function storedSpec(document: ParsedJson, { gvk, schema }: SpecScope): JsonObject | undefined {
  if (schema.type.from !== "struct" || typeof document !== "object" || document === null) return undefined;
  const { kind, apiVersion, spec } = document as { readonly [field: string]: ParsedJson | undefined };
  if (typeof spec !== "object" || !Object.isFrozen(spec) || !isJsonObject(spec as JsonValue))
    return undefined;
  return kind === gvk.kind && apiVersion === formatGroupVersion(gvk) ? (spec as JsonObject) : undefined;
}

import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { collectErrors } from "../../../apimachinery/validation/findings.ts";
import { pruneValue } from "../../../schema/structural/pruning.ts";
import { type Structural, schemaOfOthers, structural } from "../../../schema/structural/structural-schema.ts";
import { hasListTypeErrors } from "./list-type-validation.ts";
import type { Tolerance, Tolerances } from "./schema-place.ts";
import { hasSchema, schemasOf } from "./schemas-within.ts";
import { addStructuralErrors } from "./structural-validation.ts";

const types = new Set(["array", "boolean", "integer", "number", "object", "string"]);
/** What the update of a definition tolerates: the faults of the stored one. Upstream: validationOptions. */
export function tolerancesOf(oldSpec: JsonObject): Tolerances {
  const schemas = schemasOf(oldSpec);
  const some = (test: (schema: JsonObject) => boolean) => schemas.some((schema) => hasSchema(schema, test));
  const found: Tolerance[] = [];
  if (some(({ type }) => type !== undefined && type !== "" && !types.has(String(type)))) found.push("types");
  if (objectAt(oldSpec, "validation", "openAPIV3Schema") === undefined) {
    const versions = listAt(oldSpec, "versions");
    if (versions.some((version) => objectAt(version, "schema", "openAPIV3Schema") === undefined)) {
      found.push("schemas");
    }
  }
  const isBroken = (schema: JsonObject) =>
    collectErrors((errors) => addStructuralErrors(errors, schema, "")).length > 0;
  if (schemas.some(isBroken)) found.push("structure");
  else if (schemas.some((schema) => hasUnprunedDefault(structural(schema)))) found.push("unprunedDefaults");
  if (some((schema) => hasListTypeErrors(schema, "sets"))) found.push("sets");
  if (some((schema) => hasListTypeErrors(schema, "mapKeys"))) found.push("mapKeys");
  return new Set(found);
}

function hasUnprunedDefault(schema: Structural): boolean {
  if (!schema.hasDefaults) return false;
  const { default: own, items, properties } = schema;
  if (own !== undefined && !jsonEqual(pruneValue(own, schema).value, own)) return true;
  const inner = [...properties.values(), schemaOfOthers(schema), items];
  return inner.some((part) => part !== undefined && hasUnprunedDefault(part));
}

import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";

/**
 * The definition without the rules of its schemas. Upstream: apiextensions-apiserver,
 * pkg/registry/customresourcedefinition/strategy.go, dropXValidationsField.
 */
export function withoutRules(definition: JsonObject): JsonObject {
  return editedAt(definition, "spec", (spec) =>
    editedEach(spec, "versions", (version) =>
      editedAt(version, "schema", (schema) => editedAt(schema, "openAPIV3Schema", schemaWithoutRules)),
    ),
  );
}

const inOne = ["additionalProperties", "items"];
const inMaps = ["dependencies", "properties"];

function schemaWithoutRules(schema: JsonObject): JsonObject {
  let edited = without(schema, ["x-kubernetes-validations"]);
  for (const field of inOne) edited = editedAt(edited, field, schemaWithoutRules);
  edited = editedEach(edited, "items", schemaWithoutRules);
  for (const field of inMaps) edited = editedAt(edited, field, eachWithoutRules);
  return edited;
}

const eachWithoutRules: Edit = (schemas) =>
  Object.keys(schemas).reduce((edited, name) => editedAt(edited, name, schemaWithoutRules), schemas);

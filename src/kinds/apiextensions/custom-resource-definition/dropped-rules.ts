import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";

/**
 * The definition without the rules of its schemas. Upstream: apiextensions-apiserver,
 * pkg/registry/customresourcedefinition/strategy.go, dropXValidationsField.
 */
export function withoutRules(definition: JsonObject): JsonObject {
  return withEditedSchemas(definition, (schema) => without(schema, ["x-kubernetes-validations"]));
}

/** The definition without `optionalOldSelf` in its rules. Upstream: dropOptionalOldSelfField in the same file. */
export function withoutOptionalOldSelf(definition: JsonObject): JsonObject {
  return withEditedSchemas(definition, (schema) =>
    editedEach(schema, "x-kubernetes-validations", (rule) => without(rule, ["optionalOldSelf"])),
  );
}

const inOne = ["additionalProperties", "items"];
const inMaps = ["dependencies", "properties"];

function withEditedSchemas(definition: JsonObject, edit: Edit): JsonObject {
  const everywhere = inAll(edit);
  return editedAt(definition, "spec", (spec) =>
    editedEach(spec, "versions", (version) =>
      editedAt(version, "schema", (schema) => editedAt(schema, "openAPIV3Schema", everywhere)),
    ),
  );
}

/** The same edit in a schema and in those within it. */
function inAll(edit: Edit): Edit {
  const inSchema: Edit = (schema) => {
    let edited = edit(schema);
    for (const field of inOne) edited = editedAt(edited, field, inSchema);
    edited = editedEach(edited, "items", inSchema);
    for (const field of inMaps) edited = editedAt(edited, field, inEach);
    return edited;
  };
  const inEach: Edit = (schemas) =>
    Object.keys(schemas).reduce((edited, name) => editedAt(edited, name, inSchema), schemas);
  return inSchema;
}

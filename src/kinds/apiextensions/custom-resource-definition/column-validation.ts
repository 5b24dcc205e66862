import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const types = ["boolean", "date", "integer", "number", "string"];
const formats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** Validates a printer column. Upstream: ValidateCustomResourceColumnDefinition. */
export function addColumnErrors(errors: Findings, column: JsonObject, path: string): void {
  const type = textAt(column, "type");
  const format = textAt(column, "format");
  const oneOf = (names: readonly string[]) => `must be one of ${names.join(",")}`;
  if (textAt(column, "name") === "") errors.push(fieldRequired(child(path, "name")));
  if (type === "") errors.push(fieldRequired(child(path, "type"), oneOf(types)));
  else if (!types.includes(type)) errors.push(fieldInvalid(child(path, "type"), type, oneOf(types)));
  if (format !== "" && !formats.includes(format)) {
    errors.push(fieldInvalid(child(path, "format"), format, oneOf(formats)));
  }
  const jsonPath = textAt(column, "jsonPath");
  if (jsonPath === "") errors.push(fieldRequired(child(path, "JSONPath")));
  else addSimplePathErrors(errors, jsonPath, child(path, "JSONPath"));
}

/** Validates subresources. Upstream: ValidateCustomResourceDefinitionSubresources. */
export function addSubresourceErrors(errors: Findings, subresources: JsonObject, path: string): void {
  const scale = objectAt(subresources, "scale");
  if (scale === undefined) return;
  const at = child(path, "scale");
  for (const part of ["spec", "status"]) {
    addReplicasPathErrors(
      errors,
      textAt(scale, `${part}ReplicasPath`),
      `.${part}`,
      child(at, `${part}ReplicasPath`),
    );
  }
  const selectorPath = textAt(scale, "labelSelectorPath");
  if (selectorPath === "") return;
  const field = child(at, "labelSelectorPath");
  if (!selectorPath.startsWith(".")) addSimplePathErrors(errors, selectorPath, field);
  else if (!selectorPath.startsWith(".spec.") && !selectorPath.startsWith(".status.")) {
    errors.push(fieldInvalid(field, selectorPath, "should be a json path under either .spec or .status"));
  }
}

function addReplicasPathErrors(errors: Findings, jsonPath: string, root: string, field: string): void {
  if (jsonPath === "") errors.push(fieldRequired(field));
  else if (!jsonPath.startsWith(".")) addSimplePathErrors(errors, jsonPath, field);
  else if (!jsonPath.startsWith(`${root}.`)) {
    errors.push(fieldInvalid(field, jsonPath, `should be a json path under ${root}`));
  }
}

function addSimplePathErrors(errors: Findings, jsonPath: string, field: string): void {
  if (jsonPath.startsWith(".")) return;
  errors.push(fieldInvalid(field, jsonPath, "must be a simple json path starting with ."));
}

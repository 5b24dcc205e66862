import { badRequest } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid, formatFieldError } from "../../apimachinery/errors/field.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import { textValue } from "../../request/query-values.ts";

/** The part of an object that a row of a Table includes. */
export type IncludeObject = "None" | "Metadata" | "Object";

/**
 * The parameter `includeObject`. A watch checks it before the response starts.
 * @throws {StatusError} badRequest for an unknown value
 */
export function includeObjectOf(query: QueryParameters): IncludeObject {
  const text = textValue(query, "includeObject");
  switch (text) {
    case "":
      return "Metadata";
    case "None":
    case "Metadata":
    case "Object":
      return text;
  }
  const error = fieldInvalid("includeObject", text, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${formatFieldError(error)}`);
}

import { badRequest } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid, formatFieldError } from "../../apimachinery/errors/field.ts";
import { textValue } from "../../request/query-values.ts";

/** How much of an object the row of a Table shows. */
export type IncludeObject = "None" | "Metadata" | "Object";

/**
 * What the query asks the rows to show. A watch checks it before it answers.
 * @throws {StatusError} badRequest for what there is not
 */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
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

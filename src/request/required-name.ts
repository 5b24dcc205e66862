import { StatusError } from "../apimachinery/errors/errors.ts";
import { parseFieldSelector } from "../apimachinery/selectors/field-selector.ts";
import { parseLabelSelector } from "../apimachinery/selectors/label-selector.ts";
import type { QueryParameters } from "./query-parameters.ts";
import { optionalInteger, textValue } from "./query-values.ts";

/**
 * The name that a selector such as `metadata.name=x` requires; authorization sees it as the name of the request. It is empty if
 * any option of the list cannot be decoded (apiserver, pkg/endpoints/request/requestinfo.go).
 */
export function requiredName(query: QueryParameters): string {
  const name = decoded(query) ?? "";
  const isSegment = name !== "." && name !== ".." && !/[/%]/.test(name);
  return isSegment ? name : "";
}

function decoded(query: QueryParameters): string | undefined {
  try {
    optionalInteger(query, "limit");
    optionalInteger(query, "timeoutSeconds");
    // The release changes the wording of an error, which is not shown here.
    parseLabelSelector(textValue(query, "labelSelector"), () => true);
    return parseFieldSelector(textValue(query, "fieldSelector")).requiresExactMatch("metadata.name");
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

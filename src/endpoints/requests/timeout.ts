import { parseDuration } from "../../apimachinery/duration.ts";
import { badRequest } from "../../apimachinery/errors/errors.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";

/** @throws {StatusError} badRequest for a `timeout` that is not a duration */
export function checkTimeout(query: QueryParameters): void {
  const timeout = query.get("timeout");
  if (timeout === null || timeout === "") return;
  try {
    parseDuration(timeout);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw badRequest(`invalid timeout specified in the request URL - ${detail}`);
  }
}

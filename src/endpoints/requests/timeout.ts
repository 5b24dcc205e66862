import { parseDuration, parseDurationMilliseconds } from "../../apimachinery/duration.ts";
import { badRequest } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";

/** How long a write may take unless its client wants less, in milliseconds. Upstream: apiserver, pkg/endpoints/handlers/rest.go. */
const mostOfWrite = 34_000;

/** When a write has taken too long, in milliseconds, as its valid `timeout` says. */
export function deadlineOf(query: QueryParameters, startedAt: number): number {
  const timeout = query.get("timeout") ?? "";
  const wanted = timeout === "" ? 0 : parseDurationMilliseconds(timeout);
  return startedAt + (wanted > 0 ? Math.min(wanted, mostOfWrite) : mostOfWrite);
}

/** @throws {StatusError} badRequest for a `timeout` that is not a duration */
export function checkTimeout(query: QueryParameters): void {
  const timeout = query.get("timeout");
  if (timeout === null || timeout === "") return;
  try {
    parseDuration(timeout);
  } catch (error) {
    const detail = messageOf(error);
    throw badRequest(`invalid timeout specified in the request URL - ${detail}`);
  }
}

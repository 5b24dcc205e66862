import { methodNotAllowed } from "../../apimachinery/errors.ts";
import { invalidResourceVersion } from "../../registry/generic/storage-errors.ts";
import type { Freshness, ListQuery } from "../../registry/rest.ts";
import type { EndpointResponse } from "../endpoint-response.ts";
import type { EndpointEnvironment } from "../environment.ts";
import { reachRevision } from "../freshness.ts";
import { checkContinue, type ListOptions, parseListOptions, parseResourceVersion } from "../list-options.ts";
import { negotiateOutput } from "../negotiation.ts";
import { respondList } from "../respond.ts";
import type { ResourceContext, ResourceScope } from "../scope.ts";
import { predicateOf } from "../selection.ts";

/** GET of a collection. */
export async function handleList(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const format = negotiateOutput(request, query, environment.formats.objects);
  const options = parseListOptions(query, false);
  const { list } = scope.rest;
  if (list === undefined) throw methodNotAllowed(scope.rest.definition.groupResource, "list");
  const listQuery = listQueryOf(scope, context, options);
  const atLeast = minimumRevision(options);
  await reachRevision(environment.store, environment.clock, atLeast, request);
  return respondList(list(listQuery), { scope, format, context, environment });
}

/** What to read: the table "List: outcome matrix" of the API reference. */
export function listQueryOf(scope: ResourceScope, context: ResourceContext, options: ListOptions): ListQuery {
  const predicate = predicateOf(scope, options);
  checkContinue(options);
  const { resourceVersion, continueToken } = options;
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw invalidResourceVersion(resourceVersion);
  return {
    namespace: context.info.namespace,
    predicate,
    limit: options.limit,
    continueToken,
    freshness: freshnessOf(options, revision),
  };
}

function freshnessOf(options: ListOptions, revision: number): Freshness {
  const { resourceVersion, resourceVersionMatch, continueToken, limit } = options;
  if (revision === 0) return { at: resourceVersion === "0" && continueToken === "" ? "any" : "newest" };
  if (resourceVersionMatch === "NotOlderThan") return { at: "notOlderThan" };
  const isExact = resourceVersionMatch === "Exact" || limit > 0;
  return isExact ? { at: "exactly", revision } : { at: "newest" };
}

function minimumRevision(options: ListOptions): number {
  const revision = parseResourceVersion(options.resourceVersion) ?? 0;
  const { resourceVersionMatch, limit } = options;
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
  return isExact ? 0 : revision;
}

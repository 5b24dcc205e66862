import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import type { Freshness, ListQuery } from "../../registry/contract/rest.ts";
import { invalidResourceVersion, tooLargeForStorage } from "../../registry/contract/storage-errors.ts";
import { pinnedKey } from "../../registry/generic/pinned-key.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { reachRevision } from "../requests/freshness.ts";
import {
  checkContinue,
  type ListOptions,
  parseListOptions,
  parseResourceVersion,
} from "../requests/list-options.ts";
import { predicateOf } from "../requests/selection.ts";
import { respondList } from "../responses/respond.ts";
import { supported } from "./supported.ts";

/** GET of a collection. */
export async function handleList(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const options = parseListOptions(query, environment.gates);
  const format = negotiateOutput(request, query, scope.formats.objects);
  const list = supported(scope, "list");
  const listQuery = listQueryOf(scope, context, options);
  await freshnessReached(listQuery, options, environment, request);
  const found = list(listQuery);
  const isCounted = environment.gates.isEnabled("RemainingItemCount");
  const shown = isCounted ? found : { ...found, remainingItemCount: undefined };
  return respondList(shown, { scope, format, context, environment }, listQuery.predicate.isEmpty);
}

/** The query for a list: the table "List: outcome matrix" of the API reference. */
export function listQueryOf(scope: ResourceScope, context: ResourceContext, options: ListOptions): ListQuery {
  const predicate = predicateOf(scope, options);
  checkContinue(options);
  const { resourceVersion, continueToken } = options;
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw invalidResourceVersion(resourceVersion);
  const { namespace } = context.info;
  const query = { namespace, predicate, continueToken };
  return {
    ...query,
    limit: options.limit,
    freshness: freshnessOf(options, revision, pinnedKey(scope.rest.definition, query) !== undefined),
  };
}

/** A limit does not require an exact revision where the selector names one object, since such a list has no pages. */
function freshnessOf(
  { resourceVersion, resourceVersionMatch, continueToken, limit }: ListOptions,
  revision: number,
  isOneObject: boolean,
): Freshness {
  if (revision === 0) return { at: resourceVersion === "0" && continueToken === "" ? "any" : "newest" };
  if (resourceVersionMatch === "NotOlderThan") return { at: "notOlderThan" };
  const isPage = limit > 0 && !isOneObject;
  return resourceVersionMatch === "Exact" || isPage ? { at: "exactly", revision } : { at: "newest" };
}

/** Waits until the store has the requested revision, unless upstream would read from etcd, which does not wait. */
async function freshnessReached(
  { freshness }: ListQuery,
  { resourceVersion, resourceVersionMatch, limit }: ListOptions,
  environment: EndpointEnvironment,
  request: ApiRequest,
): Promise<void> {
  const revision = parseResourceVersion(resourceVersion) ?? 0;
  const { store } = environment;
  if (freshness.at === "exactly" || revision <= store.revision) return;
  if (resourceVersionMatch === "" && limit > 0) throw tooLargeForStorage(resourceVersion, store.revision);
  await reachRevision(environment, revision, resourceVersion, request);
}

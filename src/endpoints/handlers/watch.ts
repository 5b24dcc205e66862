import { methodNotAllowed } from "../../apimachinery/errors.ts";
import { rawInvalidResourceVersion } from "../../registry/generic/storage-errors.ts";
import type { WatchQuery } from "../../registry/rest.ts";
import type { EndpointResponse } from "../endpoint-response.ts";
import type { EndpointEnvironment } from "../environment.ts";
import { eventEncoding } from "../event-encoding.ts";
import { eventStream } from "../event-stream.ts";
import { type ListOptions, parseListOptions, parseResourceVersion } from "../list-options.ts";
import { events, negotiateOutput } from "../negotiation.ts";
import type { ResourceContext, ResourceScope } from "../scope.ts";
import { predicateOf } from "../selection.ts";

/** The shortest time, in seconds, that a watch without a timeout lives; the longest is twice that. */
const minRequestTimeout = 1800;

/** GET of a collection with `watch`, or of a legacy `/watch/` path. */
export async function handleWatch(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const options = parseListOptions(query, true);
  const format = negotiateOutput(request, query, events);
  const { watch } = scope.rest;
  if (watch === undefined) throw methodNotAllowed(scope.rest.definition.groupResource, "watch");
  const watchQuery = watchQueryOf(scope, context, environment, options);
  const encoding = await eventEncoding({ scope, format, context, environment });
  const seconds = options.timeoutSeconds ?? minRequestTimeout * (1 + environment.random());
  const body = eventStream({
    open: () => watch(watchQuery),
    encoding,
    clock: environment.clock,
    milliseconds: seconds * 1000,
    sendsInitialEvents: options.sendInitialEvents === true,
    sendsBookmarks: options.allowWatchBookmarks,
    freshness: options.sendInitialEvents ? parseResourceVersion(options.resourceVersion) : undefined,
    store: environment.store,
    signal: request.signal,
  });
  return { status: 200, headers: [["Content-Type", encoding.contentType]], body };
}

function watchQueryOf(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
  options: ListOptions,
): WatchQuery {
  const predicate = predicateOf(scope, options);
  const { resourceVersion, sendInitialEvents } = options;
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw rawInvalidResourceVersion(resourceVersion);
  return {
    namespace: context.info.namespace,
    predicate,
    from: revision === 0 ? "now" : revision,
    initialEvents: sendInitialEvents === true,
    signal: AbortSignal.any([context.request.signal, environment.closing]),
  };
}

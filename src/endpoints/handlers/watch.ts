import { badRequest, methodNotAllowed } from "../../apimachinery/errors.ts";
import type { OutputFormat } from "../../codec/output-format.ts";
import { everything, type SelectionPredicate } from "../../registry/generic/selection-predicate.ts";
import { rawInvalidResourceVersion } from "../../registry/generic/storage-errors.ts";
import type { WatchQuery } from "../../registry/rest.ts";
import type { EndpointResponse } from "../endpoint-response.ts";
import type { EndpointEnvironment } from "../environment.ts";
import { eventEncoding } from "../event-encoding.ts";
import { eventStream } from "../event-stream.ts";
import { type ListOptions, parseListOptions, parseResourceVersion } from "../list-options.ts";
import { negotiateOutput, noneAcceptable } from "../negotiation.ts";
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
  const format = negotiateOutput(request, query, environment.formats.events);
  checkTable(format, options, environment);
  const { watch } = scope.rest;
  if (watch === undefined) throw methodNotAllowed(scope.rest.definition.groupResource, "watch");
  const watchQuery = watchQueryOf(scope, context, environment, options);
  scope.rest.checkWatch?.();
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

/** The bookmark that ends the initial events cannot be put into a row. */
function checkTable(
  { transform }: OutputFormat,
  options: ListOptions,
  { formats }: EndpointEnvironment,
): void {
  if (transform?.kind !== "Table") return;
  if (options.sendInitialEvents && options.allowWatchBookmarks) throw noneAcceptable(formats.objects);
}

function watchQueryOf(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
  options: ListOptions,
): WatchQuery {
  const predicate = namedPredicate(predicateOf(scope, options), context.info.name);
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

/** A legacy `/watch/` path may name the one object that is watched. */
function namedPredicate(predicate: SelectionPredicate, name: string): SelectionPredicate {
  if (name === "") return predicate;
  if (predicate.name !== undefined && predicate.name !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const isNamed: SelectionPredicate["matches"] = (object) =>
    object.metadata.name === name && predicate.matches(object);
  return { ...everything, isEmpty: false, matches: isNamed, name, namespace: predicate.namespace };
}

import { badRequest } from "../../apimachinery/errors/errors.ts";
import { negotiateOutput, negotiateStream } from "../../codec/media-types/negotiation.ts";
import type { OutputFormat } from "../../codec/media-types/output-format.ts";
import type { WatchQuery } from "../../registry/contract/rest.ts";
import type { SelectionPredicate } from "../../registry/contract/selection-predicate.ts";
import { rawInvalidResourceVersion } from "../../registry/contract/storage-errors.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestFacts } from "../../scenario/request-matcher.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { reachRevision } from "../requests/freshness.ts";
import { type ListOptions, parseListOptions, parseResourceVersion } from "../requests/list-options.ts";
import { predicateOf } from "../requests/selection.ts";
import { eventEncoding } from "../responses/event-encoding.ts";
import { eventStream } from "../responses/event-stream.ts";
import { includeObjectOf } from "../responses/include-object.ts";
import { supported } from "./supported.ts";

/** The minimum duration of a watch without a timeout, in seconds; the maximum is twice as long. */
const minRequestTimeout = 1800;

/** GET of a collection with `watch`, or of a legacy `/watch/` path. Checks run in upstream's order. */
export async function handleWatch(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const { formats } = scope;
  const options = parseListOptions(query, environment.gates);
  const startedAt = environment.clock.now();
  const endsInitialEvents = options.sendInitialEvents === true && options.allowWatchBookmarks;
  const shapes = endsInitialEvents ? formats.streamedLists : formats.objects;
  const { transform } = negotiateOutput(request, query, shapes);
  const predicate = predicateOf(scope, options);
  checkName(options, predicate, context.info.name);
  const watch = supported(scope, "watch");
  const watchQuery = watchQueryOf(scope, context, environment, options, predicate);
  scope.rest.checkWatch?.();
  if (transform?.kind === "Table") includeObjectOf(query);
  const mediaType = negotiateStream(request, query, formats);
  const format: OutputFormat = { mediaType, pretty: false, transform };
  const encoding = await eventEncoding({ scope, format, context, environment });
  const seconds = options.timeoutSeconds || minRequestTimeout * (1 + environment.random());
  const body = eventStream({
    open: () => environment.interventions.watches.add(watcherOf(context), watch(watchQuery)),
    encoding,
    clock: environment.clock,
    milliseconds: seconds * 1000,
    endsInitialEvents,
    onInitialEventsEnd: () => countWatchList(scope, context, environment, predicate, startedAt),
    sendsBookmarks: options.allowWatchBookmarks,
    freshness: () => freshness(options, environment, request),
    signal: request.signal,
  });
  return { status: 200, headers: [["Content-Type", encoding.contentType]], body };
}

/** The scope is that of lists: a field selector may name the object. Upstream: pkg/endpoints/metrics/metrics.go, CleanListScope. */
function countWatchList(
  { resource }: ResourceScope,
  { info }: ResourceContext,
  { metrics, clock }: EndpointEnvironment,
  predicate: SelectionPredicate,
  startedAt: number,
): void {
  const isNamed = info.name !== "" || predicate.name !== undefined;
  const within = info.namespace === "" ? "cluster" : "namespace";
  const scope = isNamed ? "resource" : within;
  metrics.countWatchList({ ...resource, scope }, (clock.now() - startedAt) / 1000);
}

/** The facts of the request that tests match to control the order of watch events. */
function watcherOf({ request, info, path, user }: ResourceContext): RequestFacts {
  const { group, resource, subresource, namespace, name } = info;
  const userAgent = request.headers.get("user-agent") ?? "";
  return { verb: "watch", group, resource, subresource, namespace, name, path, user: user.name, userAgent };
}

/**
 * A watch with initial events waits until the store has the requested revision. A watch from a revision may start
 * ahead of the store.
 */
function freshness(
  { sendInitialEvents, resourceVersion }: ListOptions,
  environment: EndpointEnvironment,
  request: ApiRequest,
): Promise<void> | undefined {
  const revision = parseResourceVersion(resourceVersion) ?? 0;
  return sendInitialEvents ? reachRevision(environment, revision, resourceVersion, request) : undefined;
}

/** A legacy `/watch/` path may name the watched object; a field selector must then name the same object. */
function checkName({ fieldSelector }: ListOptions, predicate: SelectionPredicate, name: string): void {
  if (name === "" || fieldSelector.isEmpty || predicate.name === name) return;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

function watchQueryOf(
  { resource }: ResourceScope,
  { info, request }: ResourceContext,
  environment: EndpointEnvironment,
  { resourceVersion, sendInitialEvents }: ListOptions,
  predicate: SelectionPredicate,
): WatchQuery {
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw rawInvalidResourceVersion(resourceVersion);
  const lifetime = environment.served.lifetimeOf(resource);
  return {
    namespace: info.namespace,
    predicate: info.name === "" ? predicate : namedPredicate(predicate, info.name),
    from: revision === 0 ? "now" : revision,
    // Without sendInitialEvents and without a revision, initial events are sent, as before the parameter existed.
    initialEvents: sendInitialEvents ?? revision === 0,
    signal: AbortSignal.any([request.signal, environment.closing, ...(lifetime ? [lifetime] : [])]),
  };
}

function namedPredicate(predicate: SelectionPredicate, name: string): SelectionPredicate {
  return {
    isEmpty: false,
    selects: (stored) => stored.value.metadata.name === name && predicate.selects(stored),
    name,
    namespace: predicate.namespace,
    key: `${predicate.key}\n${name}`,
    pin: { field: "name", read: (stored) => stored.value.metadata.name, value: name },
  };
}

import { genericServerResponse, StatusError } from "../apimachinery/errors/errors.ts";
import type { Formats } from "../codec/media-types/formats.ts";
import { checkProduces, negotiateOutput } from "../codec/media-types/negotiation.ts";
import { type OutputFormat, plainJson } from "../codec/media-types/output-format.ts";
import { hasPatchRoute, refusePatch } from "../codec/media-types/patch-types.ts";
import type { Connector } from "../registry/contract/rest.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceRequestInfo } from "../request/request-info.ts";
import { type EndpointResponse, pageNotFound } from "./contract/endpoint-response.ts";
import type { EndpointEnvironment } from "./contract/environment.ts";
import type { ResourceContext, ResourceScope } from "./contract/scope.ts";
import { handleCreate } from "./handlers/create.ts";
import { handleDelete } from "./handlers/delete.ts";
import { handleDeleteCollection } from "./handlers/delete-collection.ts";
import { handleGet } from "./handlers/get.ts";
import { handleList } from "./handlers/list.ts";
import { handlePatch } from "./handlers/patch.ts";
import { handleUpdate } from "./handlers/update.ts";
import { handleWatch } from "./handlers/watch.ts";
import { handleNonResource } from "./nonresource/nonresource.ts";
import { observedRoute } from "./observed-route.ts";
import { checkTimeout } from "./requests/timeout.ts";
import { deprecationWarning } from "./responses/deprecation-warning.ts";
import { respondStatus } from "./responses/respond.ts";
import { findRoute, type Route } from "./routes.ts";

type ResourceHandler = (
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
) => Promise<EndpointResponse> | EndpointResponse;

/** The handler of each verb of the router. */
const handlers: ReadonlyMap<string, ResourceHandler> = new Map([
  ["get", handleGet],
  ["list", handleList],
  ["watch", handleWatch],
  ["create", handleCreate],
  ["update", handleUpdate],
  ["patch", handlePatch],
  ["delete", handleDelete],
  ["deletecollection", handleDeleteCollection],
  ["connect", async (...request) => (await import("./handlers/connect.ts")).handleConnect(...request)],
]);

/** Dispatches a request to its endpoint. @throws {StatusError} the refusal of the endpoint */
export function dispatch(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> | EndpointResponse {
  const aggregated = environment.aggregation.aggregator?.answer(context, environment);
  if (aggregated !== undefined) return aggregated;
  if (!isAboutResource(context)) return handleNonResource(context, environment);
  return dispatchToResource(context, environment);
}

function isAboutResource(context: RequestContext): context is ResourceContext {
  return context.info.isResourceRequest;
}

function dispatchToResource(
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> | EndpointResponse {
  const { request, info } = context;
  const route = findRoute(environment.served.current, request.method, info);
  if (route === "unknownPath") return pageNotFound();
  const { kinds } = environment;
  if (!needsRules(route, environment) || kinds.isLoaded(route.resource)) {
    return dispatchToRoute(route, context, environment);
  }
  // By then, the resource may have another definition.
  return kinds.load(route.resource).then(() => dispatchToResource(context, environment));
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Reads of a stored resource in its storage version need only the generic registry. */
function needsRules({ resource, subresource, verb }: Route, { kinds, scopes }: EndpointEnvironment): boolean {
  if (!reads.has(verb) || subresource !== undefined) return true;
  if (kinds.definitionOf(resource)?.isStored === false) return true;
  const stored = scopes.of(resource, undefined)?.rest.definition.gvk;
  return stored?.group !== resource.group || stored.version !== resource.version;
}

function dispatchToRoute(
  route: Route,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> | EndpointResponse {
  const { request, query, info, warn, observe } = context;
  const scope = environment.scopes.of(route.resource, route.subresource);
  const connector = scope?.rest.connector;
  // Custom resources have handlers without a router.
  const isCustom = scope?.schema.type.from === "openApi";
  if (!isCustom && route.verb === "patch" && !hasPatchRoute(request, environment.formats.patchTypes))
    return refusePatch(request);
  // The response to a connection may have any media type.
  if (!isCustom && !connector?.isAdmitted)
    checkProduces(request, producedBy(route, connector, environment.formats));
  const handle = handlers.get(connector === undefined ? route.verb : "connect");
  if (scope === undefined || handle === undefined) throw genericServerResponse(404);
  // A connection has no timeout.
  if (connector === undefined) checkTimeout(query);
  const warning = deprecationWarning(route.resource, environment.catalog.release);
  // Without the gate, only definitions warn of their deprecated versions.
  if (warning !== undefined && (isCustom || environment.gates.isEnabled("WarningHeaders"))) warn(warning);
  const removedRelease = warning === undefined ? undefined : (route.resource.lifecycle.removed ?? "");
  observe(observedRoute(route, info, request, query, removedRelease));
  const routed = routedInfo(info);
  return handle(scope, routed === info ? context : { ...context, info: routed }, environment);
}

/** The request info with the name in the path: a name in a field selector is for authorization only. */
function routedInfo(info: ResourceRequestInfo): ResourceRequestInfo {
  const [, name = ""] = info.parts;
  return info.name === name ? info : { ...info, name };
}

function producedBy(
  { verb }: Route,
  connector: Connector | undefined,
  { objects, listNames }: Formats,
): readonly string[] {
  if (connector !== undefined) return ["text/plain", ...objects.mediaTypes];
  return verb === "list" || verb === "watch" ? listNames : objects.mediaTypes;
}

/**
 * The response to a failed request: a Status in the format that the client accepts. It is indented JSON if the client
 * accepts no format of plain objects, or only a Table or metadata.
 */
export function respondError(
  error: StatusError,
  context: Pick<RequestContext, "request" | "query">,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const format = errorFormat(context, environment);
  return respondStatus(error.code, error.status, format, environment.catalog);
}

function errorFormat(
  { request, query }: Pick<RequestContext, "request" | "query">,
  { formats }: EndpointEnvironment,
): OutputFormat {
  try {
    return negotiateOutput(request, query, formats.plainObjects);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { ...plainJson, pretty: true };
  }
}

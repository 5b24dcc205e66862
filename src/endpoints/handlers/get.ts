import { whenReady } from "../../apimachinery/awaitable.ts";
import { badRequest } from "../../apimachinery/errors/errors.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import { rawInvalidResourceVersion } from "../../registry/contract/storage-errors.ts";
import { isTrue, textValue } from "../../request/query-values.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { reachRevision } from "../requests/freshness.ts";
import { parseResourceVersion } from "../requests/list-options.ts";
import { respondObject } from "../responses/respond.ts";
import { supported } from "./supported.ts";

/** GET of one object, or of a subresource that is read like one. */
export function handleGet(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): EndpointResponse | Promise<EndpointResponse> {
  const { request, query, info } = context;
  const format = negotiateOutput(request, query, scope.formats.objects);
  if (isTrue(query.get("export"))) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const get = supported(scope, "get");
  const text = textValue(query, "resourceVersion");
  const revision = parseResourceVersion(text);
  if (revision === undefined) throw rawInvalidResourceVersion(text);
  const respond = () =>
    whenReady(get({ namespace: info.namespace, name: info.name }), (object) =>
      respondObject(200, object, { scope, format, context, environment }),
    );
  return reachRevision(environment, revision, text, request)?.then(respond) ?? respond();
}

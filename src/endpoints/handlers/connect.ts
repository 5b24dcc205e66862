import { badRequest, genericServerResponse } from "../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import type { ConnectRequest } from "../../registry/contract/rest.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest, mutatingAttributesOf } from "../requests/admit.ts";

/**
 * A request to connect to a pod, a service or a node. None of them runs: the response is that of a script, a refusal, a
 * redirect or empty.
 */
export async function handleConnect(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const { connector } = scope.rest;
  if (connector === undefined) throw genericServerResponse(404);
  const connectRequest: ConnectRequest = {
    method: request.method,
    subpath: subpathOf(context),
    query,
    isUpgrade: isUpgrade(context),
    webSocketProtocols: webSocketProtocols(context),
  };
  // Upstream reads a log as an object: the response has a format, and admission does not see the request.
  if (!connector.isAdmitted) negotiateOutput(request, query, scope.formats.objects);
  else if (query.has("dryRun")) throw badRequest("dryRun is not supported");
  const sent = connector.optionsOf(connectRequest);
  const options = connector.isAdmitted ? await admitted(sent, scope, context, environment) : sent;
  const connected = connector.connect(
    { namespace: info.namespace, name: info.name },
    options,
    connectRequest,
  );
  if (typeof connected === "function") return connected(request);
  return connected === "redirect" ? redirectBelow(context) : { status: 204, headers: [], body: undefined };
}

/** The options as admission leaves them. Upstream connects with those that it has changed (apiserver, pkg/endpoints/handlers/rest.go). */
async function admitted(
  options: JsonObject,
  scope: ResourceScope,
  context: ResourceContext,
  { admission }: EndpointEnvironment,
): Promise<JsonObject> {
  const { kind, version } = scope.gvk;
  const object: MutableKubeObject = { kind, apiVersion: version, metadata: {}, ...options };
  const request = admissionRequest("CONNECT", scope, context, undefined);
  const attributes = mutatingAttributesOf(request, object, undefined);
  await admission.admit(attributes);
  await admission.validate(attributes);
  const { metadata: _none, ...changed } = object;
  return changed;
}

/** Whether the client asks to switch protocols, as upstream reads `Connection`. */
function isUpgrade({ request }: ResourceContext): boolean {
  return request.headers.getAll("connection").some((value) => value.toLowerCase().includes("upgrade"));
}

function webSocketProtocols({ request: { headers } }: ResourceContext): readonly string[] {
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") return [];
  return headers
    .getAll("sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((protocol) => protocol.trim());
}

/** The part of the path after the subresource, with a trailing slash if the path has one. */
function subpathOf({ info }: ResourceContext): string {
  const rest = info.parts.slice(3).join("/");
  const path = rest === "" ? "" : `/${rest}`;
  return info.path.endsWith("/") ? `${path}/` : path;
}

/** Redirects the client to the same path with a trailing slash, so that relative links stay below it. */
function redirectBelow({ request, path }: ResourceContext): EndpointResponse {
  const at = request.target.indexOf("?");
  const query = at < 0 ? "" : request.target.slice(at);
  return { status: 301, headers: [["Location", `${path}/${query}`]], body: undefined };
}

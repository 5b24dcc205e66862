import { StatusError } from "../apimachinery/errors/errors.ts";
import { formatGroupResource, formatGroupVersion, type GroupKind } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import { inProcessPeer } from "../request/peer.ts";
import { plainRequest, readResponseBody } from "../request/plain-request.ts";
import type { RawApi, Requested } from "../simulation/contract/raw-api.ts";
import type { RequestSource } from "./controllers-for.ts";
import { refusal } from "./refusal.ts";

/** Requests by path, which pass the whole server. */
export function rawApi({ handler, token, userAgent, served }: RequestSource): RawApi {
  const authorization = `Bearer ${token()}`;
  const send = async (method: string, target: string, requested: Requested, object?: JsonObject) => {
    const headers = new Map([
      ["authorization", authorization],
      ["content-type", "application/json"],
      ["user-agent", userAgent],
    ]);
    const body = object && { body: new TextEncoder().encode(encodeJson(object)) };
    const response = await handler(plainRequest({ method, target, headers, ...body }), inProcessPeer);
    const content = await readResponseBody(response.body);
    if (response.status >= 400) throw described(refusal(response.status, content), method, requested);
    // An API answers with an object.
    return parseJson(content) as JsonObject;
  };
  return {
    get: (path, requested) => send("GET", path, requested),
    put: (path, object, requested) => send("PUT", path, requested, object),
    resourcesOf: (gk) => resourcesOf(served, gk),
  };
}

/** What client-go says of an answer without a Status (apimachinery, pkg/api/errors, NewGenericServerResponse). */
function described(error: StatusError, method: string, requested: Requested): StatusError {
  const isGeneric = error.status.details?.causes?.some(({ reason }) => reason === "UnexpectedServerResponse");
  if (!isGeneric || requested.resource === "") return error;
  const name = requested.name === undefined ? "" : ` ${requested.name}`;
  const what = `${method.toLowerCase()} ${formatGroupResource(requested)}${name}`;
  return new StatusError({ ...error.status, message: `${error.message} (${what})` });
}

function resourcesOf({ current }: RequestSource["served"], { group, kind }: GroupKind) {
  return current
    .groupVersions()
    .filter((gv) => gv.group === group)
    .flatMap((gv) => current.resourceOfKind(formatGroupVersion(gv), kind) ?? []);
}

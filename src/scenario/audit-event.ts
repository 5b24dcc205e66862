import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { formatMicroTime } from "../apimachinery/time.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** How much an audit event records: `Request` adds the request body, `RequestResponse` the response body as well. */
export type AuditLevel = "Metadata" | "Request" | "RequestResponse";

/** The stage of a request. Long-running requests, such as watches, are `ResponseStarted` until they end. */
export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete";

/**
 * What kube-apiserver would write to its audit log about a request: an Event of audit.k8s.io/v1. Bodies are included
 * only if they are JSON.
 * https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/
 */
export interface AuditEvent extends JsonObject {
  readonly kind: "Event";
  readonly apiVersion: "audit.k8s.io/v1";
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: JsonObject;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** The audit event of a request, at the stage it has reached. */
export function auditEvent(request: LoggedRequest, level: AuditLevel): AuditEvent {
  const { auditId, target, verb, remoteAddress, userInfo, impersonatedUser, impersonationConstraint } =
    request;
  const { receivedAt, milliseconds = 0, endedAt } = request;
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level,
    auditID: auditId,
    stage: stageOf(request),
    requestURI: target,
    verb,
    user: userInfo === undefined ? {} : userOf(userInfo),
    ...(impersonatedUser !== undefined && { impersonatedUser: userOf(impersonatedUser) }),
    ...(impersonationConstraint !== undefined && { authenticationMetadata: { impersonationConstraint } }),
    ...(remoteAddress !== "" && { sourceIPs: [remoteAddress] }),
    ...given("userAgent", userAgentOf(request)),
    ...given("objectRef", objectReference(request)),
    ...given("responseStatus", responseStatus(request)),
    ...given("requestObject", request.resource === "" ? undefined : objectIn(request.requestBody)),
    ...given("responseObject", request.resource === "" ? undefined : objectIn(request.responseBody)),
    requestReceivedTimestamp: formatMicroTime(receivedAt),
    stageTimestamp: formatMicroTime(endedAt ?? receivedAt + milliseconds),
    ...given("annotations", annotationsOf(request)),
  };
}

/** The audit event of a request that has been received and authenticated, but not processed. */
export function auditEventOfReceived(request: LoggedRequest, level: AuditLevel): AuditEvent {
  const arrival = {
    status: undefined,
    requestBody: undefined,
    responseBody: undefined,
    decision: undefined,
    impersonatedUser: undefined,
    impersonationConstraint: undefined,
  };
  return auditEvent({ ...request, ...arrival, route: undefined, milliseconds: 0 }, level);
}

/** A field that is omitted when it has no value. */
function given(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === "" ? {} : { [name]: value };
}

const lastingVerbs = ["watch", "proxy"];
const lastingSubresources = ["attach", "exec", "proxy", "log", "portforward"];

/** A request that fails authentication has only its first stage. */
function stageOf({ status, verb, subresource, userInfo, endedAt }: LoggedRequest): AuditStage {
  if (status === undefined) return "RequestReceived";
  if (endedAt !== undefined) return "ResponseComplete";
  const lasts = lastingVerbs.includes(verb) || lastingSubresources.includes(subresource);
  return lasts || (status === 401 && userInfo === undefined) ? "ResponseStarted" : "ResponseComplete";
}

function userOf({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...given("uid", uid),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const longestUserAgent = 1024;

function userAgentOf({ userAgent }: LoggedRequest): string {
  if (userAgent.length <= longestUserAgent) return userAgent;
  return `${userAgent.slice(0, longestUserAgent)}...TRUNCATED`;
}

/** What the path names, completed by the object that was sent. */
function objectReference(request: LoggedRequest): JsonObject | undefined {
  const { resource, namespace, name, group, version, subresource, verb } = request;
  if (resource === "") return undefined;
  // Upstream records patches as they were sent and does not decode an object from them.
  const sent = verb === "patch" ? undefined : objectIn(request.requestBody);
  const metadata = isJsonObject(sent) && isJsonObject(sent["metadata"]) ? sent["metadata"] : {};
  return {
    resource,
    ...given("namespace", namespace || metadata["namespace"]),
    ...given("name", name || metadata["name"]),
    ...given("uid", metadata["uid"]),
    ...given("apiGroup", group),
    ...given("apiVersion", version),
    ...given("resourceVersion", metadata["resourceVersion"]),
    ...given("subresource", subresource),
  };
}

function responseStatus({ status, refusal, userInfo }: LoggedRequest): JsonObject | undefined {
  if (status === undefined) return undefined;
  const { status: outcome, message, reason, details } = refusal ?? {};
  const told = status === 401 && userInfo === undefined ? authenticationFailed : message;
  return {
    metadata: {},
    ...given("status", outcome),
    ...given("message", told),
    ...given("reason", reason),
    ...(details !== undefined && { details: { ...details } as JsonObject }),
    code: status,
  };
}

const authenticationFailed = "Authentication failed, attempted: bearer";

function annotationsOf({ decision, route, annotations: ofUser }: LoggedRequest): JsonObject | undefined {
  const annotations = {
    ...ofUser,
    ...(decision !== undefined && {
      "authorization.k8s.io/decision": decision.verdict === "allow" ? "allow" : "forbid",
      "authorization.k8s.io/reason": decision.reason,
    }),
    ...(route?.removedRelease !== undefined && { "k8s.io/deprecated": "true" }),
    ...(route?.removedRelease && { "k8s.io/removed-release": route.removedRelease }),
  };
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

/** The value of a JSON body; undefined for other formats. */
function objectIn(body: Uint8Array | undefined): JsonValue | undefined {
  if (body === undefined || body.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

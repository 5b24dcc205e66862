import type { Status } from "../apimachinery/status.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { AdmissionStep } from "../request/request-notes.ts";

/** A request, its user and its answer. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The path, decoded. */
  readonly path: string;
  /** The RBAC verb; for non-resource paths, the method in lower case. */
  readonly verb: string;
  /** Like the members below, empty if the path names none. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The empty string until authentication has succeeded. */
  readonly user: string;
  /** Undefined until authentication has succeeded. */
  readonly userInfo: UserInfo | undefined;
  /** Whom the user impersonates; undefined for most requests. */
  readonly impersonatedUser: UserInfo | undefined;
  /** The verb that permitted the impersonation if it is constrained: `impersonate:user-info`; undefined for others. */
  readonly impersonationConstraint: string | undefined;
  /** The client's address; empty in process. */
  readonly remoteAddress: string;
  readonly userAgent: string;
  readonly auditId: string;
  /** On the cluster's clock, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The HTTP status of the answer; undefined until it is sent. */
  readonly status: number | undefined;
  /** The Status that refused it; undefined if it succeeded or the answer is not a Status. */
  readonly refusal: Status | undefined;
  /** What authentication and admission add to the audit log; undefined for most. */
  readonly annotations: { readonly [name: string]: string } | undefined;
  /** What webhooks, policies and plugins that refused it did with it, in order; undefined if none did anything. */
  readonly admission: readonly AdmissionStep[] | undefined;
  /** The authorization decision and its reason; undefined until it is made. */
  readonly decision: AccessDecision | undefined;
  /** The resource that it reached; undefined for non-resource requests. */
  readonly route: ReachedRoute | undefined;
  /** The fault that struck it. */
  readonly fault: string | undefined;
  /** The bodies of the request and the response, if the cluster's `auditLevel` keeps them. */
  readonly requestBody: Uint8Array | undefined;
  readonly responseBody: Uint8Array | undefined;
  /** The time until the response headers, in milliseconds on the cluster's clock; undefined until they are sent. */
  readonly milliseconds: number | undefined;
  /** When a watch ended, on the same clock; undefined before that and for other requests. */
  readonly endedAt: number | undefined;
}

/** The resource that a request has reached. */
export interface ReachedRoute {
  readonly scope: "resource" | "namespace" | "cluster";
  /** For a deprecated version, the release that removes it, or the empty string; undefined for others. */
  readonly removedRelease: string | undefined;
}

/** An authorization decision. */
export interface AccessDecision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason: string;
}

/** An entry that is still being written. */
export type OpenEntry = { -readonly [field in keyof LoggedRequest]: LoggedRequest[field] };

/** What is known about a request when it arrives. */
export type Arrival = Pick<
  LoggedRequest,
  "method" | "target" | "remoteAddress" | "userAgent" | "auditId" | "receivedAt"
>;

/** The entry of a request that has just arrived. */
export function openEntry(arrival: Arrival): OpenEntry {
  const { method, target, remoteAddress, userAgent, auditId, receivedAt } = arrival;
  return {
    method,
    target,
    path: "",
    verb: method === "GET" ? "get" : method.toLowerCase(),
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    user: "",
    userInfo: undefined,
    impersonatedUser: undefined,
    impersonationConstraint: undefined,
    remoteAddress,
    userAgent,
    auditId,
    receivedAt,
    status: undefined,
    refusal: undefined,
    annotations: undefined,
    admission: undefined,
    decision: undefined,
    route: undefined,
    fault: undefined,
    requestBody: undefined,
    responseBody: undefined,
    milliseconds: undefined,
    endedAt: undefined,
  };
}

import type { Status } from "../apimachinery/status.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";

/** What came, from whom, and what was answered. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The path, decoded. */
  readonly path: string;
  /** The verb of RBAC; for a path that names no resource, the method in lower case. */
  readonly verb: string;
  /** Empty, as all that follow, where the path names none. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Empty while nobody has found out who it is. */
  readonly user: string;
  /** Undefined while nobody has found out. */
  readonly userInfo: UserInfo | undefined;
  /** The address of the connection's other end; empty in process. */
  readonly remoteAddress: string;
  readonly userAgent: string;
  readonly auditId: string;
  /** By the clock of the cluster, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The status that was answered; undefined until then. */
  readonly status: number | undefined;
  /** What the server refused it with; undefined if it did not, and for answers that are no Status. */
  readonly refusal: Status | undefined;
  /** What said whether it may be done, and why; undefined until then. */
  readonly decision: AccessDecision | undefined;
  /** The resource that it reached; undefined for what is no resource. */
  readonly route: ReachedRoute | undefined;
  /** The fault that struck it. */
  readonly fault: string | undefined;
  /** What the client sent and was answered, where the cluster's `auditLevel` says that it is kept. */
  readonly requestBody: Uint8Array | undefined;
  readonly responseBody: Uint8Array | undefined;
  /** How long the answer's head took, in milliseconds of the cluster's clock; undefined until then. */
  readonly milliseconds: number | undefined;
  /** When a watch ended, by the same clock; undefined until then, and for what is no watch. */
  readonly endedAt: number | undefined;
}

/** Which resource a request has reached. */
export interface ReachedRoute {
  readonly scope: "resource" | "namespace" | "cluster";
  /** Of a deprecated version: the release that is without it, or the empty string; undefined for all others. */
  readonly removedRelease: string | undefined;
}

/** Whether somebody may do something. */
export interface AccessDecision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason: string;
}

/** An entry that is still being written. */
export type OpenEntry = { -readonly [field in keyof LoggedRequest]: LoggedRequest[field] };

/** What is known of a request when it comes. */
export type Arrival = Pick<
  LoggedRequest,
  "method" | "target" | "remoteAddress" | "userAgent" | "auditId" | "receivedAt"
>;

/** The entry of a request of which nothing else is known. */
export function openEntry(arrival: Arrival): OpenEntry {
  const { method, target, remoteAddress, userAgent, auditId, receivedAt } = arrival;
  return {
    method,
    target,
    path: "",
    verb: method.toLowerCase(),
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    user: "",
    userInfo: undefined,
    remoteAddress,
    userAgent,
    auditId,
    receivedAt,
    status: undefined,
    refusal: undefined,
    decision: undefined,
    route: undefined,
    fault: undefined,
    requestBody: undefined,
    responseBody: undefined,
    milliseconds: undefined,
    endedAt: undefined,
  };
}

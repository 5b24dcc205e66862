import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { type Release, sinceOf } from "../apimachinery/release.ts";
import { formatMicroTime } from "../apimachinery/time.ts";
import type { AuditLevel } from "../scenario/audit-event.ts";
import { type AuditPolicy, readAuditPolicy } from "../scenario/audit-policy.ts";
import { auditTrail } from "../scenario/audit-trail.ts";
import type { LoggedRequest } from "../scenario/logged-request.ts";
import type { RequestListener } from "../scenario/request-log.ts";
import { FlagError } from "./flag-error.ts";
import { requestLine } from "./request-line.ts";
import type { ServeFlags } from "./serve-flags.ts";

/** Where the requests of a server are written, besides its own log. */
export interface RequestLogs {
  /** The bodies that they need; undefined for none. */
  readonly auditLevel: AuditLevel | undefined;
  readonly listeners: readonly RequestListener[];
  close(): void;
}

/** Opens the logs that flags ask for. @throws {FlagError} for an audit policy that is not valid */
export function openRequestLogs(flags: ServeFlags, release: Release): RequestLogs {
  const { auditLogPath, auditPolicyFile, verbosity } = flags;
  const printed = verbosity > 0 ? [printedRequests()] : [];
  const policy = auditPolicyFile === undefined ? undefined : readPolicy(auditPolicyFile, release);
  // As in kube-apiserver, an audit log needs a policy, and a policy a log.
  if (auditLogPath === undefined || policy === undefined) {
    const [given, missing] = policy === undefined ? ["log-path", "policy-file"] : ["policy-file", "log-path"];
    if (auditLogPath !== undefined || policy !== undefined)
      console.error(`kubedouble: --audit-${given} has no effect without --audit-${missing}`);
    return { auditLevel: undefined, listeners: printed, close: () => {} };
  }
  const { listener, close } = auditLog(auditLogPath, policy);
  return { auditLevel: policy.highest, listeners: [...printed, listener], close };
}

function readPolicy(path: string, release: Release): AuditPolicy {
  try {
    const { policy, warnings } = readAuditPolicy(readFileSync(path, "utf8"), sinceOf(release));
    for (const warning of warnings) console.error(`kubedouble: ${path}: ${warning}`);
    return policy;
  } catch (error) {
    const message = messageOf(error);
    throw new FlagError(`loading audit policy file: ${message}: from file ${path}`);
  }
}

/** Appends the audit events to a file, or writes them to standard output for `-`: one JSON object a line. */
function auditLog(path: string, policy: AuditPolicy): { listener: RequestListener; close(): void } {
  const file = path === "-" ? process.stdout.fd : openSync(path, "a", 0o600);
  let isOpen = true;
  const listener = auditTrail(policy, (event) => {
    if (isOpen) writeSync(file, `${JSON.stringify(event)}\n`);
  });
  const close = () => {
    isOpen = false;
    if (path !== "-") closeSync(file);
  };
  return { listener, close };
}

/** Prints a line for each request on standard error. */
function printedRequests(): RequestListener {
  const print = (request: LoggedRequest, end = "") => {
    const { receivedAt, method, target, user, fault = "", status = 0, milliseconds = 0 } = request;
    const time = formatMicroTime(receivedAt);
    const line = requestLine({ receivedAt: time, method, target, user, fault, status, milliseconds });
    console.error(`${line}${end}`);
  };
  // A watch has a second line at its end, because a failure may strike it after the headers.
  const ended = (request: LoggedRequest) => {
    const { receivedAt, endedAt = receivedAt } = request;
    // A failure that ends a watch strikes right after the end.
    setImmediate(() => print({ ...request, milliseconds: endedAt - receivedAt }, " (ended)"));
  };
  return { answered: (request) => print(request), failed: (request) => print(request), ended };
}

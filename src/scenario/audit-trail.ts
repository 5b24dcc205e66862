import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { type AuditEvent, auditEvent, auditEventOfReceived } from "./audit-event.ts";
import type { AuditDecision, AuditPolicy } from "./audit-policy.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { RequestListener } from "./request-log.ts";

/** The audit events of requests as they pass, as a policy selects them: `write` gets each event once. */
export function auditTrail(policy: AuditPolicy, write: (event: AuditEvent) => void): RequestListener {
  const record = (request: LoggedRequest, event: (level: AuditEvent["level"]) => AuditEvent) => {
    const decision = policy.decide(request);
    if (decision === undefined || decision.level === "None") return;
    const made = event(decision.level);
    if (!decision.omitStages.has(made.stage)) write(reduced(made, decision));
  };
  return {
    authenticated: (request) => record(request, (level) => auditEventOfReceived(request, level)),
    answered: (request) => record(request, (level) => auditEvent(request, level)),
    ended: (request) => record(request, (level) => auditEvent(request, level)),
  };
}

/** An event with the bodies of its level. */
function reduced(event: AuditEvent, { level, omitManagedFields }: AuditDecision): AuditEvent {
  const { requestObject, responseObject, ...rest } = event;
  const shown = (object: JsonValue) => (omitManagedFields ? withoutManagedFields(object) : object);
  return {
    // The rest has the members that every event has.
    ...(rest as AuditEvent),
    ...(requestObject !== undefined && level !== "Metadata" && { requestObject: shown(requestObject) }),
    ...(responseObject !== undefined &&
      level === "RequestResponse" && { responseObject: shown(responseObject) }),
  };
}

/** An object, or a list and its items, without the field managers. */
function withoutManagedFields(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { metadata, items } = value;
  return {
    ...value,
    ...(isJsonObject(metadata) && { metadata: withoutKey(metadata, "managedFields") }),
    ...(Array.isArray(items) && { items: items.map(withoutManagedFields) }),
  };
}

function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

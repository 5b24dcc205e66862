import type { JsonObject } from "../../apimachinery/json.ts";
import type { Properties } from "./value-schema.ts";

const text: JsonObject = { type: "string" };
const time: JsonObject = { type: "string", format: "date-time" };
const whole: JsonObject = { type: "integer" };

export const faultSchema: JsonObject = {
  type: "object",
  properties: {
    id: text,
    scenario: { type: "string", description: "The name of the failure." },
    scope: { type: "object", description: "The requests that it strikes." },
    nth: { type: "integer", description: "The first matching request to strike, counted from 1." },
    times: { description: 'How many requests it strikes: a number, or "Infinity".' },
    lasting: { type: "number", description: "The longest time it stays in effect, in milliseconds." },
    hits: {
      type: "integer",
      description: "The number of requests, watches or connections that it has struck.",
    },
    isOver: { type: "boolean", description: "Whether it strikes no further request." },
    unaffected: {
      type: "array",
      description: "Requests in its scope that it has not affected, and why.",
      items: {
        type: "object",
        properties: { method: text, target: text, reason: text },
        required: ["method", "target", "reason"],
      },
    },
  },
  required: ["id", "scenario", "scope", "nth", "times", "hits", "isOver", "unaffected"],
};

export const faultList: JsonObject = listSchema("faults", faultSchema);

const requestSchema: JsonObject = {
  type: "object",
  properties: {
    receivedAt: time,
    method: text,
    target: { type: "string", description: "Path and query, as sent." },
    path: text,
    verb: { type: "string", description: "The RBAC verb; for non-resource paths, the method in lower case." },
    group: text,
    version: text,
    resource: text,
    subresource: text,
    namespace: text,
    name: text,
    user: { type: "string", description: "Empty without authentication." },
    remoteAddress: text,
    userAgent: text,
    auditId: text,
    status: { type: "integer", description: "Absent until the response is sent." },
    milliseconds: { type: "number", description: "The time until the response headers." },
    endedAt: { ...time, description: "When a watch ended." },
    fault: { type: "string", description: "The failure that struck it." },
    message: { type: "string", description: "The message of the Status that refused it." },
  },
  required: ["receivedAt", "method", "target", "path", "verb", "user", "userAgent", "auditId"],
};

export const requestList: JsonObject = listSchema("requests", requestSchema);

export const clockSchema: JsonObject = {
  type: "object",
  properties: { now: time },
  required: ["now"],
};

export const snapshotSchema: JsonObject = {
  type: "object",
  properties: { id: text, takenAt: time },
  required: ["id", "takenAt"],
};

export const snapshotList: JsonObject = listSchema("snapshots", snapshotSchema);

export const forkSchema: JsonObject = {
  type: "object",
  properties: {
    id: text,
    url: text,
    token: { type: "string", description: "The bearer token of the administrator of the fork." },
    caCertificate: { type: "string", description: "PEM; empty without TLS." },
    kubeconfig: { type: "string", description: "The YAML of an administrator's kubeconfig." },
  },
  required: ["id", "url", "token", "caCertificate", "kubeconfig"],
};

export const forkList: JsonObject = listSchema("forks", {
  type: "object",
  properties: { id: text, url: text },
  required: ["id", "url"],
});

/** The port of a new fork. */
export const portProperties: Properties = {
  port: { type: "integer", minimum: 0, maximum: 65535, description: "Default: a free port." },
};

/** The schema of an error. */
export const errorSchema: JsonObject = {
  type: "object",
  properties: { message: text, status: whole },
  required: ["message", "status"],
};

function listSchema(name: string, items: JsonObject): JsonObject {
  return { type: "object", properties: { [name]: { type: "array", items } }, required: [name] };
}

import { parse as parseYaml } from "yaml";
import { openDocument } from "./protobuf-bytes.ts";
import type { RawAnswer, RawRequest } from "./quiet-server.ts";

const successes: ReadonlySet<number> = new Set([200, 201, 202]);

/** The possible reasons of a code; an empty one if upstream has none. */
const reasonsOf: ReadonlyMap<number, readonly string[]> = new Map([
  [400, ["BadRequest"]],
  [401, ["Unauthorized"]],
  [403, ["Forbidden"]],
  [404, ["NotFound"]],
  [405, ["MethodNotAllowed"]],
  [406, ["NotAcceptable"]],
  [409, ["Conflict", "AlreadyExists"]],
  [410, ["Expired"]],
  [413, ["RequestEntityTooLarge"]],
  [415, ["UnsupportedMediaType"]],
  [422, ["Invalid"]],
  // Upstream's plain errors; "InternalError" would be ours.
  [500, [""]],
  // A Service without endpoints, as a proxy.
  [503, ["ServiceUnavailable"]],
  [504, ["Timeout"]],
]);

const statusFields = ["kind", "apiVersion", "metadata", "status", "message", "reason", "details", "code"];

const plainTexts: readonly RegExp[] = [
  /^404 page not found\n$/,
  /^ok$/,
  // The index of OpenAPI documents.
  /^\{"paths":\{/,
  // Metrics, which may be empty.
  /^(# (HELP|TYPE) .*\n|\w+(\{.*\})? [\d.e+-]+\n)*$/,
  /^metrics reset\n$/,
  /^(\[[+-]\].*\n)+\w+ check (passed|failed)\n$/,
  /^Internal Server Error: "[^\n]*": failed to create RequestInfo: unable to determine kind and namespace from url, [^\n]*\n$/,
];

/** Words that no server writes: error messages of a JavaScript engine. */
const engineWords =
  /is not a function|is not iterable|Cannot (read|set|convert|mix|assign|add|delete)|undefined|Maximum call stack|Invalid (array|string) length|Unexpected token|not extensible|read only|\bat \S+ \(/;

/** The defects of a response, regardless of its content; empty if there are none. */
export function flawsOf(answer: RawAnswer, { method, target }: RawRequest): readonly string[] {
  const flaws: string[] = [];
  const { status, headers, text } = answer;
  // Upstream's OpenAPI handlers return only the code.
  if (target.startsWith("/openapi/") && text === "") return flaws;
  // Go's server refuses a malformed path itself, and kube-apiserver adds no headers.
  if (status === 400 && text === "400 Bad Request") {
    for (const name of ["audit-id", "cache-control", "x-content-type-options"]) {
      if (headers.has(name)) flaws.push(`header ${name}`);
    }
    return flaws;
  }
  for (const name of ["audit-id", "date", "content-type"]) {
    if (!headers.has(name)) flaws.push(`no header ${name}`);
  }
  if (!successes.has(status) && !reasonsOf.has(status)) flaws.push(`status ${status}`);
  if (method === "HEAD") return flaws;
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/plain")) {
    if (!plainTexts.some((known) => known.test(text))) flaws.push(`plain text ${text.slice(0, 200)}`);
    return flaws;
  }
  const body = parsed(answer, type);
  if (body === undefined) flaws.push(`not ${type}: ${text.slice(0, 200)}`);
  else if (!successes.has(status)) flaws.push(...flawsOfStatus(body, status, type));
  return flaws;
}

function parsed({ bytes, text, status }: RawAnswer, type: string): unknown {
  try {
    switch (type) {
      case "application/json":
        return isStream(text) && status === 200 ? eventsOf(text) : JSON.parse(text);
      case "application/yaml":
        return parseYaml(text);
      case "application/vnd.kubernetes.protobuf":
        return openDocument(bytes);
      default:
        return text;
    }
  } catch {
    return undefined;
  }
}

/** The events of a watch, one per line; possibly none yet. */
function isStream(text: string): boolean {
  return text === "" || text.startsWith('{"type":');
}

function eventsOf(text: string): readonly unknown[] {
  const lines = text.split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function flawsOfStatus(body: unknown, code: number, type: string): readonly string[] {
  // Just parsed; missing fields are undefined.
  const status = body as { [field: string]: unknown };
  if (status["kind"] !== "Status") return [`kind ${String(status["kind"])} for ${code}`];
  if (type === "application/vnd.kubernetes.protobuf") return [];
  const flaws: string[] = [];
  const fields = Object.keys(status);
  const ordered =
    type === "application/json" ? statusFields.filter((field) => fields.includes(field)) : fields;
  if (ordered.join() !== fields.join()) flaws.push(`fields ${fields.join()}`);
  if (status["status"] !== "Failure" || status["code"] !== code) flaws.push(`code ${String(status["code"])}`);
  const reason = status["reason"] ?? "";
  if (!reasonsOf.get(code)?.includes(String(reason))) flaws.push(`reason ${String(reason)} for ${code}`);
  const message = String(status["message"]);
  if (engineWords.test(message)) flaws.push(`message ${message.slice(0, 300)}`);
  return flaws;
}

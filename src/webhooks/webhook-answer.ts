import { textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { jsonSyntaxError } from "../codec/json/go-json-error.ts";
import { parseJson } from "../codec/json/json.ts";
import type { WebhookAnswer } from "./node-http.ts";
import { WebhookError } from "./webhook-error.ts";

/** The review that a webhook answers. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name of upstream's scheme in errors. Default: that of client-go. */
  readonly scheme?: string;
}

const clientScheme = "k8s.io/client-go/kubernetes/scheme/register.go:83";

/** Upstream's messages about a status without one of its own: client-go and apimachinery, pkg/api/errors. */
const messages: ReadonlyMap<number, string> = new Map([
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [
    504,
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
]);

/** The statuses after which upstream tries again. Others of 500 and more are internal errors, but for 503. */
const isRetriable = (status: number): boolean =>
  status === 429 || status === 504 || (status >= 500 && status !== 503);

/**
 * The review in the answer of a webhook. @throws {WebhookError} with upstream's message, for a refusal and for what is no such review
 */
export function reviewOf(
  { status, contentType, retryAfter, body }: WebhookAnswer,
  wanted: ReviewKind,
): JsonObject {
  if (status < 200 || status > 206) {
    throw new WebhookError(refusalText(status, body), {
      result: status === 504 ? "timeout" : "error",
      isRetriable: isRetriable(status) || (status === 503 && retryAfter !== undefined),
      status,
    });
  }
  if (body.byteLength === 0) {
    throw new WebhookError(`0-length response with status code: ${status} and content type: ${contentType}`);
  }
  const problem = jsonSyntaxError(body);
  if (problem !== undefined) {
    throw new WebhookError(`couldn't get version/kind; json parse error: ${problem}`);
  }
  return checkedReview(parseJson(body), wanted);
}

/** A review of the version that was sent. @throws {WebhookError} */
export function checkedReview(review: JsonValue, wanted: ReviewKind): JsonObject {
  if (!isJsonObject(review)) {
    throw new WebhookError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(review)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const apiVersion = textAt(review, "apiVersion") || formatGroupVersion(wanted);
  const kind = textAt(review, "kind") || wanted.kind;
  if (apiVersion === formatGroupVersion(wanted) && kind === wanted.kind) return review;
  const [group = "", version = ""] = apiVersion.split("/");
  if (group === wanted.group && kind === wanted.kind && ["v1", "v1beta1"].includes(version)) {
    throw new WebhookError(
      `converting (${version}.${kind}) to (${wanted.version}.${kind}): unknown conversion`,
    );
  }
  throw new WebhookError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(wanted.scheme ?? clientScheme)}`,
  );
}

function refusalText(status: number, body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, longestMessage)).trim();
  const answer = text.startsWith("{") && jsonSyntaxError(body) === undefined ? parseJson(body) : undefined;
  if (isJsonObject(answer) && answer["kind"] === "Status") return textAt(answer, "message") || "unknown";
  if (status === 403) return text;
  const known = messages.get(status);
  if (known !== undefined) return known;
  return status >= 500
    ? `an error on the server (${goQuote(text || "unknown")}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

/** Upstream cuts what a server says besides a Status (client-go, rest/request.go). */
const longestMessage = 2048;

/** Checks the types of fields of a status that decide. @throws {WebhookError} with the message of Go's decoder */
export function checkFields(
  status: JsonObject,
  struct: string,
  fields: { readonly [field: string]: "bool" | "string" },
): void {
  for (const [field, type] of Object.entries(fields)) {
    const value = status[field];
    if (value === undefined || value === null) continue;
    if (typeof value === (type === "bool" ? "boolean" : "string")) continue;
    throw new WebhookError(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field ${struct}.status.${field} of type ${type}`,
    );
  }
}

/** The type of a value as messages of Go's decoder name it. */
function jsonType(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

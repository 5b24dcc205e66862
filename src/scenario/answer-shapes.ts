import { structAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import type { ApiResponse } from "../request/handler.ts";
import { readResponseBody } from "../request/plain-request.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { contentTypeOf, isWatch, withBody, withFrames } from "./watch-frames.ts";

/** The definitions of the failures in this file. */
export const answerShapes: FailureDefinitions<"deleteReturns" | "emptyAsNull" | "largeEvent"> = {
  deleteReturns: {
    verbs: ["delete"],
    scope: { verb: "delete" },
    options: { returns: { type: "choice", values: ["object", "status"], isRequired: true } },
    argument: "returns",
  },
  emptyAsNull: {
    verbs: ["get", "list", "create", "update", "patch"],
    scope: { verb: ["get", "list"] },
    options: { fields: { type: "list" } },
  },
  largeEvent: {
    verbs: ["watch"],
    scope: { verb: "watch" },
    options: { bytes: { type: "integer", least: 1 }, afterEvents: { type: "integer", least: 0 } },
  },
};

/**
 * Answers an immediate delete with a Status or with the deleted object, whatever the kind itself would answer: servers
 * have done both, depending on the kind and the release. Faithful on every transport.
 */
export function deleteReturns(returns: "object" | "status", options: ScenarioOptions = {}): Scenario {
  const all = { ...options, returns };
  return scenario("deleteReturns", answerShapes.deleteReturns, all, ({ answer }) =>
    answer({ deleteReturns: returns }),
  );
}

/** Which fields are null. */
export interface EmptyAsNullOptions extends ScenarioOptions {
  /** Fields of the answer, or of the items of a list. Default: `items`. */
  readonly fields?: readonly string[];
}

/**
 * Writes empty or missing lists and maps as null, as Go encodes nil slices and maps. JSON only. Faithful on every
 * transport.
 */
export function emptyAsNull(options: EmptyAsNullOptions = {}): Scenario {
  const { fields = ["items"] } = options;
  return scenario("emptyAsNull", answerShapes.emptyAsNull, options, async ({ answer }) => {
    const answered = await answer();
    if (!isJson(answered)) return answered;
    const value = parseJson(await readResponseBody(answered.body));
    if (!isJsonObject(value)) return answered;
    return withBody(answered, new TextEncoder().encode(`${encodeJson(withNulls(value, fields))}\n`));
  });
}

function isJson(answer: ApiResponse): boolean {
  return answer.status === 200 && !isWatch(answer) && contentTypeOf(answer).startsWith("application/json");
}

function withNulls(answer: JsonObject, fields: readonly string[]): JsonObject {
  const { items } = answer;
  if (!Array.isArray(items)) return nulled(answer, fields);
  const ofItems = fields.filter((field) => field !== "items");
  if (items.length === 0) return fields.includes("items") ? { ...answer, items: null } : answer;
  return { ...answer, items: items.map((item) => (isJsonObject(item) ? nulled(item, ofItems) : item)) };
}

function nulled(object: JsonObject, fields: readonly string[]): JsonObject {
  const empty = fields.filter((field) => isEmpty(object[field]));
  return { ...object, ...Object.fromEntries(empty.map((field) => [field, null])) };
}

function isEmpty(value: JsonValue | undefined): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

/** How large an event is. */
export interface LargeEventOptions extends ScenarioOptions {
  /** How many bytes are added to it. Default: 2 MiB, more than etcd accepts for an object. */
  readonly bytes?: number;
  /** How many events come before it. Default: 0. */
  readonly afterEvents?: number;
}

/**
 * Sends an event that is larger than the buffers clients read with: its object carries an annotation of that size.
 * Faithful on every transport.
 */
export function largeEvent(options: LargeEventOptions = {}): Scenario {
  const { bytes: padding = 2 * 1024 * 1024, afterEvents = 0 } = options;
  return scenario("largeEvent", answerShapes.largeEvent, options, (server) =>
    withFrames(server, async function* (frames, { encode }) {
      let seen = 0;
      for await (const { bytes, type, decode } of frames) {
        yield seen === afterEvents ? encode(type, padded(decode().object, padding)) : bytes;
        seen += 1;
      }
    }),
  );
}

function padded(object: JsonObject, bytes: number): JsonObject {
  const metadata = structAt(object, "metadata");
  const annotations = { ...structAt(metadata, "annotations"), "kubedouble/padding": "x".repeat(bytes) };
  return { ...object, metadata: { ...metadata, annotations } };
}

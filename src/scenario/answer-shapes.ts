import { structAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import type { ApiResponse } from "../request/handler.ts";
import { readResponseBody } from "../request/plain-request.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";
import { contentTypeOf, isWatch, withBody, withFrames } from "./watch-frames.ts";

/**
 * A delete that leaves nothing behind is answered with a Status, or with the object that is gone, whichever the kind
 * itself would answer: servers have done either, by kind and by release. Faithful on every transport.
 */
export function deleteReturns(returns: "object" | "status", options: ScenarioOptions = {}): Scenario {
  return scenario("deleteReturns", options, { verb: "delete" }, ({ answerDelete }) => answerDelete(returns));
}

/** What comes as null. */
export interface EmptyAsNullOptions extends ScenarioOptions {
  /** Fields of the answer, or of the items of a list. Default: `items`. */
  readonly fields?: readonly string[];
}

/**
 * Lists and maps that are empty or not there come as null, as Go writes those that nobody made. In JSON. Faithful on
 * every transport.
 */
export function emptyAsNull(options: EmptyAsNullOptions = {}): Scenario {
  const { fields = ["items"] } = options;
  return scenario("emptyAsNull", options, { verb: ["get", "list"] }, async ({ answer }) => {
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
  /** By how many bytes it is larger. Default: 2 MiB, more than any object that etcd would take. */
  readonly bytes?: number;
  /** How many events come before it. Default: 0. */
  readonly afterEvents?: number;
}

/**
 * An event is larger than the buffers that clients read with: its object has an annotation of that size. Faithful on
 * every transport.
 */
export function largeEvent(options: LargeEventOptions = {}): Scenario {
  const { bytes: padding = 2 * 1024 * 1024, afterEvents = 0 } = options;
  return scenario("largeEvent", options, { verb: "watch" }, (server) =>
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

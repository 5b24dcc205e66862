import { structAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { integerFrom, oneOf } from "../apimachinery/option-types.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import type { ApiResponse } from "../request/handler.ts";
import { readResponseBody } from "../request/plain-request.ts";
import { awaitedEvents } from "./awaited-events.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { required, texts } from "./failure-option-types.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { contentTypeOf, isWatch, withBody, withFrames } from "./watch-frames.ts";

/** The definitions of the failures in this file. */
export const answerShapes: FailureDefinitions<"deleteReturns" | "emptyAsNull" | "largeEvent"> = {
  deleteReturns: {
    verbs: ["delete"],
    scope: { verb: "delete" },
    options: { returns: required(oneOf("object", "status")) },
    argument: "returns",
  },
  emptyAsNull: {
    verbs: ["get", "list", "create", "update", "patch"],
    scope: { verb: ["get", "list"] },
    options: { fields: texts },
  },
  largeEvent: {
    verbs: ["watch"],
    scope: { verb: "watch" },
    options: { bytes: integerFrom(1), afterEvents: integerFrom(0) },
  },
};

/**
 * Answers an immediate delete with a Status or with the deleted object, whatever the kind itself would answer: servers
 * have done both, depending on the kind and the release. Faithful on every transport.
 */
export function deleteReturns(returns: "object" | "status", options: ScenarioOptions = {}): Scenario {
  const all = { ...options, returns };
  return scenario("deleteReturns", answerShapes.deleteReturns, all, async ({ answer, struck, missed }) => {
    const answered = await answer({
      deleteReturns: (usual) => {
        if (usual === returns) missed(`the server answers this delete with the ${usual} anyway`);
        else struck();
        return returns;
      },
    });
    missed("it needs to remove the object immediately");
    return answered;
  });
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
  const effect: Scenario["effect"] = async ({ answer, missed }) => {
    const answered = await answer();
    const value = isJson(answered) ? parseJson(await readResponseBody(answered.body)) : undefined;
    if (!isJsonObject(value)) {
      missed("it needs to accept application/json");
      return answered;
    }
    const { changed, fieldsChanged } = withNulls(value, fields);
    if (fieldsChanged === 0) missed(`it needs an answer in which ${fields.join(" or ")} is empty`);
    return withBody(answered, new TextEncoder().encode(`${encodeJson(changed)}\n`));
  };
  return scenario("emptyAsNull", answerShapes.emptyAsNull, options, effect);
}

function isJson(answer: ApiResponse): boolean {
  return answer.status < 300 && !isWatch(answer) && contentTypeOf(answer).startsWith("application/json");
}

interface Nulled {
  readonly changed: JsonObject;
  readonly fieldsChanged: number;
}

/** Only lists have items. */
function withNulls(answer: JsonObject, fields: readonly string[]): Nulled {
  const { items } = answer;
  const ofObjects = fields.filter((field) => field !== "items");
  if (!Array.isArray(items)) return nulled(answer, ofObjects);
  if (items.length === 0)
    return fields.includes("items")
      ? { changed: { ...answer, items: null }, fieldsChanged: 1 }
      : { changed: answer, fieldsChanged: 0 };
  let fieldsChanged = 0;
  const changedItems = items.map((item) => {
    if (!isJsonObject(item)) return item;
    const one = nulled(item, ofObjects);
    fieldsChanged += one.fieldsChanged;
    return one.changed;
  });
  return { changed: { ...answer, items: changedItems }, fieldsChanged };
}

function nulled(object: JsonObject, fields: readonly string[]): Nulled {
  const empty = fields.filter((field) => isEmpty(object[field]));
  const changed = { ...object, ...Object.fromEntries(empty.map((field) => [field, null])) };
  return { changed, fieldsChanged: empty.length };
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
  const awaited = awaitedEvents(afterEvents + 1);
  return scenario("largeEvent", answerShapes.largeEvent, options, (server) =>
    withFrames(server, awaited, async function* (frames, { encode }) {
      let left = afterEvents;
      for await (const { bytes, type, decode } of frames) {
        const isLarge = type !== "BOOKMARK" && left === 0;
        if (type !== "BOOKMARK") left -= 1;
        if (isLarge) server.struck();
        yield isLarge ? encode(type, padded(decode().object, padding)) : bytes;
      }
    }),
  );
}

function padded(object: JsonObject, bytes: number): JsonObject {
  const metadata = structAt(object, "metadata");
  const annotations = { ...structAt(metadata, "annotations"), "kubedouble/padding": "x".repeat(bytes) };
  return { ...object, metadata: { ...metadata, annotations } };
}

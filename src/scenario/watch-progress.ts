import { invalid } from "../apimachinery/errors.ts";
import { fieldForbidden } from "../apimachinery/field.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";
import { type Frame, frame, withFrames } from "./watch-frames.ts";

const initialEventsEnd = "k8s.io/initial-events-end";

/** The watch never says that its initial events have been sent. */
export function noInitialEventsEnd(options: ScenarioOptions = {}): Scenario {
  return scenario("noInitialEventsEnd", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      for await (const event of frames) if (!endsInitialEvents(event)) yield event.bytes;
    }),
  );
}

/** The watch says twice that its initial events have been sent. */
export function doubledInitialEventsEnd(options: ScenarioOptions = {}): Scenario {
  return scenario("doubledInitialEventsEnd", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      for await (const event of frames) {
        yield event.bytes;
        if (endsInitialEvents(event)) yield event.bytes;
      }
    }),
  );
}

/** How late the end of the initial events is told of. */
export interface LateInitialEventsEndOptions extends ScenarioOptions {
  /** How many later events come before it. Default: 1. */
  readonly afterEvents?: number;
}

/** The watch says that its initial events have been sent when others have followed them. */
export function lateInitialEventsEnd(options: LateInitialEventsEndOptions = {}): Scenario {
  const { afterEvents = 1 } = options;
  return scenario("lateInitialEventsEnd", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      let end: Frame | undefined;
      let later = 0;
      for await (const event of frames) {
        if (endsInitialEvents(event)) {
          end = event;
          continue;
        }
        yield event.bytes;
        if (end === undefined) continue;
        later += 1;
        if (later === afterEvents) yield end.bytes;
      }
    }),
  );
}

function endsInitialEvents(event: Frame): boolean {
  return event.type === "BOOKMARK" && event.text().includes(initialEventsEnd);
}

/** The server does not know `sendInitialEvents`. */
export function refuseInitialEvents(options: ScenarioOptions = {}): Scenario {
  return scenario("refuseInitialEvents", options, { verb: "watch" }, async ({ query, answer }) => {
    if (!query.has("sendInitialEvents")) return answer();
    const text = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    const error = fieldForbidden("sendInitialEvents", text);
    throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", [error]);
  });
}

/** How often a watch is told how far it has come. */
export interface BookmarksOptions extends ScenarioOptions {
  /** How many events come before each bookmark. Default: 1. */
  readonly every?: number;
}

/** Bookmarks come early and often: objects that have a kind and a resourceVersion, and nothing else. */
export function bookmarks(options: BookmarksOptions = {}): Scenario {
  const { every = 1 } = options;
  return scenario("bookmarks", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      let seen = 0;
      for await (const event of frames) {
        yield event.bytes;
        seen += 1;
        if (seen % every === 0) yield frame("BOOKMARK", bookmarkAfter(event));
      }
    }),
  );
}

function bookmarkAfter(event: Frame): JsonObject {
  const object = section(JSON.parse(event.text()), "object");
  const { kind = "", apiVersion = "" } = object;
  const { resourceVersion = "" } = section(object, "metadata");
  return { kind, apiVersion, metadata: { resourceVersion, creationTimestamp: null } };
}

function section(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

import { invalid } from "../apimachinery/errors/errors.ts";
import { fieldForbidden } from "../apimachinery/errors/field.ts";
import { structAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { integerFrom } from "../apimachinery/option-types.ts";
import { awaitedEvents, counted } from "./awaited-events.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { type Need, queryOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { type Frame, withFrames } from "./watch-frames.ts";

type ProgressFailure =
  | "bookmarks"
  | "doubledInitialEventsEnd"
  | "lateInitialEventsEnd"
  | "noInitialEventsEnd"
  | "refuseInitialEvents";

const watch = { verbs: ["watch"], scope: { verb: "watch" } };

/** The definitions of the failures in this file. */
export const watchProgress: FailureDefinitions<ProgressFailure> = {
  bookmarks: { ...watch, options: { every: integerFrom(1) } },
  doubledInitialEventsEnd: watch,
  lateInitialEventsEnd: { ...watch, options: { afterEvents: integerFrom(1) } },
  noInitialEventsEnd: watch,
  refuseInitialEvents: watch,
};

const initialEventsEnd = "k8s.io/initial-events-end";

/** Omits the bookmark at the end of the initial events. Faithful on every transport. */
export function noInitialEventsEnd(options: ScenarioOptions = {}): Scenario {
  return scenario(
    "noInitialEventsEnd",
    watchProgress.noInitialEventsEnd,
    options,
    (server) =>
      withFrames(server, awaitedEnd, async function* (frames) {
        for await (const event of frames) {
          if (endsInitialEvents(event)) server.struck();
          else yield event.bytes;
        }
      }),
    { need: streamingList },
  );
}

/** Sends the bookmark at the end of the initial events twice. Faithful on every transport. */
export function doubledInitialEventsEnd(options: ScenarioOptions = {}): Scenario {
  return scenario(
    "doubledInitialEventsEnd",
    watchProgress.doubledInitialEventsEnd,
    options,
    (server) =>
      withFrames(server, awaitedEnd, async function* (frames) {
        for await (const event of frames) {
          yield event.bytes;
          if (!endsInitialEvents(event)) continue;
          server.struck();
          yield event.bytes;
        }
      }),
    { need: streamingList },
  );
}

/** How late the bookmark at the end of the initial events comes. */
export interface LateInitialEventsEndOptions extends ScenarioOptions {
  /** How many later events precede it. Default: 1. */
  readonly afterEvents?: number;
}

/**
 * Sends the bookmark at the end of the initial events after later events. Faithful on every transport.
 */
export function lateInitialEventsEnd(options: LateInitialEventsEndOptions = {}): Scenario {
  const { afterEvents = 1 } = options;
  return scenario(
    "lateInitialEventsEnd",
    watchProgress.lateInitialEventsEnd,
    options,
    (server) =>
      withFrames(
        server,
        `${awaitedEnd} and ${counted(afterEvents, "later event")}`,
        async function* (frames) {
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
            if (later !== afterEvents) continue;
            server.struck();
            yield end.bytes;
          }
        },
      ),
    { need: streamingList },
  );
}

const awaitedEnd = "the fault waits for the end of the initial events";

/** A watch that begins with the objects, and a bookmark after them. */
const streamingList: Need = {
  text: "that asks for initial events and bookmarks",
  reason: "it needs sendInitialEvents=true and allowWatchBookmarks=true in its query",
  holds: (request) => {
    const query = queryOf(request);
    return isSet(query.get("sendInitialEvents")) && isSet(query.get("allowWatchBookmarks"));
  },
};

function isSet(value: string | null): boolean {
  return value !== null && value !== "false" && value !== "0";
}

function endsInitialEvents(event: Frame): boolean {
  if (event.type !== "BOOKMARK") return false;
  const metadata = structAt(event.decode().object, "metadata");
  return structAt(metadata, "annotations")[initialEventsEnd] === "true";
}

/** Refuses `sendInitialEvents` as a server without that feature does. Faithful on every transport. */
export function refuseInitialEvents(options: ScenarioOptions = {}): Scenario {
  const effect = async () => {
    const text = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    const error = fieldForbidden("sendInitialEvents", text);
    throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", [error]);
  };
  const need = {
    text: "and sendInitialEvents",
    reason: "it needs sendInitialEvents in its query",
    holds: (request: LoggedRequest) => queryOf(request).has("sendInitialEvents"),
  };
  return scenario("refuseInitialEvents", watchProgress.refuseInitialEvents, options, effect, { need });
}

/** How often a watch sends bookmarks. */
export interface BookmarksOptions extends ScenarioOptions {
  /** How many events precede each bookmark. Default: 1. */
  readonly every?: number;
}

/**
 * Sends many bookmarks early: objects with only a kind and a resourceVersion. Faithful on every transport.
 */
export function bookmarks(options: BookmarksOptions = {}): Scenario {
  const { every = 1 } = options;
  return scenario("bookmarks", watchProgress.bookmarks, options, (server) =>
    withFrames(server, awaitedEvents(every), async function* (frames, { encode }) {
      let seen = 0;
      for await (const event of frames) {
        yield event.bytes;
        if (event.type === "BOOKMARK") continue;
        seen += 1;
        if (seen % every !== 0) continue;
        server.struck();
        yield encode("BOOKMARK", bookmarkAfter(event));
      }
    }),
  );
}

function bookmarkAfter(event: Frame): JsonObject {
  const { object } = event.decode();
  const { kind = "", apiVersion = "" } = object;
  const { resourceVersion = "" } = structAt(object, "metadata");
  if (kind === "Table")
    return { kind, apiVersion, metadata: { resourceVersion }, columnDefinitions: null, rows: [] };
  return { kind, apiVersion, metadata: { resourceVersion, creationTimestamp: null } };
}

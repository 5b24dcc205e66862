import {
  expired,
  gone,
  internalError,
  type StatusError,
  tooManyRequests,
} from "../apimachinery/errors/errors.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { boolean, integerFrom, oneOf } from "../apimachinery/option-types.ts";
import { awaitedEvents } from "./awaited-events.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { milliseconds } from "./failure-option-types.ts";
import { type FaultContext, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import type { WatchFormat } from "./watch-format.ts";
import { afterEvents, silence, withFrames } from "./watch-frames.ts";

type WatchFailure = "bareStatus" | "closeWatch" | "streamError" | "unknownEvent" | "watchGone";

const watch = { verbs: ["watch"], scope: { verb: "watch" } };
const afterSome = integerFrom(0);

/** The definitions of the failures in this file. */
export const watchFailures: FailureDefinitions<WatchFailure> = {
  bareStatus: { ...watch, options: { afterEvents: afterSome } },
  closeWatch: {
    ...watch,
    options: { afterEvents: afterSome, afterMilliseconds: milliseconds },
  },
  streamError: {
    ...watch,
    options: {
      code: oneOf(429, 500),
      afterEvents: afterSome,
      close: boolean,
    },
  },
  unknownEvent: { ...watch, options: { afterEvents: afterSome } },
  watchGone: {
    ...watch,
    options: {
      at: oneOf("open", "stream"),
      reason: oneOf("Expired", "Gone"),
      close: boolean,
      afterEvents: afterSome,
    },
  },
};

/** How a watch is informed that its resourceVersion is too old. */
export interface WatchGoneOptions extends ScenarioOptions {
  /** As the answer to the request, or as an ERROR event in an open watch. Default: `stream`, as in kube-apiserver. */
  readonly at?: "open" | "stream";
  /** Default: `Expired`; servers before 1.17 sent `Gone`. */
  readonly reason?: "Expired" | "Gone";
  /** Whether the stream ends after the event. Default: true. */
  readonly close?: boolean;
  /** How many events come before it. Default: 0. */
  readonly afterEvents?: number;
}

/** Expires the watch: 410 as a Status or in the stream. Faithful on every transport. */
export function watchGone(options: WatchGoneOptions = {}): Scenario {
  const { at = "stream", reason = "Expired", close = true, afterEvents: events = 0 } = options;
  if (at === "open" && (options.afterEvents !== undefined || options.close !== undefined))
    throw new Error('watchGone: afterEvents and close are about the stream; they need at: "stream"');
  return scenario("watchGone", watchFailures.watchGone, options, async (server) => {
    const requested = server.query.get("resourceVersion") ?? "0";
    const text = `too old resource version: ${requested} (${server.revision()})`;
    const error = reason === "Gone" ? gone(text) : expired(text);
    if (at === "open") throw error;
    return errorEvent(server, error, events, close);
  });
}

/** How a watch fails, and whether it continues. */
export interface StreamErrorOptions extends ScenarioOptions {
  /** Default: 500. */
  readonly code?: 429 | 500;
  /** Default: 0. */
  readonly afterEvents?: number;
  /** Whether the stream ends after the event. Default: true. */
  readonly close?: boolean;
}

/** Sends an ERROR event other than 410 in an open watch. Faithful on every transport. */
export function streamError(options: StreamErrorOptions = {}): Scenario {
  const { code = 500, afterEvents: events = 0, close = true } = options;
  const error =
    code === 429
      ? tooManyRequests("Too many requests, please try again later.", 1)
      : internalError("etcdserver: no leader");
  return scenario("streamError", watchFailures.streamError, options, (server) =>
    errorEvent(server, error, events, close),
  );
}

async function errorEvent(
  server: FaultContext,
  error: StatusError,
  events: number,
  close: boolean,
): ReturnType<FaultContext["answer"]> {
  return withFrames(server, awaitedEvents(events), (frames, format) =>
    afterEvents(frames, events, async function* () {
      server.struck();
      yield format.encode("ERROR", { ...error.status });
      if (!close) yield* silence(server.signal);
    }),
  );
}

/** When something is inserted into a stream. */
export interface StreamOptions extends ScenarioOptions {
  /** How many events come first. Default: 0. */
  readonly afterEvents?: number;
}

/** Sends a Status in the stream of a watch without an event around it. Faithful on every transport. */
export function bareStatus(options: StreamOptions = {}): Scenario {
  return inStream("bareStatus", options, ({ bare }) =>
    bare({ ...expired("too old resource version").status }),
  );
}

/** Sends an event of a type that the client does not know. Faithful on every transport. */
export function unknownEvent(options: StreamOptions = {}): Scenario {
  const object: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
  return inStream("unknownEvent", options, ({ encode }) => encode("FUTURE", object));
}

function inStream(
  name: WatchFailure,
  options: StreamOptions,
  bytes: (format: WatchFormat) => Uint8Array,
): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario(name, watchFailures[name], options, (server) =>
    withFrames(server, awaitedEvents(events), async function* (frames, format) {
      let left = events;
      const inserted = () => {
        server.struck();
        return bytes(format);
      };
      if (left === 0) yield inserted();
      for await (const { bytes: event, type } of frames) {
        yield event;
        if (type === "BOOKMARK") continue;
        left -= 1;
        if (left === 0) yield inserted();
      }
    }),
  );
}

/** When a watch ends. */
export interface CloseWatchOptions extends StreamOptions {
  /** How long it stays open, in milliseconds on the cluster's clock. Default: it ends after the given number of events. */
  readonly afterMilliseconds?: number;
}

/**
 * Ends a watch cleanly and early: at once, or after some events or time. Faithful on every transport.
 */
export function closeWatch(options: CloseWatchOptions = {}): Scenario {
  const { afterEvents: events = 0, afterMilliseconds } = options;
  if (options.afterEvents !== undefined && afterMilliseconds !== undefined)
    throw new Error("closeWatch: give either afterEvents or afterMilliseconds, not both");
  return scenario("closeWatch", watchFailures.closeWatch, options, (server) =>
    afterMilliseconds === undefined
      ? withFrames(server, awaitedEvents(events), (frames) =>
          // biome-ignore lint/correctness/useYield: the watch ends
          afterEvents(frames, events, async function* () {
            server.struck();
          }),
        )
      : closedLater(server, afterMilliseconds),
  );
}

async function closedLater(server: FaultContext, milliseconds: number): ReturnType<FaultContext["answer"]> {
  const answer = await server.answer();
  const opened = () => server.watches.matching({}).findLast(({ request }) => request === server.request);
  server.waits(() => `it needs to be open for ${milliseconds} milliseconds`);
  server.clock.after(milliseconds, () => {
    const watch = opened();
    if (watch === undefined) {
      server.missed(`the watch ended before ${milliseconds} milliseconds had passed`);
      return;
    }
    server.struck();
    watch.close();
  });
  return answer;
}

import {
  expired,
  forbidden,
  gone,
  internalError,
  plainError,
  type StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  unauthorized,
  withDetails,
} from "../apimachinery/errors.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { type Scenario, type ScenarioOptions, type StruckServer, scenario } from "./scenario.ts";
import { afterEvents, frame, line, silence, withFrames } from "./watch-frames.ts";

export type { FaultHandle } from "./fault.ts";
export type { LoggedRequest } from "./logged-request.ts";
export type { RequestScope } from "./request-matcher.ts";
export type { Scenario, ScenarioOptions, Strike, StruckServer } from "./scenario.ts";

const writes = ["update", "patch"];
const reads = ["list", "watch"];

/** Somebody else changes the object between the client's read and its write, which is then refused with 409. */
export function conflict(options: ScenarioOptions = {}): Scenario {
  return scenario("conflict", options, { verb: writes }, async ({ raceWriter, answer }) => {
    await raceWriter();
    return answer();
  });
}

/** How a watch is told that its resourceVersion is too old. */
export interface WatchGoneOptions extends ScenarioOptions {
  /** As the answer to the request, or as an ERROR event of a watch that is open. Default: `stream`, as servers do. */
  readonly at?: "open" | "stream";
  /** Default: `Expired`; servers before 1.17 said `Gone`. */
  readonly reason?: "Expired" | "Gone";
  /** Whether the stream ends after the event. Default: true. */
  readonly close?: boolean;
  /** How many events come before it. Default: 0. */
  readonly afterEvents?: number;
}

/** The watch expires: 410, as a status or in the stream. */
export function watchGone(options: WatchGoneOptions = {}): Scenario {
  const { at = "stream", reason = "Expired", close = true, afterEvents: events = 0 } = options;
  return scenario("watchGone", options, { verb: "watch" }, async (server) => {
    const requested = server.query.get("resourceVersion") ?? "0";
    const text = `too old resource version: ${requested} (${server.revision()})`;
    const error = reason === "Gone" ? gone(text) : expired(text);
    if (at === "open") throw error;
    return errorEvent(server, error, events, close);
  });
}

/** How a watch that fails goes on. */
export interface StreamErrorOptions extends ScenarioOptions {
  /** Default: 0. */
  readonly afterEvents?: number;
  /** Whether the stream ends after the event. Default: true. */
  readonly close?: boolean;
}

/** An ERROR event with the code 500 in an open watch. */
export function streamError(options: StreamErrorOptions = {}): Scenario {
  const { afterEvents: events = 0, close = true } = options;
  return scenario("streamError", options, { verb: "watch" }, (server) =>
    errorEvent(server, internalError("etcdserver: no leader"), events, close),
  );
}

async function errorEvent(
  server: StruckServer,
  error: StatusError,
  events: number,
  close: boolean,
): ReturnType<StruckServer["answer"]> {
  return withFrames(await server.answer(), (frames) =>
    afterEvents(frames, events, async function* () {
      yield frame("ERROR", { ...error.status });
      if (!close) yield* silence(server.signal);
    }),
  );
}

/** When something happens to a stream. */
export interface StreamOptions extends ScenarioOptions {
  /** How many events come before. Default: 0. */
  readonly afterEvents?: number;
}

/** A Status in the stream of a watch that no event wraps. */
export function bareStatus(options: StreamOptions = {}): Scenario {
  return inStream("bareStatus", options, () => line({ ...expired("too old resource version").status }));
}

/** An event of a type that the client cannot know. */
export function unknownEvent(options: StreamOptions = {}): Scenario {
  const object: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
  return inStream("unknownEvent", options, () => frame("FUTURE", object));
}

function inStream(
  name: string,
  options: StreamOptions,
  bytes: (server: StruckServer) => Uint8Array,
): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario(name, options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      let seen = 0;
      if (events === 0) yield bytes(server);
      for await (const { bytes: event } of frames) {
        yield event;
        seen += 1;
        if (seen === events) yield bytes(server);
      }
    }),
  );
}

/** The server ends a watch cleanly at an odd moment: at once, unless events come before. */
export function closeWatch(options: StreamOptions = {}): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario("closeWatch", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), (frames) => afterEvents(frames, events, async function* () {})),
  );
}

/** A half-open watch: from some event on nothing comes, and nothing ends. */
export function freeze(options: StreamOptions = {}): Scenario {
  const { afterEvents: events = 0 } = options;
  return scenario("freeze", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), (frames) => afterEvents(frames, events, () => silence(server.signal))),
  );
}

/** The watch never says that its initial events have been sent. */
export function noInitialEventsEnd(options: ScenarioOptions = {}): Scenario {
  return scenario("noInitialEventsEnd", options, { verb: "watch" }, async (server) =>
    withFrames(await server.answer(), async function* (frames) {
      for await (const { type, bytes } of frames) if (type !== "BOOKMARK") yield bytes;
    }),
  );
}

/** The server does not know `sendInitialEvents`. */
export function refuseInitialEvents(options: ScenarioOptions = {}): Scenario {
  return scenario("refuseInitialEvents", options, { verb: "watch" }, async ({ query, answer }) => {
    if (!query.has("sendInitialEvents")) return answer();
    throw plainError(
      422,
      "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
    );
  });
}

/** How far ahead the client is. */
export interface TooLargeOptions extends ScenarioOptions {
  /** Whether the answer says so in a cause; servers before 1.18.6 gave none. Default: true. */
  readonly withCause?: boolean;
}

/** 504: the client knows a resourceVersion that this server has not reached. */
export function tooLargeResourceVersion(options: TooLargeOptions = {}): Scenario {
  const { withCause = true } = options;
  return scenario("tooLargeResourceVersion", options, { verb: ["get", ...reads] }, async (server) => {
    const requested = server.query.get("resourceVersion") ?? String(server.revision() + 1);
    const causes = withCause
      ? [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }]
      : [];
    throw timeout(`Too large resource version: ${requested}, current: ${server.revision()}`, 1, causes);
  });
}

/** How a client is slowed down. */
export interface ThrottleOptions extends ScenarioOptions {
  /** Seconds; `false` leaves the header out. Default: 1. */
  readonly retryAfter?: number | false;
}

/** 429: more than the server allows for now. */
export function throttle(options: ThrottleOptions = {}): Scenario {
  return tooMany("throttle", options, {}, "Too many requests, please try again later.");
}

/** 429: the watch cache has just begun. */
export function storageInitializing(options: ThrottleOptions = {}): Scenario {
  return tooMany("storageInitializing", options, { verb: reads }, "storage is (re)initializing");
}

function tooMany(
  name: string,
  options: ThrottleOptions,
  scope: Parameters<typeof scenario>[2],
  message: string,
): Scenario {
  const { retryAfter = 1 } = options;
  return scenario(name, options, scope, async () => {
    throw tooManyRequests(message, retryAfter === false ? 0 : retryAfter);
  });
}

/** 401, though the credentials are right. */
export function unauthorizedOnce(options: ScenarioOptions = {}): Scenario {
  return scenario("unauthorizedOnce", options, {}, async () => {
    throw unauthorized();
  });
}

/** 500: etcd has no leader for the moment. */
export function etcdLeaderChange(options: ScenarioOptions = {}): Scenario {
  return scenario("etcdLeaderChange", options, {}, async () => {
    throw plainError(500, "etcdserver: leader changed");
  });
}

/** 503: the server has not installed all its paths. */
export function notReady(options: ScenarioOptions = {}): Scenario {
  return scenario("notReady", options, {}, async () => {
    const text =
      "the request has been made before all known HTTP paths have been installed, please try again";
    throw withDetails(serviceUnavailable(text), { retryAfterSeconds: 5 });
  });
}

/** Which webhook does not answer. */
export interface WebhookTimeoutOptions extends ScenarioOptions {
  /** Default: `webhook.example.com`. */
  readonly webhook?: string;
}

/** 500: an admission webhook did not answer in time. */
export function webhookTimeout(options: WebhookTimeoutOptions = {}): Scenario {
  const { webhook = "webhook.example.com" } = options;
  return scenario("webhookTimeout", options, { verb: ["create", "update", "patch", "delete"] }, async () => {
    const url = `https://${webhook}:443/?timeout=10s`;
    throw internalError(
      `failed calling webhook "${webhook}": failed to call webhook: Post "${url}": context deadline exceeded`,
    );
  });
}

/** 403: the namespace is going away. */
export function namespaceTerminating(options: ScenarioOptions = {}): Scenario {
  return scenario("namespaceTerminating", options, { verb: "create" }, async ({ request }) => {
    const { group, resource, name, namespace } = request;
    const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const refused = forbidden({ group, resource }, name, text);
    const cause = {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    };
    throw withDetails(refused, { causes: [cause] });
  });
}

/** Which page of a list comes too late. */
export interface ContinueExpiredOptions extends ScenarioOptions {
  /** Counted from 1, the first being the one without a token. Default: 2. */
  readonly page?: number;
  /** Whether the refusal carries a token that goes on at the newest state. Default: true, as servers do. */
  readonly inconsistent?: boolean;
}

/** 410: the continue token of a list has expired. */
export function continueExpired(options: ContinueExpiredOptions = {}): Scenario {
  const { page = 2, inconsistent = true, nth = page } = options;
  const wanted = { ...options, nth };
  return scenario("continueExpired", wanted, { verb: "list" }, async ({ query, answer, expireHistory }) => {
    if (!inconsistent && query.has("continue")) throw expired(continueTooOld);
    expireHistory();
    return answer();
  });
}

const continueTooOld = "The provided continue parameter is too old to display a consistent list result.";

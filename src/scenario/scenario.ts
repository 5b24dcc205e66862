import type { Clock } from "../apimachinery/clock.ts";
import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { StatusError } from "../apimachinery/errors/errors.ts";
import type { ApiResponse, ApiResponseBody, HeaderLookup } from "../request/handler.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { OpenWatches } from "./open-watches.ts";
import type { RequestScope } from "./request-matcher.ts";
import type { StateView } from "./state-view.ts";
import type { StruckCluster } from "./struck-cluster.ts";
import type { WatchFormat } from "./watch-format.ts";

/** An answer before the server adds what every answer has. */
export type StruckAnswer = ApiResponse;

/** The server as a fault finds it. */
export interface StruckServer {
  /** Who asks for what. */
  readonly request: LoggedRequest;
  readonly query: URLSearchParams;
  readonly headers: HeaderLookup;
  readonly clock: Clock;
  /** The newest resourceVersion. */
  readonly revision: () => number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Lets the server answer. Ask it once at most. */
  readonly answer: () => Promise<StruckAnswer>;
  /** The same from another view of the state. */
  readonly answerFrom: (view: StateView) => Promise<StruckAnswer>;
  /** The same, with a Status or the object as the answer to a delete that leaves nothing behind. */
  readonly answerDelete: (returns: "object" | "status") => Promise<StruckAnswer>;
  /** The same, up to admission, which refuses what is asked with this error. `name` is how it calls the object. */
  readonly answerUnlessAdmitted: (refuse: (name: string) => StatusError) => Promise<StruckAnswer>;
  /** What the server says to who may not do what is asked. */
  readonly forbidden: () => StatusError;
  /** A view of the state as it was so many revisions ago, or as long ago as is remembered. */
  readonly viewOf: (revisionsAgo: number) => StateView;
  /** The watches that clients have open. */
  readonly watches: OpenWatches;
  /** How the events of a watch with this Content-Type are written. */
  readonly watchFormat: (contentType: string) => Promise<WatchFormat>;
  /** Forgets history: every resourceVersion that a client knows by now is too old. */
  readonly expireHistory: () => void;
  /** Has somebody else write the object that the request is about, as if between the client's read and this request. */
  readonly raceWriter: () => Promise<void>;
}

/**
 * What a fault does to a request: changes the state that the server answers from, changes the answer, or answers itself.
 * It may throw a StatusError, which the client gets in its own format, or a ConnectionFailure.
 */
export type Strike = (server: StruckServer) => Promise<StruckAnswer>;

/** What a request must be beyond its scope for a failure to make a difference to it. */
export interface Need {
  /** As it ends the sentence "it waits for a request ...". */
  readonly text: string;
  readonly holds: (request: LoggedRequest, headers: HeaderLookup | undefined) => boolean;
}

/** A failure that a test can put in force. */
export interface Scenario {
  /** What failure pages and messages call it. */
  readonly name: string;
  /** Whom it strikes. */
  readonly scope: RequestScope;
  readonly need: Need | undefined;
  /** How many matching requests pass before the first is struck. */
  readonly after: number;
  /** How many requests it strikes before it is over. */
  readonly times: number;
  /** How long it is in force at most, in milliseconds of the cluster's clock. */
  readonly milliseconds: number;
  readonly strike: Strike;
  /** What it does when it comes into force, and, by the function returned, when it is over. `struck` counts a hit. */
  readonly begin: ((cluster: StruckCluster, struck: () => void) => () => void) | undefined;
}

/** What every scenario lets a test choose. */
export interface ScenarioOptions extends RequestScope {
  /** Only the n-th matching request and those after it are struck, counted from 1. Default: 1. */
  readonly nth?: number;
  /** How many requests are struck before the failure is over. Default: 1, so that the way back is tested as well. */
  readonly times?: number;
  /**
   * How long it is in force at most, by the cluster's clock: milliseconds, or a duration such as `"5s"`. Default: until
   * it has struck as often as it should, or is taken back.
   */
  readonly lasting?: number | string;
}

/** What only some failures have. */
export type ScenarioExtras = Partial<Pick<Scenario, "need" | "begin">>;

/** A scenario from what the test chose. `defaults` is the scope that the failure has by nature. */
export function scenario(
  name: string,
  options: ScenarioOptions,
  defaults: RequestScope,
  strike: Strike,
  { need, begin }: ScenarioExtras = {},
): Scenario {
  const { nth = 1, times = 1, lasting } = options;
  const scope = { ...defaults, ...scopeOf(options) };
  return { name, scope, need, after: nth - 1, times, milliseconds: millisecondsOf(lasting), strike, begin };
}

function millisecondsOf(lasting: number | string | undefined): number {
  if (lasting === undefined) return Number.POSITIVE_INFINITY;
  return typeof lasting === "number" ? lasting : parseDurationMilliseconds(lasting);
}

const scopeNames = [
  "verb",
  "group",
  "resource",
  "subresource",
  "namespace",
  "name",
  "path",
  "user",
  "userAgent",
] as const satisfies readonly (keyof RequestScope)[];

/** What of a scenario's options says whom it strikes. */
export function scopeOf(options: RequestScope): RequestScope {
  const chosen = scopeNames.filter((name) => options[name] !== undefined);
  return Object.fromEntries(chosen.map((name) => [name, options[name]]));
}

/** The query of a request that was noted down. */
export function queryOf({ target }: LoggedRequest): URLSearchParams {
  const mark = target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
}

/** The pieces of a body, one after the other. */
export async function* piecesOf(body: ApiResponseBody): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

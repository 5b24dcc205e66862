import type { Clock } from "../apimachinery/clock.ts";
import type { ApiResponse, ApiResponseBody } from "../request/handler.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { RequestScope } from "./request-matcher.ts";

/** An answer before the server adds what every answer has. */
export type StruckAnswer = ApiResponse;

/** The server as a fault finds it. */
export interface StruckServer {
  /** Who asks for what. */
  readonly request: LoggedRequest;
  readonly query: URLSearchParams;
  readonly clock: Clock;
  /** The newest resourceVersion. */
  readonly revision: () => number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Lets the server answer. Ask it once at most. */
  readonly answer: () => Promise<StruckAnswer>;
  /** Forgets history: every resourceVersion that a client knows by now is too old. */
  readonly expireHistory: () => void;
  /** Has somebody else write the object that the request is about, as if between the client's read and this request. */
  readonly raceWriter: () => Promise<void>;
}

/**
 * What a fault does to a request: changes the state that the server answers from, changes the answer, or answers itself.
 * It may throw a StatusError, which the client gets in its own format.
 */
export type Strike = (server: StruckServer) => Promise<StruckAnswer>;

/** A failure that a test can put in force. */
export interface Scenario {
  /** What failure pages and messages call it. */
  readonly name: string;
  /** Whom it strikes. */
  readonly scope: RequestScope;
  /** How many matching requests pass before the first is struck. */
  readonly after: number;
  /** How many requests it strikes before it is over. */
  readonly times: number;
  readonly strike: Strike;
}

/** What every scenario lets a test choose. */
export interface ScenarioOptions extends RequestScope {
  /** Only the n-th matching request and those after it are struck, counted from 1. Default: 1. */
  readonly nth?: number;
  /** How many requests are struck before the failure is over. Default: 1, so that the way back is tested as well. */
  readonly times?: number;
}

/** A scenario from what the test chose. `defaults` is the scope that the failure has by nature. */
export function scenario(
  name: string,
  options: ScenarioOptions,
  defaults: RequestScope,
  strike: Strike,
): Scenario {
  const { nth = 1, times = 1 } = options;
  return { name, scope: { ...defaults, ...scopeOf(options) }, after: nth - 1, times, strike };
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

function scopeOf(options: ScenarioOptions): RequestScope {
  const chosen = scopeNames.filter((name) => options[name] !== undefined);
  return Object.fromEntries(chosen.map((name) => [name, options[name]]));
}

/** The pieces of a body, one after the other. */
export async function* piecesOf(body: ApiResponseBody): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

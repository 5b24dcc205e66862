import type { Clock } from "../apimachinery/clock.ts";
import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { StatusError } from "../apimachinery/errors/errors.ts";
import type { ApiResponse, ApiResponseBody, HeaderLookup } from "../request/handler.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import { checkFailureOptions, type FailureDefinition } from "./failure-definition.ts";
import type { AnswerOptions } from "./interventions.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { OpenWatches } from "./open-watches.ts";
import type { ReplicaView } from "./replica-view.ts";
import type { RequestScope } from "./request-matcher.ts";
import { type ScenarioOptions, scopeOf } from "./scenario-options.ts";
import type { WatchFormat } from "./watch-format.ts";

/** What a fault knows about the request it strikes, and what it can have the server do. */
export interface FaultContext {
  /** The request and its user. */
  readonly request: LoggedRequest;
  readonly query: URLSearchParams;
  readonly headers: HeaderLookup;
  readonly clock: Clock;
  /** The newest resourceVersion. */
  readonly revision: () => number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Lets the server answer. Call it at most once. */
  readonly answer: (options?: AnswerOptions) => Promise<ApiResponse>;
  /** The server's refusal of a user without permission. */
  readonly forbidden: () => StatusError;
  /**
   * Makes the credentials of the request expire, of whatever kind they are; the result makes them valid again. `refused` is called
   * for each request that is refused meanwhile. Undefined for a request without credentials.
   */
  readonly expireCredentials: ((refused: () => void) => () => void) | undefined;
  /** The state as it was this many revisions ago, or as far back as history goes. */
  readonly viewOf: (revisionsAgo: number) => ReplicaView;
  /** The open watches of clients. */
  readonly watches: OpenWatches;
  /** How a watch with this Content-Type encodes its events. */
  readonly watchFormat: (contentType: string) => Promise<WatchFormat>;
  /** Compacts history: every resourceVersion that a client knows is too old afterwards. */
  readonly expireHistory: () => void;
  /** The name that the server has for one that the test has masked; any other name as it is. */
  readonly real: (name: string) => string;
  /** The body of the request, which the server reads as well. */
  readonly body: () => Promise<Uint8Array>;
  /** The server's answer to this request for the newest state, without effects; for reads of one object. */
  readonly newest: () => Promise<ApiResponse>;
  /** Reports that the effect has reached the client: the request counts as a hit. */
  readonly struck: () => void;
  /** Reports that the effect cannot reach the client, and why, in a sentence: the request is a near miss. */
  readonly missed: (reason: string) => void;
  /**
   * Reports that the effect may come later, with `struck` or `missed`, for example in a stream; the reason says why it has
   * not come yet.
   */
  readonly waits: (reason: () => string) => void;
  /** Makes another client write the object of the request, as if between the client's read and this request. */
  readonly raceWriter: () => Promise<void>;
}

/**
 * What a fault does to a request: it changes the state the server answers from, changes the answer, or answers itself.
 * It may throw a StatusError, which the client receives in its own format, or a ConnectionFailure. An effect that does not
 * report whether it has reached the client counts as a hit when it settles, unless the server refused the request.
 */
export type FaultEffect = (server: FaultContext) => Promise<ApiResponse>;

/** A condition beyond the scope that a request must meet for the failure to affect it. */
export interface Need {
  /** Completes the sentence "it waits for a request ...". */
  readonly text: string;
  /** Says what a request that does not meet it would need: "it needs sendInitialEvents in its query". */
  readonly reason: string;
  readonly holds: (request: LoggedRequest, headers: HeaderLookup | undefined) => boolean;
}

/** A failure that a test can inject. */
export interface Scenario {
  /** Its name in the documentation and in messages. */
  readonly name: string;
  /** The requests it can strike. */
  readonly scope: RequestScope;
  readonly need: Need | undefined;
  /**
   * Says what a request lacks that the failure cannot affect, if that takes more than its headers; undefined if it lacks
   * nothing.
   */
  readonly lacks?:
    | ((
        server: Pick<FaultContext, "request" | "headers" | "body" | "expireCredentials">,
      ) => Promise<string | undefined>)
    | undefined;
  /** How many requests that it could affect pass before it strikes. */
  readonly after: number;
  /** How many requests it strikes. */
  readonly times: number;
  /** The longest time it stays in effect, in milliseconds on the cluster's clock. */
  readonly milliseconds: number;
  readonly effect: FaultEffect;
  /** What the failure accepts, and the options that it was given; messages show them as code. */
  readonly definition?: FailureDefinition;
  readonly options?: ScenarioOptions;
  /** What it waits for, as `the node node-1 to ...`, if it strikes no requests but the cluster itself. */
  readonly awaits?: string | undefined;
  /** Runs when it takes effect; the returned function runs when it is over. `struck` counts a hit. */
  readonly begin: ((cluster: ClusterControls, struck: () => void) => () => void) | undefined;
}

/** Members that only some failures have. */
export type ScenarioExtras = Partial<Pick<Scenario, "need" | "lacks" | "begin" | "scope" | "awaits">>;

/**
 * A scenario from a test's options.
 * @throws {Error} if the failure does not accept the options or cannot affect the verb
 */
export function scenario(
  name: string,
  definition: FailureDefinition,
  options: ScenarioOptions,
  effect: FaultEffect,
  { need, lacks, begin, awaits, scope: own = {} }: ScenarioExtras = {},
): Scenario {
  checkFailureOptions(name, definition, options);
  const { nth = 1, times = definition.times ?? 1, lasting } = options;
  const { without = [] } = definition;
  const given = Object.entries(scopeOf(options)).filter(([member]) => !without.some((one) => one === member));
  const scope = { ...definition.scope, ...Object.fromEntries(given), ...own };
  const milliseconds = millisecondsOf(lasting);
  return {
    name,
    scope,
    need,
    lacks,
    after: nth - 1,
    times,
    milliseconds,
    effect,
    begin,
    awaits,
    definition,
    options,
  };
}

function millisecondsOf(lasting: number | string | undefined): number {
  if (lasting === undefined) return Number.POSITIVE_INFINITY;
  return typeof lasting === "number" ? lasting : parseDurationMilliseconds(lasting);
}

/** The query of a logged request. */
export function queryOf({ target }: Pick<LoggedRequest, "target">): URLSearchParams {
  const mark = target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
}

/** The pieces of a body in order. */
export async function* piecesOf(body: ApiResponseBody): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

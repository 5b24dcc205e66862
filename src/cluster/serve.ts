import type { Clock } from "../apimachinery/clock.ts";
import { internalError, StatusError, unauthorized } from "../apimachinery/errors/errors.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { anonymous, type UserInfo } from "../apimachinery/user-info.ts";
import type {
  Authentication,
  AuthenticationNotes,
  Authenticator,
  Warn,
} from "../authentication/contract/authenticator.ts";
import { ImpersonationError, impersonationPrefix } from "../authentication/impersonation-error.ts";
import { AuthorizationError } from "../authorization/authorization-error.ts";
import type { Authorizer, Decision } from "../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { encodeJson } from "../codec/json/json.ts";
import { readBody } from "../codec/media-types/request-body.ts";
import { type EndpointResponse, plainText } from "../endpoints/contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import { bytesOf } from "../endpoints/contract/server-metrics.ts";
import { dispatch, respondError } from "../endpoints/dispatch.ts";
import { forbiddenRequest, sanitized } from "../endpoints/requests/forbidden-request.ts";
import { compressed } from "../endpoints/responses/compression.ts";
import { ConnectionFailure } from "../request/connection-failure.ts";
import type { ApiRequest, ApiResponse, Handler } from "../request/handler.ts";
import { KnownTargets, type ReadTarget } from "../request/known-targets.ts";
import type { Peer } from "../request/peer.ts";
import { noQuery, type QueryParameters, searchParamsOf } from "../request/query-parameters.ts";
import type { RequestContext } from "../request/request-context.ts";
import { UnresolvableRequestError } from "../request/request-info.ts";
import { MalformedTargetError } from "../request/request-target.ts";
import { rereadableRequest } from "../request/rereadable-request.ts";
import type { RoutedRequest } from "../request/routed-request.ts";
import { WarningRecorder } from "../request/warnings.ts";
import { WebSocketError } from "../request/web-socket-error.ts";
import type { AnswerOptions } from "../scenario/interventions.ts";
import type { OpenEntry } from "../scenario/logged-request.ts";
import { StartError } from "./contract/start-error.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import { dateHeader } from "./date-header.ts";
import type { Flow, FlowSchemas } from "./flow-schemas.ts";
import type { ImpersonatingRequest } from "./impersonated-user.ts";
import { malformedTarget } from "./malformed-target.ts";
import type { RequestObserver } from "./request-observer.ts";
import { type RequestsInFlight, tooManyRequestsInFlight } from "./requests-in-flight.ts";
import { withMessages } from "./web-socket-messages.ts";

/** The parts of the pipeline. */
export interface Pipeline {
  readonly environment: EndpointEnvironment;
  /** The environment for a response that a fault changes. */
  readonly environmentWith: (options: AnswerOptions) => EndpointEnvironment;
  readonly authenticate: Authenticator;
  /** The request without the headers that authentication consumes; undefined if all stay. */
  readonly authenticatedRequest: ((request: ApiRequest) => ApiRequest) | undefined;
  /** Whether a request without credentials is anonymous. */
  readonly isAnonymous: (peer: Peer, path: string) => boolean;
  readonly crossOrigin: CrossOrigin;
  readonly inFlight: RequestsInFlight;
  readonly authorize: Authorizer;
  readonly flowSchemas: FlowSchemas;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** Records requests and applies faults; undefined for the server's own clients. */
  readonly observer: RequestObserver | undefined;
  /** Resolves when the cluster holds its initial objects; undefined once it does. */
  readonly readiness: () => Promise<void> | undefined;
}

/** Facts about a request that the pipeline collects for response headers and metrics. */
interface Trace {
  readonly auditId: string;
  readonly entry: OpenEntry | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the request info is known; the filters before that set fewer headers. */
  isResolved: boolean;
  /** The headers for pages of other origins. */
  readonly crossOrigin: ReturnType<CrossOrigin>;
  /** Undefined until the first warning; most requests have none. */
  warnings: WarningRecorder | undefined;
  query: QueryParameters;
  flow: Flow | undefined;
  route: RoutedRequest | undefined;
}

type Answering = EndpointResponse | Promise<EndpointResponse>;

/**
 * The server as one function. A request passes through the stages in the order of this file. Each stage continues
 * synchronously where it can, because most requests wait for nothing and a dozen awaits would cost as much as a read.
 */
export function createHandler(pipeline: Pipeline): Handler {
  const dateOf = dateHeader();
  const targets = new KnownTargets();
  const { environment, observer, clock, newUid } = pipeline;
  return async (request, peer) => {
    // Nothing reads the id of a request of a part of the server.
    const isOwn = request.document !== undefined && observer === undefined;
    const auditId = isOwn ? "" : (request.headers.get("audit-id") ?? newUid());
    const now = clock.now();
    const entry = observer?.begin(request, peer, auditId, now);
    const trace: Trace = {
      auditId,
      entry,
      now,
      isResolved: false,
      crossOrigin: pipeline.crossOrigin(request),
      warnings: undefined,
      query: noQuery,
      flow: undefined,
      route: undefined,
    };
    let response: EndpointResponse;
    try {
      const target = targets.read(request.method, request.target);
      trace.isResolved = true;
      trace.query = target.query;
      const answering = answer(pipeline, request, peer, target, trace);
      response = answering instanceof Promise ? await answering : answering;
    } catch (error) {
      // A server that could not start has no answer: the error goes to its owner.
      if (error instanceof ConnectionFailure || error instanceof StartError) {
        trace.flow?.end();
        if (entry !== undefined) observer?.failed(entry);
        throw error;
      }
      if (error instanceof MalformedTargetError) {
        if (entry !== undefined) observer?.end(entry, malformedTarget, undefined, clock.now());
        return malformedTarget;
      }
      if (entry !== undefined && error instanceof StatusError) entry.refusal = error.status;
      response = await refuse(error, request, trace.query, environment);
    }
    const answeredAt = clock.now();
    if (entry !== undefined) observer?.end(entry, response, trace.route, answeredAt);
    const sending = compressed(request, response, environment.gates);
    const plain = sending instanceof Promise ? await sending : sending;
    if (trace.route !== undefined) {
      const [seconds, bytes] = [(answeredAt - now) / 1000, bytesOf(plain.body)];
      const { status: code, headers } = response;
      environment.metrics.countRequest(trace.route, { code, seconds, bytes, headers });
    }
    trace.flow?.end();
    const messages = withMessages(request, plain);
    const sent = messages instanceof Promise ? await messages : messages;
    return finish(request, sent, trace, dateOf(answeredAt));
  };
}

/** The status of a connection that another server has taken up. */
const switchingProtocols = 101;

/** The answer to a browser that asks whether a page may send a request. It comes before authentication. */
const preflight: EndpointResponse = { status: 204, headers: [], body: undefined };

/** @throws {StatusError} the refusal of the request */
function answer(
  pipeline: Pipeline,
  request: ApiRequest,
  peer: Peer,
  { path, query, info }: ReadTarget,
  trace: Trace,
): Answering {
  const { entry, now } = trace;
  const { observer } = pipeline;
  const remaining = pipeline.authenticatedRequest?.(request) ?? request;
  if (entry !== undefined) observer?.describe(entry, info);
  if (trace.crossOrigin !== undefined && request.method === "OPTIONS") return preflight;
  const warn = warnIn(trace, pipeline.environment.gates);
  const answerAs = (user: UserInfo): Answering => {
    trace.flow = pipeline.flowSchemas.flowOf(user, info);
    if (!pipeline.inFlight.admits(request, info, user)) return rejected(trace);
    const context: RequestContext = {
      request: (entry && observer?.recorded(entry, remaining)) ?? remaining,
      peer,
      info,
      path,
      query,
      user,
      now,
      warn,
      observe: observeIn(trace),
      notes: entry,
    };
    const fault = entry && observer?.faultOf(entry, request, peer);
    if (fault === undefined) return opened(context, pipeline, trace);
    const rereadable = rereadableRequest(context.request);
    return fault({
      query: searchParamsOf(query),
      headers: request.headers,
      signal: request.signal,
      body: () => readBody(rereadable),
      answer: async (options = {}) =>
        opened(
          { ...context, request: rereadableRequest(rereadable, options.headers) },
          { ...pipeline, environment: pipeline.environmentWith(options) },
          trace,
        ),
      forbidden: () => forbiddenRequest(user, info, ""),
    });
  };
  const answerTo = (authentication: Authentication, seconds: number): Answering => {
    const user = userOf(authentication, seconds, pipeline, () => pipeline.isAnonymous(peer, path));
    if (entry !== undefined) observer?.authenticated(entry, user);
    if (authentication.type === "authenticated") tell(authentication.notes, entry, warn);
    if (remaining.headers.startingWith(impersonationPrefix).length === 0) return answerAs(user);
    return impersonated({ user, request: remaining, info, entry }, pipeline).then(answerAs);
  };
  return after(pipeline.readiness(), () => {
    if (entry !== undefined) observer?.checkCredentials(entry, request, peer);
    return timed(pipeline.authenticate(request, peer, warn), pipeline.clock, answerTo);
  });
}

function rejected({ flow }: Trace): EndpointResponse {
  flow?.reject();
  return tooManyRequestsInFlight;
}

/** Adds warnings to the answer. Before 1.19, no answer has any. */
function warnIn(trace: Trace, gates: FeatureGates): Warn {
  return (text) => {
    if (!gates.since("1.19")) return;
    trace.warnings ??= new WarningRecorder();
    trace.warnings.add(text);
  };
}

/** Notes what the request was routed to. */
function observeIn(trace: Trace): RequestContext["observe"] {
  return (route) => {
    trace.route = route;
  };
}

/** Tells the client and the audit log about its credentials. */
function tell(notes: AuthenticationNotes | undefined, entry: OpenEntry | undefined, warn: Warn): void {
  if (notes === undefined) return;
  for (const warning of notes.warnings) warn(warning);
  if (entry !== undefined) entry.annotations = notes.annotations;
}

/** Continues with a value, synchronously if it is not a promise. */
function after<T>(value: T | Promise<T>, next: (value: T) => Answering): Answering {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The same, with the seconds of the clock that a promise took. */
function timed<T>(
  value: T | Promise<T>,
  clock: Clock,
  next: (value: T, seconds: number) => Answering,
): Answering {
  if (!(value instanceof Promise)) return next(value, 0);
  const start = clock.now();
  return value.then((settled) => next(settled, (clock.now() - start) / 1000));
}

/** The user that a request wants to be. Few do, so the code is loaded with the first. */
async function impersonated(request: ImpersonatingRequest, pipeline: Pipeline): Promise<UserInfo> {
  const { impersonatedUser } = await import("./impersonated-user.ts");
  return impersonatedUser(request, pipeline.authorize, pipeline.environment.gates);
}

/** The server's own answer, registered if it is an open watch. @throws what `admitted` throws */
function opened(context: RequestContext, pipeline: Pipeline, trace: Trace): Answering {
  const answering = admitted(context, pipeline, trace);
  const { entry } = trace;
  const { observer } = pipeline;
  if (entry === undefined || observer === undefined || entry.verb !== "watch") return answering;
  return after(answering, (response) => {
    const { route } = trace;
    const ended = route && response.status < 400 ? pipeline.environment.metrics.openWatch(route) : undefined;
    return observer.opened(entry, response, ended);
  });
}

/** Authorizes and dispatches a request. @throws {StatusError} forbidden, and the refusals of the endpoint */
function admitted(
  context: RequestContext,
  { authorize, clock, environment }: Pipeline,
  { entry }: Trace,
): Answering {
  const { user, info, request } = context;
  return timed(authorize({ user, info, request }), clock, (decision, seconds) => {
    environment.authorizationMetrics.countAttempt(decision, seconds);
    if (entry !== undefined) entry.decision = decision;
    if (decision.verdict !== "allow") throw refused(context, decision);
    return dispatch(context, environment);
  });
}

function refused({ user, info }: RequestContext, { reason, error }: Decision): Error {
  return error === undefined ? forbiddenRequest(user, info, reason) : new AuthorizationError(error);
}

/**
 * The user whom authentication found after so many seconds.
 * @throws {StatusError} unauthorized without credentials that an authenticator accepts, unless anonymous requests are allowed
 */
function userOf(
  authentication: Authentication,
  seconds: number,
  { environment: { authenticationMetrics: metrics } }: Pipeline,
  mayBeAnonymous: () => boolean,
): UserInfo {
  const { type } = authentication;
  if (type === "rejected" || (type === "noOpinion" && !mayBeAnonymous())) {
    metrics.countAttempt(type === "rejected" ? "error" : "failure", seconds);
    throw unauthorized();
  }
  const user = type === "authenticated" ? authentication.user : anonymous;
  metrics.countUser(user.name, seconds);
  return user;
}

/** The one place where an exception becomes an answer, including errors while that answer is written. */
async function refuse(
  error: unknown,
  request: ApiRequest,
  query: QueryParameters,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  try {
    return await refusal(error, request, query, environment);
  } catch (failure) {
    return plainStatus(statusErrorOf(failure));
  }
}

async function refusal(
  error: unknown,
  request: ApiRequest,
  query: QueryParameters,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (error instanceof UnresolvableRequestError) {
    return internalServerError(request, `failed to create RequestInfo: ${error.message}, ${request.target}`);
  }
  if (error instanceof ImpersonationError || error instanceof AuthorizationError) {
    return internalServerError(request, error.message);
  }
  const status = statusErrorOf(error);
  const response = await respondError(status, { request, query }, environment);
  const headers = [...response.headers, ...status.headers];
  return { ...response, headers, ...(status instanceof WebSocketError && { webSocket: status.webSocket }) };
}

/** Plain text, with nothing that a browser takes for HTML (apiserver, handlers/responsewriters/errors.go: InternalError). */
function internalServerError({ target }: ApiRequest, reason: string): EndpointResponse {
  return plainText(500, `${sanitized(`Internal Server Error: ${goQuote(target)}: ${reason}`)}\n`);
}

function statusErrorOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return internalError(messageOf(error));
}

/** A Status as JSON, encoded without the server's codecs. */
function plainStatus({ code, status }: StatusError): EndpointResponse {
  const body = new TextEncoder().encode(`${encodeJson(status)}\n`);
  return { status: code, headers: [["Content-Type", "application/json"]], body };
}

/** Adds the headers of every answer. */
function finish(
  request: ApiRequest,
  response: EndpointResponse,
  { auditId, isResolved, warnings, flow, crossOrigin }: Trace,
  date: string,
): ApiResponse {
  // The head of another server goes to the client as it is: the connection is theirs.
  if (response.status === switchingProtocols) return response;
  // A part of the server reads no headers.
  if (response.document !== undefined) return response;
  const headers: (readonly [string, string])[] = [["Audit-Id", auditId]];
  if (isResolved && !response.headers.some(isCacheControl)) headers.push(notCached);
  if (crossOrigin !== undefined) headers.push(...crossOrigin);
  for (const header of response.headers) headers.push(header);
  if (flow !== undefined) headers.push(flow.headers[0], flow.headers[1]);
  if (warnings !== undefined) for (const value of warnings.values) headers.push(["Warning", value]);
  headers.push(["Date", date]);
  const body = request.method === "HEAD" ? undefined : response.body;
  const { status, webSocket } = response;
  return webSocket === undefined ? { status, headers, body } : { status, headers, body, webSocket };
}

const notCached = ["Cache-Control", "no-cache, private"] as const;

function isCacheControl([name]: readonly [name: string, value: string]): boolean {
  return name === "Cache-Control";
}

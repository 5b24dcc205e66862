import { targetsBelow } from "../contract/base-url.ts";
import type { Served } from "../contract/served.ts";
import { Dispatch } from "./undici-dispatch.ts";
import { type DispatchHandler, handlerOf, type LegacyHandler } from "./undici-handler.ts";
import { type DispatchOptions, urlOf } from "./undici-request.ts";

/** The part of the client's own undici, version 7 or 8, that is used: its class of dispatchers. */
export interface UndiciModule<D> {
  readonly Dispatcher: new () => D;
}

export interface DispatcherOptions<D> {
  /** The URL of the cluster for clients. Default: every URL. */
  readonly origin?: string;
  /** The dispatcher for requests to other URLs. Default: none, and they fail. */
  readonly otherwise?: D;
}

/** The part of a dispatcher that clients call. */
interface Dispatching {
  dispatch(options: DispatchOptions, handler: DispatchHandler | LegacyHandler): boolean;
}

/** A dispatcher for undici's fetch, request, stream and pipeline that sends requests to a cluster in this process. */
export function createDispatcher<D extends object>(
  cluster: Served,
  undici: UndiciModule<D>,
  options: DispatcherOptions<D> = {},
): D {
  const { origin } = options;
  const targetOf = origin === undefined ? pathOf : targetsBelow(origin);
  // Every dispatcher has the method, but the types of the versions differ too much.
  const otherwise = options.otherwise as Dispatching | undefined;
  const running = new Set<Promise<void>>();
  const abortable = new Set<Dispatch>();
  let closed: Error | undefined;

  const dispatch = (request: DispatchOptions, handler: DispatchHandler | LegacyHandler): boolean => {
    const url = urlOf(request);
    const target = targetOf(url);
    if (target === undefined && otherwise !== undefined) return otherwise.dispatch(request, handler);
    const refusal = target === undefined ? new Error(`No cluster is configured for ${url}`) : closed;
    const call = new Dispatch(request, handlerOf(handler));
    const run = call.run(refusal ?? cluster.handler, target ?? "").then(() => {
      running.delete(run);
      abortable.delete(call);
    });
    running.add(run);
    abortable.add(call);
    return true;
  };
  const close = (...parameters: readonly unknown[]): Promise<void> | undefined => {
    closed ??= coded("UND_ERR_CLOSED", "The client is closed");
    return settled([...running], parameters);
  };
  const destroy = (...parameters: readonly unknown[]): Promise<void> | undefined => {
    const reason = parameters.find((parameter) => parameter instanceof Error);
    closed ??= coded("UND_ERR_DESTROYED", "The client is destroyed");
    for (const call of abortable) call.abort(reason ?? closed);
    return settled([...running], parameters);
  };
  return Object.assign(new undici.Dispatcher(), { dispatch, close, destroy });
}

function pathOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Undici's convention: a call with a callback returns no promise. */
function settled(
  running: readonly Promise<void>[],
  parameters: readonly unknown[],
): Promise<void> | undefined {
  const done = Promise.all(running).then(() => {});
  const callback = parameters.find((parameter) => typeof parameter === "function");
  if (callback === undefined) return done;
  void done.then(() => callback());
  return undefined;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

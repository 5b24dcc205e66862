import { AsyncLocalStorage } from "node:async_hooks";

/** What nock 14 makes of a request, to be found on the `this` of its reply functions. */
export interface NockRequest {
  readonly path: string;
  readonly method: string;
  headers: Readonly<Record<string, unknown>>;
  /** What nock makes of the reply; there once it has been handed on. */
  readonly res?: { emit(event: "data", piece: Buffer): unknown };
  once(event: "close", listener: () => void): unknown;
}

const arrived = new AsyncLocalStorage<Request>();
let users = 0;
let restoreClone = (): void => {};

/**
 * Has `arrivedRequest` know the Request that nock 14 was given: its own copy of it neither learns that the client has
 * left, nor does it hold the body as it came. The one thing nock does with the Request that can be seen is to clone
 * it, and what it does after that is done in the context of the clone. Undo it with the function returned.
 */
export function observeArrivals(): () => void {
  if (users++ === 0) {
    const { prototype } = Request;
    const original = Object.getOwnPropertyDescriptor(prototype, "clone") ?? {};
    const { clone } = prototype;
    const value = function cloneObserved(this: Request): Request {
      arrived.enterWith(this);
      return clone.call(this);
    };
    Object.defineProperty(prototype, "clone", { ...original, value });
    restoreClone = () => void Object.defineProperty(prototype, "clone", original);
  }
  return () => {
    if (--users === 0) restoreClone();
  };
}

/** The Request behind what a reply function was given. */
export function arrivedRequest(request: NockRequest): Request {
  const candidate = arrived.getStore();
  if (candidate?.method === request.method && candidate.url.endsWith(request.path)) return candidate;
  throw new Error("kubedouble answers requests of fetch, http.request and https.request only");
}

/** Keeps nock 14 from parsing a request body on behalf of reply functions: it throws when it is no JSON. */
export function hideContentType(request: NockRequest): void {
  const { "content-type": _, ...headers } = request.headers;
  request.headers = headers;
}

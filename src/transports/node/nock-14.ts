import { AsyncLocalStorage } from "node:async_hooks";

/** The request of nock 14, as it appears in `this` of its reply functions. */
export interface NockRequest {
  readonly path: string;
  readonly method: string;
  headers: Readonly<Record<string, unknown>>;
  /** The response of nock; set once the reply is passed on. */
  readonly res?: { emit(event: "data", piece: Buffer): unknown };
  once(event: "close", listener: () => void): unknown;
}

const arrived = new AsyncLocalStorage<Request>();
let users = 0;
let restoreClone = (): void => {};

/**
 * Lets `arrivedRequest` find the Request that nock 14 received: nock's own copy neither notices a disconnect nor keeps the
 * body unchanged. The only visible thing nock does with the Request is to clone it; everything after runs in the context
 * of that clone. The returned function undoes this.
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

/** The Request behind the argument of a reply function. */
export function arrivedRequest(request: NockRequest): Request {
  const candidate = arrived.getStore();
  if (candidate?.method === request.method && candidate.url.endsWith(request.path)) return candidate;
  throw new Error("kubedouble only answers requests of fetch, http.request and https.request");
}

/** Keeps nock 14 from parsing a request body for reply functions: it throws on invalid JSON. */
export function hideContentType(request: NockRequest): void {
  const { "content-type": _, ...headers } = request.headers;
  request.headers = headers;
}

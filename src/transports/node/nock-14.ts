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

/** Replaces `Request.prototype.clone` while at least one test double needs it. */
class ClonePatch {
  #users = 0;
  #original: PropertyDescriptor = {};

  /** Returns a function that undoes the call. */
  install(): () => void {
    this.#users += 1;
    if (this.#users === 1) this.#replace(Request.prototype);
    return () => {
      this.#users -= 1;
      if (this.#users === 0) Object.defineProperty(Request.prototype, "clone", this.#original);
    };
  }

  #replace(prototype: Request): void {
    this.#original = Object.getOwnPropertyDescriptor(prototype, "clone") ?? {};
    const { clone } = prototype;
    const value = function cloneObserved(this: Request): Request {
      arrived.enterWith(this);
      return clone.call(this);
    };
    Object.defineProperty(prototype, "clone", { ...this.#original, value });
  }
}

const clonePatch = new ClonePatch();

/**
 * Lets `arrivedRequest` find the Request that nock 14 received: nock's own copy neither notices a disconnect nor keeps the
 * body unchanged. The only visible thing nock does with the Request is to clone it; everything after runs in the context
 * of that clone. The returned function undoes this.
 */
export function observeArrivals(): () => void {
  return clonePatch.install();
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

import type { ApiResponse } from "../request/handler.ts";
import { type PushedBody, pulled, pushedBody } from "../request/pushed-body.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher, type RequestScope, type RequestView } from "./request-matcher.ts";

/** The open watches of clients. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();
  #view: RequestView | undefined;

  /** Tests scopes on requests as they look in this way, from now on. */
  showAs(view: RequestView): void {
    this.#view = view;
  }

  /** Registers the answer to a watch until it ends; then `onEnd` is called. */
  track<A extends ApiResponse>(request: LoggedRequest, answer: A, onEnd: () => void): A {
    const { body } = answer;
    if (body === undefined || !(Symbol.asyncIterator in body)) return answer;
    const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
    const watch = new OpenWatch(request, contentType, pushedBody(body), () => {
      this.#open.delete(watch);
      onEnd();
    });
    this.#open.add(watch);
    return { ...answer, body: watch };
  }

  /** The watches whose requests match the scope, oldest first. */
  matching(scope: RequestScope): readonly OpenWatch[] {
    const matcher = new RequestMatcher(scope, this.#view);
    return [...this.#open].filter(({ request }) => matcher.matches(request));
  }
}

/** Receives each piece that a reader has received, and undefined at the end. */
type Observer = (piece: Uint8Array | undefined) => void;

/** An open watch of a client. It adds no cost per piece unless it is observed. */
export class OpenWatch implements PushedBody {
  readonly request: LoggedRequest;
  readonly contentType: string;
  readonly #source: PushedBody;
  readonly #onEnd: () => void;
  readonly #observers = new Set<Observer>();
  /** The piece that the reader took last. */
  #latest: Uint8Array | undefined;
  /** The error that breaks the watch off, until the reader receives it. */
  #breakage: Error | undefined;
  #isOver = false;

  constructor(request: LoggedRequest, contentType: string, source: PushedBody, onEnd: () => void) {
    this.request = request;
    this.contentType = contentType;
    this.#source = source;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return pulled(this);
  }

  get ended(): boolean {
    return this.#breakage === undefined && this.#source.ended;
  }

  get isUrgent(): boolean {
    return this.#source.isUrgent;
  }

  take(): Uint8Array | undefined {
    const breakage = this.#breakage;
    this.#breakage = undefined;
    if (breakage !== undefined) throw breakage;
    // A reader that asks for more has received everything before.
    const previous = this.#latest;
    if (previous !== undefined) for (const observer of this.#observers) observer(previous);
    this.#latest = this.#source.take();
    return this.#latest;
  }

  onReady(callback: () => void): void {
    this.#source.onReady(callback);
  }

  /** Ends it as its timeout would. */
  close(): void {
    this.#end();
    this.#source.close();
  }

  /** Breaks it off: its reader gets the error. */
  break(error: Error): void {
    if (this.#isOver) return;
    this.#breakage = error;
    this.close();
  }

  /** Calls the observer for each piece the reader receives from now on, until the returned function is called. */
  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    for (const observer of this.#observers) observer(undefined);
  }
}

import type { ApiResponse } from "../request/handler.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher, type RequestScope } from "./request-matcher.ts";

/** The open watches of clients. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();

  /** Registers the answer to a watch until it ends; then `onEnd` is called. */
  track<A extends ApiResponse>(request: LoggedRequest, answer: A, onEnd: () => void): A {
    const { body } = answer;
    if (body === undefined || !(Symbol.asyncIterator in body)) return answer;
    const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
    const watch = new OpenWatch(request, contentType, body[Symbol.asyncIterator](), () => {
      if (this.#open.delete(watch)) onEnd();
    });
    this.#open.add(watch);
    return { ...answer, body: watch };
  }

  /** The watches whose requests match the scope, oldest first. */
  matching(scope: RequestScope): readonly OpenWatch[] {
    const matcher = new RequestMatcher(scope);
    return [...this.#open].filter(({ request }) => matcher.matches(request));
  }
}

type Piece = IteratorResult<Uint8Array, unknown>;
/** Receives each piece that a reader has received, and undefined at the end. */
type Observer = (piece: Uint8Array | undefined) => void;

/** An open watch of a client. It adds no cost per piece unless it is observed. */
export class OpenWatch implements AsyncIterableIterator<Uint8Array> {
  readonly request: LoggedRequest;
  readonly contentType: string;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onEnd: () => void;
  readonly #observers = new Set<Observer>();
  /** The promise that the reader waits for or received last. */
  #latest: Promise<Piece> | undefined;

  constructor(
    request: LoggedRequest,
    contentType: string,
    source: AsyncIterator<Uint8Array>,
    onEnd: () => void,
  ) {
    this.request = request;
    this.contentType = contentType;
    this.#source = source;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Piece> {
    const previous = this.#latest;
    this.#latest = this.#source.next();
    // A reader that asks for more has received everything before.
    if (this.#observers.size > 0) this.#tell(previous);
    return this.#latest;
  }

  async return(): Promise<Piece> {
    this.#end();
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  /** Ends it as its timeout would. */
  close(): void {
    void this.return();
  }

  /** Breaks it off: its reader gets the error. */
  break(error: Error): void {
    this.#end();
    const broken = this.#source.throw === undefined ? this.#source.return?.() : this.#source.throw(error);
    void Promise.resolve(broken).catch(() => {});
  }

  /** Calls the observer for each piece the reader receives from now on, until the returned function is called. */
  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  #tell(given: Promise<Piece> | undefined): void {
    given?.then(
      ({ done, value }) => {
        if (!done) for (const observer of this.#observers) observer(value);
      },
      () => {},
    );
  }

  #end(): void {
    this.#onEnd();
    for (const observer of this.#observers) observer(undefined);
  }
}

import type { ApiResponse } from "../request/handler.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher, type RequestScope } from "./request-matcher.ts";

/** The watches that clients have open. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();

  /** The answer to a watch, which is known here until it ends; then `onEnd` is called. */
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

  /** Those whose requests are meant, the oldest first. */
  matching(scope: RequestScope): readonly OpenWatch[] {
    const matcher = new RequestMatcher(scope);
    return [...this.#open].filter(({ request }) => matcher.matches(request));
  }
}

type Piece = IteratorResult<Uint8Array, unknown>;
/** Gets each piece that a reader has been handed, and undefined at the end. */
type Observer = (piece: Uint8Array | undefined) => void;

/** A watch that a client has open. It adds nothing to what the source does for each piece, unless it is observed. */
export class OpenWatch implements AsyncIterableIterator<Uint8Array> {
  readonly request: LoggedRequest;
  readonly contentType: string;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onEnd: () => void;
  readonly #observers = new Set<Observer>();
  /** What the reader waits for, or was given last. */
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
    // Who asks for more has been handed what came before.
    if (this.#observers.size > 0) this.#tell(previous);
    return this.#latest;
  }

  async return(): Promise<Piece> {
    this.#end();
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  /** Ends it as if its time were over. */
  close(): void {
    void this.return();
  }

  /** Breaks it off: whoever reads meets the error. */
  break(error: Error): void {
    this.#end();
    const broken = this.#source.throw === undefined ? this.#source.return?.() : this.#source.throw(error);
    void Promise.resolve(broken).catch(() => {});
  }

  /** Tells of each piece that the reader is handed from now on, until the function returned is called. */
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

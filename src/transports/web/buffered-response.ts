import { type ResponseParts, responseOf } from "./web-response.ts";

/** Creates the response of fetch to a request for this URL. */
type Factory = (url: string, parts: ResponseParts) => Response;

let known: { readonly base: typeof Response; readonly create: Factory | undefined } | undefined;

/**
 * Creates responses that have no stream and no Headers until the client looks at them: both cost more than most answers.
 * Undefined where responses are not those of undici: other platforms read the body of a response behind its methods.
 */
export function bufferedResponses(): Factory | undefined {
  // Tests replace the global, for example with a polyfill.
  if (known?.base !== Response) known = { base: Response, create: usesAccessors() ? factory() : undefined };
  return known.create;
}

function usesAccessors(): boolean {
  return (
    typeof Reflect.get(globalThis, "process")?.versions?.undici === "string" &&
    Object.getOwnPropertyDescriptor(Response.prototype, "headers")?.get !== undefined
  );
}

/** Gives a response a URL: one that a constructor has made has none. */
export function withUrl(response: Response, url: string): Response {
  return Object.defineProperty(response, "url", { value: url });
}

/** What is overridden of a Response. The types of platforms differ in how they declare it. */
interface Readable {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Response["headers"];
  readonly body: Response["body"];
  readonly bodyUsed: boolean;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Not every platform has it. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  blob(): ReturnType<Response["blob"]>;
  formData(): ReturnType<Response["formData"]>;
  clone(): Response;
}

type ResponseClass = new (body: null, init: { status: number; statusText: string }) => Readable;

/** A body that one client may read. */
class BufferedBody {
  readonly bytes: Uint8Array;
  #isRead = false;
  /** The same answer as the platform creates it, with a stream. */
  #whole: Readable | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isUsed(): boolean {
    return this.#isRead || this.#whole?.bodyUsed === true;
  }

  get isStreamed(): boolean {
    return this.#whole !== undefined;
  }

  /** What `read` makes of the bytes for the only client that reads them; undefined for every other, and if there is a stream. */
  take<T>(read: (bytes: Uint8Array) => T): T | undefined {
    if (this.#isRead || this.isStreamed) return undefined;
    this.#isRead = true;
    return read(this.bytes);
  }

  /** The body has the stream of this response. If it has been read already, reading that fails in the platform's words. */
  streamed(parts: () => ResponseParts): Readable {
    if (this.#whole === undefined) {
      this.#whole = responseOf(parts()) as unknown as Readable;
      if (this.#isRead) void this.#whole.arrayBuffer();
    }
    return this.#whole;
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** Not every environment has the class that this one extends, so it is created when it is first needed. */
function headedResponse(): new (url: string, parts: ResponseParts) => Readable {
  return class extends (Response as unknown as ResponseClass) {
    readonly #url: string;
    /** The headers that those of the superclass do not have yet. */
    #pending: ResponseParts["headers"] | undefined;

    constructor(url: string, { status, statusText, headers }: ResponseParts) {
      super(null, { status, statusText });
      this.#url = url;
      this.#pending = headers;
    }

    override get url(): string {
      return this.#url;
    }

    override get headers(): Response["headers"] {
      const headers = super.headers;
      const pending = this.#pending;
      this.#pending = undefined;
      for (const [name, value] of pending ?? []) headers.append(name, value);
      return headers;
    }
  };
}

function factory(): Factory {
  const BufferedResponse = bufferedResponse();
  Object.defineProperty(BufferedResponse, "name", { value: "Response" });
  if (!("bytes" in Response.prototype)) Reflect.deleteProperty(BufferedResponse.prototype, "bytes");
  return (url, parts) => {
    if (parts.body === null) return withUrl(responseOf(parts), url);
    return new BufferedResponse(url, parts.body, parts) as unknown as Response;
  };
}

function bufferedResponse(): new (url: string, bytes: Uint8Array, parts: ResponseParts) => Readable {
  return class Buffered extends headedResponse() {
    readonly #body: BufferedBody;

    constructor(url: string, bytes: Uint8Array, parts: ResponseParts) {
      super(url, parts);
      this.#body = new BufferedBody(bytes);
    }

    override get body(): Response["body"] {
      return this.#streamed().body;
    }

    override get bodyUsed(): boolean {
      return this.#body.isUsed;
    }

    override async text(): Promise<string> {
      return this.#body.take(textOf) ?? this.#streamed().text();
    }

    override async json(): Promise<unknown> {
      const text = this.#body.take(textOf);
      return text === undefined ? this.#streamed().json() : JSON.parse(text);
    }

    override async arrayBuffer(): Promise<ArrayBuffer> {
      return this.#body.take(copyOf)?.buffer ?? this.#streamed().arrayBuffer();
    }

    override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
      return this.#body.take(copyOf) ?? this.#streamed().bytes();
    }

    override blob(): ReturnType<Response["blob"]> {
      return this.#streamed().blob();
    }

    override formData(): ReturnType<Response["formData"]> {
      return this.#streamed().formData();
    }

    override clone(): Response {
      if (this.#body.isUsed || this.#body.isStreamed) return withUrl(this.#streamed().clone(), this.url);
      return new Buffered(this.url, this.#body.bytes, this.#parts()) as unknown as Response;
    }

    #streamed(): Readable {
      return this.#body.streamed(() => this.#parts());
    }

    /** With what the client has changed in the headers. */
    #parts(): ResponseParts {
      const { status, statusText, headers } = this;
      return { status, statusText, headers: [...headers], body: this.#body.bytes };
    }
  };
}

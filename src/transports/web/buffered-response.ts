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

/** Not every environment has the class that this one extends, so it is created when it is first needed. */
function factory(): Factory {
  class BufferedResponse extends Response {
    static {
      Object.defineProperty(BufferedResponse, "name", { value: "Response" });
      if (!("bytes" in Response.prototype)) Reflect.deleteProperty(BufferedResponse.prototype, "bytes");
    }

    readonly #url: string;
    readonly #content: Uint8Array;
    /** The headers that those of the superclass do not have yet. */
    #pending: ResponseParts["headers"] | undefined;
    #isRead = false;
    /** The same answer as the platform creates it, with a stream. */
    #whole: Response | undefined;

    constructor(url: string, content: Uint8Array, { status, statusText, headers }: ResponseParts) {
      super(null, { status, statusText });
      this.#url = url;
      this.#content = content;
      this.#pending = headers;
    }

    override get url(): string {
      return this.#url;
    }

    override get headers(): Headers {
      const headers = super.headers;
      const pending = this.#pending;
      this.#pending = undefined;
      for (const [name, value] of pending ?? []) headers.append(name, value);
      return headers;
    }

    override get body(): Response["body"] {
      return this.#streamed().body;
    }

    override get bodyUsed(): boolean {
      return this.#isRead || this.#whole?.bodyUsed === true;
    }

    override async text(): Promise<string> {
      const bytes = this.#take();
      return bytes === undefined ? this.#streamed().text() : new TextDecoder().decode(bytes);
    }

    override async json(): Promise<unknown> {
      const bytes = this.#take();
      return bytes === undefined ? this.#streamed().json() : JSON.parse(new TextDecoder().decode(bytes));
    }

    override async arrayBuffer(): Promise<ArrayBuffer> {
      const bytes = this.#take();
      return bytes === undefined ? this.#streamed().arrayBuffer() : new Uint8Array(bytes).buffer;
    }

    override async bytes(): ReturnType<Response["bytes"]> {
      const bytes = this.#take();
      return bytes === undefined ? this.#streamed().bytes() : new Uint8Array(bytes);
    }

    override blob(): Promise<Blob> {
      return this.#streamed().blob();
    }

    override formData(): Promise<FormData> {
      return this.#streamed().formData();
    }

    override clone(): Response {
      if (!this.#isRead && this.#whole === undefined) {
        return new BufferedResponse(this.#url, this.#content, this.#parts());
      }
      return withUrl(this.#streamed().clone(), this.#url);
    }

    /** The body for the only client that reads it, and undefined for every other. */
    #take(): Uint8Array | undefined {
      if (this.bodyUsed || this.#whole !== undefined) return undefined;
      this.#isRead = true;
      return this.#content;
    }

    /** If the body has been read already, reading this response fails in the platform's words. */
    #streamed(): Response {
      if (this.#whole === undefined) {
        this.#whole = responseOf(this.#parts());
        if (this.#isRead) void this.#whole.arrayBuffer();
      }
      return this.#whole;
    }

    /** With what the client has changed in the headers. */
    #parts(): ResponseParts {
      const { status, statusText, headers } = this;
      return { status, statusText, headers: [...headers], body: this.#content };
    }
  }
  return (url, parts) =>
    parts.body === null ? withUrl(responseOf(parts), url) : new BufferedResponse(url, parts.body, parts);
}

/** Gives a response a URL: one that a constructor has made has none. */
export function withUrl(response: Response, url: string): Response {
  return Object.defineProperty(response, "url", { value: url });
}

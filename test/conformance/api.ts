import { type Client, header, type Received, type Sent, whole } from "../transports/clients.ts";
import { clientBehindMasks, identifiers } from "./masked-names.ts";

/** The fields of an object that these tests read; other fields are present, too. */
export interface Answered {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Answered[];
  readonly data?: { readonly [key: string]: string };
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: Answered;
}

export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body as JSON; throws if it is not JSON. */
  readonly object: Answered;
}

export interface AskOptions {
  /** An object, sent as JSON, or bytes of the media type that the headers name. */
  readonly body?: object | Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An open watch, event by event. */
export interface OpenWatch {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The next event; undefined at the end of the stream. */
  next(): Promise<WatchEvent | undefined>;
  leave(): void;
}

/** The API as one user sees it through one client. */
export interface Api {
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  watch(path: string): Promise<OpenWatch>;
}

export function apiOf(connected: Client, token: string): Api {
  const client = identifiers === "svc" ? clientBehindMasks(connected) : connected;
  const send = (method: string, path: string, { body, headers = {} }: AskOptions = {}): Sent => {
    const bytes = body === undefined ? undefined : bytesOf(body);
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const all = { ...(token !== "" && { authorization: `Bearer ${token}` }), ...type, ...headers };
    return { method, path, headers: Object.entries(all), ...(bytes && { body: bytes }) };
  };
  return {
    ask: async (method, path, options) => answerOf(await client.open(send(method, path, options))),
    watch: async (path) => watchOf(await client.open(send("GET", path))),
  };
}

function bytesOf(body: object | Uint8Array | string): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

async function answerOf(received: Received): Promise<Answer> {
  const bytes = await whole(received);
  const text = new TextDecoder().decode(bytes);
  return {
    status: received.status,
    header: (name) => header(received, name),
    bytes,
    text,
    get object() {
      return JSON.parse(text);
    },
  };
}

function watchOf(received: Received): OpenWatch {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = "";
  return {
    status: received.status,
    contentType: header(received, "content-type"),
    next: async () => {
      while (lines.length === 0) {
        const piece = await received.next();
        if (piece === undefined) return undefined;
        const parts = (rest + decoder.decode(piece, { stream: true })).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      }
      return JSON.parse(lines.shift() ?? "");
    },
    leave: () => received.leave(),
  };
}

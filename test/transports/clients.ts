import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";

/** A request that a test sends. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
}

/** A response that a test receives: headers in lower case, repeated as often as the client shows them. */
export interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The next chunk of the body; undefined at its end. */
  next(): Promise<Uint8Array | undefined>;
  /** Disconnects without reading to the end. */
  leave(): void;
  /** Whether the server has asked HTTP/2 to use another connection. */
  isSentAway?(): boolean;
}

/** A client library behind a common interface. */
export interface Client {
  open(sent: Sent): Promise<Received>;
  /** Sends a request and disconnects before the response. */
  openAndLeave(sent: Sent, beforeLeaving: () => Promise<void>): Promise<void>;
  close?(): Promise<void> | void;
}

export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

export function fetchClient(fetch: FetchLike, base: string): Client {
  const open = async (sent: Sent, abort = new AbortController()): Promise<Received> => {
    const headers = new Headers();
    for (const [name, value] of sent.headers ?? []) headers.append(name, value);
    const response = await fetch(base + sent.path, {
      method: sent.method ?? "GET",
      headers,
      signal: abort.signal,
      ...(sent.body && { body: new Uint8Array(sent.body) }),
    });
    const reader = response.body?.getReader();
    return {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      next: async () => (await reader?.read())?.value,
      leave: () => abort.abort(),
    };
  };
  return {
    open: (sent) => open(sent),
    openAndLeave: async (sent, beforeLeaving) => {
      const abort = new AbortController();
      const opened = open(sent, abort).then(
        () => Promise.reject(new Error("answered")),
        () => {},
      );
      await beforeLeaving();
      abort.abort();
      await opened;
    },
  };
}

/** The same, but it disconnects by canceling the body. */
export function cancelingFetchClient(fetch: FetchLike, base: string): Client {
  const client = fetchClient(fetch, base);
  return {
    ...client,
    open: async (sent) => {
      const response = await fetch(base + sent.path, {});
      const reader = response.body?.getReader();
      return {
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers],
        next: async () => (await reader?.read())?.value,
        leave: () => {
          reader?.cancel().catch(() => {});
        },
      };
    },
  };
}

export function nodeHttpClient(base: string, options: https.RequestOptions = {}): Client {
  const request = (sent: Sent): http.ClientRequest => {
    const module = base.startsWith("https") ? https : http;
    const { hostname, port } = new URL(base);
    const headers: Record<string, string[]> = {};
    for (const [name, value] of sent.headers ?? []) headers[name] = [...(headers[name] ?? []), value];
    if (sent.body) headers["content-length"] = [String(sent.body.byteLength)];
    return module.request({
      hostname,
      port,
      path: sent.path,
      method: sent.method ?? "GET",
      headers,
      ...options,
    });
  };
  return {
    open: async (sent) => {
      const outgoing = request(sent);
      outgoing.end(sent.body);
      // Rejects with an error of the request.
      const [incoming] = (await once(outgoing, "response")) as [http.IncomingMessage];
      outgoing.on("error", () => {});
      return {
        ...receivedFrom(incoming),
        status: incoming.statusCode ?? 0,
        statusText: incoming.statusMessage ?? "",
        headers: pairs(incoming.rawHeaders),
        leave: () => outgoing.destroy(),
      };
    },
    openAndLeave: async (sent, beforeLeaving) => {
      const outgoing = request(sent);
      outgoing.on("error", () => {});
      outgoing.end();
      await beforeLeaving();
      outgoing.destroy();
    },
  };
}

export function http2Client(base: string, ca: string): Client {
  const session = http2.connect(base, { ca });
  // A failed connection also fails its requests.
  session.on("error", () => {});
  let isSentAway = false;
  session.on("goaway", () => {
    isSentAway = true;
  });
  const request = (sent: Sent): http2.ClientHttp2Stream => {
    const headers: http2.OutgoingHttpHeaders = { ":path": sent.path, ":method": sent.method ?? "GET" };
    for (const [name, value] of sent.headers ?? []) {
      headers[name] = [...((headers[name] as string[] | undefined) ?? []), value];
    }
    const stream = session.request(headers, { endStream: sent.body === undefined });
    if (sent.body) stream.end(sent.body);
    return stream;
  };
  return {
    open: async (sent) => {
      const stream = request(sent);
      const [headers, , raw] = (await once(stream, "response")) as [
        http2.IncomingHttpHeaders,
        number,
        string[],
      ];
      stream.on("error", () => {});
      const { next } = receivedFrom(stream);
      let hasLeft = false;
      return {
        next: async () => {
          const piece = await next();
          if (piece !== undefined || hasLeft) return piece;
          if (!stream.closed) await once(stream, "close");
          // Node ends the streams of a lost connection as if they were complete.
          if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR)
            throw new Error(`reset: ${stream.rstCode}`);
          return undefined;
        },
        status: Number(headers[":status"]),
        statusText: "",
        headers: pairs(raw),
        leave: () => {
          hasLeft = true;
          stream.close(http2.constants.NGHTTP2_CANCEL);
        },
        isSentAway: () => isSentAway,
      };
    },
    openAndLeave: async (sent, beforeLeaving) => {
      const stream = request(sent);
      stream.on("error", () => {});
      await beforeLeaving();
      stream.close(http2.constants.NGHTTP2_CANCEL);
    },
    close: () => session.destroy(),
  };
}

/** The part of undici that the tests use, of either version. */
export type UndiciRequest = (
  url: string,
  options: Record<string, unknown>,
) => Promise<{
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array> & { destroy(): unknown; on(event: "error", listener: () => void): unknown };
}>;

/**
 * Options of an undici Agent that opens a connection for each request. nock 15 and MSW 3 replace sockets, and a socket that
 * undici's pool uses again occasionally reaches the network or closes.
 */
export const unpooled = { pipelining: 0 } as const;

export function undiciRequestClient(request: UndiciRequest, base: string, dispatcher: unknown): Client {
  const send = (sent: Sent, signal?: AbortSignal): ReturnType<UndiciRequest> =>
    request(base + sent.path, {
      method: sent.method ?? "GET",
      headers: (sent.headers ?? []).flat(),
      body: sent.body,
      dispatcher,
      signal,
    });
  return {
    open: async (sent) => {
      const response = await send(sent);
      response.body.on("error", () => {});
      const iterator = response.body[Symbol.asyncIterator]();
      return {
        status: response.statusCode,
        statusText: "",
        headers: Object.entries(response.headers).flatMap(([name, values]) =>
          [values ?? []].flat().map((value) => [name, value] as const),
        ),
        next: async () => (await iterator.next()).value,
        leave: () => response.body.destroy(),
      };
    },
    openAndLeave: async (sent, beforeLeaving) => {
      const abort = new AbortController();
      const opened = send(sent, abort.signal).then(
        () => Promise.reject(new Error("answered")),
        () => {},
      );
      await beforeLeaving();
      abort.abort();
      await opened;
    },
  };
}

/** Reads a body to its end. */
export async function whole(received: Received): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = await received.next();
    if (piece === undefined) return new Uint8Array(Buffer.concat(pieces));
    pieces.push(piece);
  }
}

/** All values of a header, joined as in the Fetch standard. */
export function header(received: Received, name: string): string | undefined {
  const values = received.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}

function receivedFrom(stream: AsyncIterable<Uint8Array>): Pick<Received, "next"> {
  const iterator = stream[Symbol.asyncIterator]();
  return { next: async () => (await iterator.next()).value };
}

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  const list: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) {
    list.push([(raw[index] ?? "").toLowerCase(), raw[index + 1] ?? ""]);
  }
  return list;
}

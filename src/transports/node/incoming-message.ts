import type { TLSSocket } from "node:tls";
import { concatenate } from "../../apimachinery/bytes.ts";
import { type ApiRequest, BodyTooLargeError, type HeaderLookup, type Seat } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { textFromWire } from "../contract/wire-text.ts";
import type { Exchange, Incoming } from "./exchange.ts";

/** The ApiRequest of Node's incoming message. */
export function requestFromIncomingMessage(
  exchange: Exchange,
  connection?: ApiRequest["connection"],
): ApiRequest {
  return new IncomingRequest(exchange, connection);
}

/** A class, because a getter in an object literal gives every object its own hidden class in V8. */
class IncomingRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderLookup;
  readonly connection: ApiRequest["connection"];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, connection: ApiRequest["connection"]) {
    const { message } = exchange;
    this.method = message.method ?? "";
    this.target = textFromWire(originForm(message));
    this.headers = new RawHeaders(message);
    this.connection = connection;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    return readBody(this.#exchange, limit);
  }

  pieces(): AsyncIterable<Uint8Array> {
    return this.#exchange.message;
  }

  occupy(seat: Seat): void {
    this.#exchange.occupy(seat);
  }
}

/** Path and query; proxy requests have an absolute URL instead. */
function originForm({ url = "", method }: Incoming): string {
  if (url.startsWith("/") || method === "CONNECT" || !/^https?:\/\//i.test(url)) return url;
  const path = url.indexOf("/", url.indexOf("//") + 2);
  return path === -1 ? "/" : url.slice(path);
}

/** The client's end of the connection. */
export function peerFromIncomingMessage({ socket }: Incoming): Peer {
  const remoteAddress = unmapped(socket.remoteAddress ?? "");
  return { origin: "port", remoteAddress, certificate: certificateOf(socket) };
}

/** An IPv4 address without the prefix that a dual-stack socket adds. */
function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

function certificateOf(socket: Incoming["socket"]): Peer["certificate"] {
  if (!isTls(socket)) return undefined;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const intermediates: Uint8Array[] = [];
  for (let next = certificate.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    intermediates.push(next.raw);
  }
  return { raw: certificate.raw, intermediates };
}

function isTls(socket: Incoming["socket"]): socket is TLSSocket {
  return "encrypted" in socket && socket.encrypted;
}

const none: readonly never[] = [];

/** Looks names up in Node's table if it has the value as it was sent, and otherwise in the raw list. */
class RawHeaders implements HeaderLookup {
  readonly #message: Incoming;

  constructor(message: Incoming) {
    this.#message = message;
  }

  get(name: string): string | undefined {
    const wanted = this.#wireName(name);
    // Node has made the table to read the head. It joins the values of headers that were sent more than once.
    const sent = this.#message.headers[wanted];
    if (sent === undefined) return undefined;
    if (typeof sent === "string" && !sent.includes(",")) return textFromWire(sent);
    const raw = this.#message.rawHeaders;
    for (let index = 0; index < raw.length; index += 2) {
      if (isNamed(raw[index], wanted)) return textFromWire(raw[index + 1] ?? "");
    }
    return undefined;
  }

  getAll(name: string): readonly string[] {
    const wanted = this.#wireName(name);
    const raw = this.#message.rawHeaders;
    const values: string[] = [];
    for (let index = 0; index < raw.length; index += 2) {
      if (isNamed(raw[index], wanted)) values.push(textFromWire(raw[index + 1] ?? ""));
    }
    return values;
  }

  startingWith(prefix: string): readonly (readonly [name: string, value: string])[] {
    const raw = this.#message.rawHeaders;
    let found: [string, string][] | undefined;
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] ?? "";
      // Most names differ in the first letter, in upper or lower case.
      if (prefix !== "" && (name.charCodeAt(0) | 0x20) !== prefix.charCodeAt(0)) continue;
      const lower = name.toLowerCase();
      if (!lower.startsWith(prefix)) continue;
      found ??= [];
      found.push([lower, textFromWire(raw[index + 1] ?? "")]);
    }
    return found ?? none;
  }

  #wireName(name: string): string {
    const wanted = name.toLowerCase();
    return wanted === "host" && this.#message.httpVersionMajor === 2 ? ":authority" : wanted;
  }
}

function isNamed(name: string | undefined, wanted: string): boolean {
  return name?.length === wanted.length && name.toLowerCase() === wanted;
}

function readBody(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const { message, bodyFailure } = exchange;
  return new Promise((resolve, reject) => {
    if (bodyFailure !== undefined) {
      reject(bodyFailure);
      return;
    }
    if (Number(message.headers["content-length"]) > limit) {
      reject(new BodyTooLargeError());
      return;
    }
    const pieces: Uint8Array[] = [];
    let total = 0;
    const settle = (): void => {
      exchange.onBodyFailure = undefined;
      message.off("data", take);
      message.off("end", finish);
      message.off("close", leave);
    };
    const fail = (failure: Error): void => {
      settle();
      reject(failure);
    };
    const take = (piece: Uint8Array): void => {
      total += piece.byteLength;
      if (total <= limit) {
        pieces.push(piece);
        return;
      }
      settle();
      message.pause();
      reject(new BodyTooLargeError());
    };
    const finish = (): void => {
      settle();
      resolve(concatenate(pieces, total));
    };
    const leave = (): void =>
      fail(new Error("The client closed the connection before its request was complete"));
    exchange.onBodyFailure = fail;
    message.on("data", take);
    message.on("end", finish);
    message.on("close", leave);
    if (message.destroyed && !message.readableEnded) leave();
  });
}

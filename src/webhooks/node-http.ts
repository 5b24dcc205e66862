import { parseIp } from "../apimachinery/ip.ts";
import { type IdentityCheck, identityError, type ShownCertificate } from "./server-identity.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import { WebhookError } from "./webhook-error.ts";

/**
 * The most bytes of an answer that are read, unless much was sent. Most reviews have a few hundred. Upstream has no limit, but stores no
 * object of more than 1.5 MiB, so a patch that this limit refuses makes none that can be stored.
 */
const longestAnswer = 8 * 1024 * 1024;

/** The answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  /** The header `Retry-After`; undefined without it. */
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

/** An answer that began and cannot be read to its end. */
export class UnreadAnswer extends Error {
  override readonly name = "UnreadAnswer";
}

/** What is used of Node's modules for HTTP; Deno and Bun have them too. */
interface NodeHttp {
  readonly request: (url: URL, options: object, answered: (response: NodeResponse) => void) => NodeRequest;
}

interface NodeRequest {
  on(event: "error", listener: (error: Error & { readonly code?: string }) => void): void;
  end(body: Uint8Array): void;
}

interface NodeResponse {
  readonly statusCode: number;
  readonly headers: { readonly [name: string]: string | undefined };
  on(event: "data", listener: (piece: Uint8Array) => void): void;
  on(event: "end", listener: () => void): void;
  on(event: "error", listener: (error: Error & { readonly code?: string }) => void): void;
  destroy(): void;
}

interface NodeTls {
  readonly checkServerIdentity: IdentityCheck;
}

interface NodeModules {
  (name: "node:tls"): NodeTls | undefined;
  (name: string): NodeHttp | undefined;
}

interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: NodeModules };
}

/** How a call goes on. */
interface PostProgress {
  readonly signal: AbortSignal;
  /** Called with the beginning of the answer. */
  readonly answers: () => void;
}

/**
 * Posts to a webhook of the cluster's owner, and to no other place: redirects are answers. Rejects with what the runtime throws, such as an
 * error with the code ECONNREFUSED, or with an UnreadAnswer. @throws {WebhookError} in a browser
 */
export function post(
  connection: WebhookConnection,
  body: Uint8Array,
  { signal, answers }: PostProgress,
): Promise<WebhookAnswer> {
  // The types of the core know no runtime.
  const { process } = globalThis as NodeGlobal;
  const http = process?.getBuiltinModule?.(`node:${connection.url.protocol.slice(0, -1)}`);
  if (http === undefined) {
    throw new WebhookError("this runtime cannot call webhooks at an address; give a function instead");
  }
  const tls = process?.getBuiltinModule?.("node:tls");
  const checkServerIdentity = (host: string, certificate: ShownCertificate) =>
    tls && identityError(connection.serverName ?? host, certificate, tls.checkServerIdentity);
  const options = { ...requestOptions(connection, body, signal), ...(tls && { checkServerIdentity }) };
  return new Promise((resolve, reject) => {
    const longest = Math.max(longestAnswer, 4 * body.byteLength);
    const request = http.request(connection.url, options, (response) => {
      answers();
      read(response, longest, resolve, reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

function requestOptions(connection: WebhookConnection, body: Uint8Array, signal: AbortSignal): object {
  const { authorities, serverName, verifiesServer, certificate, authorization } = connection;
  const { address, userAgent = "kube-apiserver", url, wire } = connection;
  return {
    method: "POST",
    signal,
    // A connection that stays open would keep the webhook of a test from closing.
    agent: false,
    headers: {
      Accept: "application/json, */*",
      "Content-Type": "application/json",
      "Content-Length": body.byteLength,
      "User-Agent": wire?.sent(userAgent) ?? userAgent,
      ...(address !== undefined && { Host: url.host }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    // Node prefers the hostname of the URL to a host.
    ...(address !== undefined && { hostname: address.host, port: address.port }),
    rejectUnauthorized: verifiesServer,
    ...(authorities !== undefined && { ca: authorities }),
    // An address is not sent as the name of the server.
    ...(serverName !== undefined && { servername: parseIp(serverName) === undefined ? serverName : "" }),
    ...(certificate !== undefined && { cert: certificate.certificate, key: certificate.key }),
  };
}

function read(
  response: NodeResponse,
  longest: number,
  resolve: (answer: WebhookAnswer) => void,
  reject: (error: unknown) => void,
): void {
  const pieces: Uint8Array[] = [];
  let length = 0;
  response.on("data", (piece) => {
    length += piece.byteLength;
    if (length <= longest) pieces.push(piece);
    else {
      reject(new UnreadAnswer(`the answer has more than ${longest} bytes`));
      response.destroy();
    }
  });
  // Go says the same of every connection that ends within an answer.
  response.on("error", () => reject(new UnreadAnswer("unexpected EOF")));
  response.on("end", () => {
    const { statusCode: status, headers } = response;
    const body = concatenated(pieces, length);
    resolve({ status, contentType: headers["content-type"] ?? "", retryAfter: headers["retry-after"], body });
  });
}

function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { checkOptions, type OptionTypes } from "../../apimachinery/option-checks.ts";
import { text } from "../../apimachinery/option-types.ts";
import { createAuthority } from "./certificates.ts";

/** What `createIssuer` returns. */
export interface ServedIssuer {
  readonly fetch: (
    url: string,
    request: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    },
  ) => Promise<Response>;
  moveTo(url: string): void;
}

export interface ServeIssuerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  readonly host?: string;
}

/** An issuer on a port. */
export interface IssuerServing {
  /** The URL of the issuer: `--oidc-issuer-url`. */
  readonly url: string;
  readonly port: number;
  /** PEM of the authority that certifies the port: the text of `--oidc-ca-file`. */
  readonly caCertificate: string;
  /** Frees the port. */
  close(): Promise<void>;
}

const optionTypes: OptionTypes = {
  port: {
    accepts: "a whole number from 0 to 65535",
    isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535,
  },
  host: text,
};

/** How large a form may be, in bytes. */
const largestForm = 64 * 1024;

/** Serves an issuer over https, with a certificate by a new authority. The issuer gets the URL of the port. */
export async function serveIssuer(
  issuer: ServedIssuer,
  options: ServeIssuerOptions = {},
): Promise<IssuerServing> {
  checkOptions("serveIssuer", options, optionTypes);
  const { port: wanted = 0, host = "127.0.0.1" } = options;
  const authority = createAuthority();
  const { key, certificate } = authority.issue({
    commonName: "issuer",
    usage: "server",
    hosts: ["localhost", "127.0.0.1", "::1", host],
  });
  let url = "";
  const server = createServer({ key, cert: certificate }, (message, response) => {
    answer(issuer, url, message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // It is a socket, not a pipe, so the address is not a path.
  const { port } = server.address() as AddressInfo;
  url = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  issuer.moveTo(url);
  return {
    url,
    port,
    caCertificate: authority.certificate,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { fetch }: ServedIssuer,
  url: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", headers } = message;
  const body = await formOf(message);
  if (body === undefined) {
    response.writeHead(413).end();
    return;
  }
  const contentType = headers["content-type"];
  // The path of a request is never taken for a host.
  const target = new URL(`${url}/${(message.url ?? "").replace(/^\/+/, "")}`);
  const answered = await fetch(target.href, {
    method,
    headers: contentType === undefined ? {} : { "content-type": contentType },
    ...(method === "POST" && { body }),
  });
  response.writeHead(answered.status, [...answered.headers].flat());
  response.end(Buffer.from(await answered.arrayBuffer()));
}

/** The body; undefined if it is too large. */
async function formOf(message: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    size += piece.length;
    if (size > largestForm) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

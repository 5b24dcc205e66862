import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { Readable } from "node:stream";

/** How a request to an issuer is sent. */
export interface IssuerRequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** PEM of the authorities that certify the issuer. Default: those of the host. */
  readonly certificateAuthority?: string;
}

/**
 * Fetches a document of an issuer over https, without redirects: `oidcFetch` of a cluster whose issuers have authorities of
 * their own.
 * @throws {Error} if the URL is not one of https, or the issuer cannot be reached or trusted
 */
export async function fetchFromIssuer(url: string, options: IssuerRequestOptions = {}): Promise<Response> {
  const { headers = {}, signal, certificateAuthority: ca } = options;
  const sent = request(url, {
    headers,
    agent: false,
    ...(signal !== undefined && { signal }),
    ...(ca !== undefined && { ca }),
  });
  sent.end();
  // `once` rejects with the error of the request.
  const [message]: IncomingMessage[] = await once(sent, "response");
  if (message === undefined) throw new Error(`no response from ${url}`);
  // Errors of the stream end the body; nothing else listens for them.
  message.on("error", () => {});
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, {
    status: message.statusCode ?? 502,
    statusText: message.statusMessage ?? "",
  });
}

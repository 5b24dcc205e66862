import { once } from "node:events";
import http2 from "node:http2";
import https from "node:https";
import type { Serving } from "../../src/transports/node/serve.ts";

/** How a client proves who it is. */
export interface Credentials {
  readonly token?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a test's own request
  readonly body: any;
}

/** Sends a request to a port with each version of HTTP. */
export const clients: readonly (readonly [
  version: string,
  ask: (serving: Serving, path: string, credentials: Credentials, sent?: object) => Promise<Answer>,
])[] = [
  ["HTTP/1.1", askHttp1],
  ["HTTP/2", askHttp2],
];

/** The user of a request to a port, or the status of the refusal. */
export async function whoIs(
  ask: (typeof clients)[number][1],
  serving: Serving,
  credentials: Credentials,
): Promise<unknown> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const { status, body } = await ask(serving, path, credentials, {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
  });
  return status === 201 ? body.status.userInfo : status;
}

function headersOf({ token, headers = {} }: Credentials): Record<string, string> {
  return { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
}

function tlsOf(serving: Serving, { certificate }: Credentials) {
  return { ca: serving.caCertificate, cert: certificate?.certificate, key: certificate?.key };
}

async function askHttp1(
  serving: Serving,
  path: string,
  credentials: Credentials,
  sent?: object,
): Promise<Answer> {
  const request = https.request(`${serving.url}${path}`, {
    method: sent === undefined ? "GET" : "POST",
    headers: { ...headersOf(credentials), "content-type": "application/json" },
    agent: false,
    ...tlsOf(serving, credentials),
  });
  request.end(sent === undefined ? undefined : JSON.stringify(sent));
  const [response] = await once(request, "response");
  return { status: response.statusCode, body: parsed(await textOf(response)) };
}

async function askHttp2(
  serving: Serving,
  path: string,
  credentials: Credentials,
  sent?: object,
): Promise<Answer> {
  const session = http2.connect(serving.url, tlsOf(serving, credentials));
  try {
    const stream = session.request({
      ":path": path,
      ":method": sent === undefined ? "GET" : "POST",
      "content-type": "application/json",
      ...headersOf(credentials),
    });
    stream.end(sent === undefined ? undefined : JSON.stringify(sent));
    const [headers] = await once(stream, "response");
    return { status: headers[":status"], body: parsed(await textOf(stream)) };
  } finally {
    session.close();
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { type Address, shownAddress } from "../../webhooks/address.ts";
import { connectionProblem } from "../../webhooks/connection-problem.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "./remote-server.ts";
import { drained, type UpgradedSocket, upgradedConnection } from "./upgraded-connection.ts";

/** The certificate of this server for other servers, and its key, both PEM. */
export interface ProxyCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** How a server at an address is reached and trusted. */
export interface HttpsServer {
  /** Where it listens. */
  readonly address: Address;
  /** Default: HTTPS. */
  readonly scheme?: "http" | "https";
  /** The name in its certificate. */
  readonly serverName: string;
  /** PEM of the authorities that are trusted; undefined for those of the system. */
  readonly authorities: string | undefined;
  readonly verifiesServer: boolean;
  readonly certificate: ProxyCertificate | undefined;
}

/** What is used of Node's modules for HTTP and HTTPS; Deno and Bun have it too. */
interface NodeHttps {
  readonly request: (options: object, answered: (response: NodeResponse) => void) => NodeRequest;
}

interface NodeRequest {
  on(event: "error", listener: (error: Error) => void): void;
  on(
    event: "upgrade",
    listener: (response: NodeResponse, socket: UpgradedSocket, head: Uint8Array) => void,
  ): void;
  on(event: "drain" | "close", listener: () => void): void;
  write(piece: Uint8Array): boolean;
  off(event: "drain" | "close", listener: () => void): void;
  end(): void;
}

interface NodeResponse extends AsyncIterable<Uint8Array> {
  readonly statusCode: number;
  readonly rawHeaders: readonly string[];
}

interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => NodeHttps | undefined };
}

/** The server at an address. Its answers stream. */
export function httpsServer(server: HttpsServer): RemoteServer {
  return (request) => {
    // The types of the core know no runtime.
    const { process } = globalThis as NodeGlobal;
    const https = process?.getBuiltinModule?.(`node:${server.scheme ?? "https"}`);
    if (https === undefined) {
      throw new Error("this runtime cannot reach an address; give a function instead");
    }
    return send(https, server, request);
  };
}

function send(https: NodeHttps, server: HttpsServer, request: RemoteRequest): Promise<RemoteResponse> {
  return new Promise((resolve, reject) => {
    const sent = https.request(requestOptions(server, request), (response) => {
      const { statusCode: status, rawHeaders } = response;
      resolve({ status, headers: pairsOf(rawHeaders), body: response });
    });
    const { connection } = request;
    if (connection !== undefined) {
      sent.on("upgrade", ({ statusCode: status, rawHeaders }, socket, head) => {
        resolve({ status, headers: pairsOf(rawHeaders), body: upgradedConnection(socket, head, connection) });
      });
    }
    sent.on("error", (error) =>
      reject(new Error(connectionProblem(error, shownAddress(server.address)).text)),
    );
    write(sent, request.body).catch(reject);
  });
}

function requestOptions(server: HttpsServer, { method, url, host, headers, signal }: RemoteRequest): object {
  const { address, authorities, serverName, verifiesServer, certificate } = server;
  return {
    method,
    hostname: address.host,
    port: address.port,
    path: `${url.pathname}${url.search}`,
    headers: [...headers, ["Host", host]].flat(),
    signal,
    // A connection that stays open would keep the server of a test from closing.
    agent: false,
    servername: serverName,
    rejectUnauthorized: verifiesServer,
    ...(authorities !== undefined && { ca: authorities }),
    ...(certificate !== undefined && { cert: certificate.certificate, key: certificate.key }),
  };
}

/** Writes a body as fast as the server reads it. */
async function write(sent: NodeRequest, body: RemoteRequest["body"]): Promise<void> {
  if (body instanceof Uint8Array) sent.write(body);
  else if (body !== undefined) {
    for await (const piece of body) {
      if (sent.write(piece)) continue;
      await drained(sent);
    }
  }
  sent.end();
}

function pairsOf(raw: readonly string[]): RemoteResponse["headers"] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return pairs;
}

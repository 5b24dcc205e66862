import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { parseCertificate } from "../../src/apimachinery/x509/certificate.ts";
import { generalNames, subjectAlternativeNames } from "../../src/apimachinery/x509/certificate-extensions.ts";
import {
  distinguishedName,
  signedCertificate,
  unsignedCertificate,
} from "../../src/apimachinery/x509/certificate-writer.ts";
import { type Authority, createAuthority, type Issued } from "../../src/transports/node/certificates.ts";

/** A request that a webhook received. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
  readonly text: string;
}

/** A webhook on a port with TLS. */
export interface WebhookServer {
  readonly authority: Authority;
  /** Its address without a path. */
  readonly url: string;
  /** What it received, in order. */
  readonly received: readonly Received[];
  /** Answers the next requests. */
  answer: (request: Received, response: ServerResponse) => void;
  /** A kubeconfig that reaches it at this path. `user` are members of the user; `ca` is trusted instead of its authority. */
  kubeconfig(options?: { path?: string; user?: object; cluster?: object; ca?: string }): string;
  close(): Promise<void>;
}

const request = { commonName: "webhook", usage: "server", hosts: ["127.0.0.1"] } as const;

/** Starts a webhook with a certificate of its authority, for 127.0.0.1 unless there are other hosts. */
export async function startWebhook(hosts: readonly string[] = request.hosts): Promise<WebhookServer> {
  const authority = createAuthority();
  return listen(authority, authority.issue({ ...request, hosts }));
}

/** Starts a webhook with a certificate that names its authority as the issuer, and that somebody else has signed. */
export async function startRogueWebhook(): Promise<WebhookServer> {
  const authority = createAuthority();
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const content = unsignedCertificate({
    issuer: Buffer.from(parseCertificate(new X509Certificate(authority.certificate).raw).subject, "hex"),
    subject: distinguishedName({ commonName: "webhook" }),
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    extensions: [subjectAlternativeNames(generalNames(request.hosts))],
    notBefore: Date.UTC(2000),
    notAfter: Date.UTC(2099),
  });
  const certificate = signedCertificate(content, sign("sha256", content, privateKey));
  return listen(authority, {
    certificate,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  });
}

async function listen(authority: Authority, { certificate: cert, key }: Issued): Promise<WebhookServer> {
  const received: Received[] = [];
  const server = https.createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, url: path, headers } = request;
    // The server has TLS.
    const peer = (request.socket as import("node:tls").TLSSocket).getPeerCertificate();
    const text = Buffer.concat(pieces).toString();
    const seen = { method, path, headers, client: peer.subject?.CN?.toString(), text };
    received.push(seen);
    webhook.answer(seen, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A port has an address.
  const { port } = server.address() as AddressInfo;
  const webhook: WebhookServer = {
    authority,
    url: `https://127.0.0.1:${port}`,
    received,
    answer: (_request, response) => response.writeHead(500).end(),
    kubeconfig: ({ path = "/review", user = {}, cluster = {}, ca = authority.certificate } = {}) =>
      JSON.stringify({
        clusters: [
          {
            name: "c",
            cluster: {
              server: `https://127.0.0.1:${port}${path}`,
              "certificate-authority-data": btoa(ca),
              ...cluster,
            },
          },
        ],
        users: [{ name: "u", user }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return webhook;
}

/** Answers each review with a status, and with other members instead of those of the review. */
export function withStatus(status: object, members: object = {}): WebhookServer["answer"] {
  return ({ text }, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ ...JSON.parse(text), status, ...members }));
  };
}

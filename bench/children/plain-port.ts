import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from "node:http";
import { createServer as createSecureServer, request as requestSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { pod } from "../pod.ts";
import { serveMessages } from "./serve-messages.ts";

/** What plain Node needs to send the same as our server: it asks ours once for every target. */
interface Recorded {
  readonly headers: string[];
  readonly bytes: Buffer;
}

const [security = "", subject = "", token = ""] = process.argv.slice(2);
const recorded = new Map<string, Recorded>();
const objects = new Map<string, object>();
const watching = new Set<ServerResponse>();
let created: { metadata: object; spec?: object } = { metadata: {} };
let frame: Uint8Array = new Uint8Array();

/** Asks our server; the body of a watch is its first event. */
async function record(method: string, target: string, body?: object): Promise<Recorded> {
  const send = security === "tls" ? requestSecure : requestPlain;
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const type = { "Content-Type": "application/json" };
    const options = { method, headers: { ...headers, ...(body && type) }, rejectUnauthorized: false };
    send(subject + target, options, resolve)
      .on("error", reject)
      .end(body && JSON.stringify(body));
  });
  const pieces: Buffer[] = [];
  if (!target.includes("watch=")) for await (const piece of response) pieces.push(piece);
  else {
    response.once("data", (piece: Buffer) => {
      frame = piece;
      response.destroy();
    });
  }
  const kept = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && name !== "Transfer-Encoding" ? [name, all[index + 1] ?? ""] : [],
  );
  return { headers: kept, bytes: Buffer.concat(pieces) };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const target = request.url ?? "";
  if (request.method === "POST") {
    const pieces: Buffer[] = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => create(target, String(Buffer.concat(pieces)), response));
    return;
  }
  const { headers, bytes } = recorded.get(target) ?? missing();
  response.writeHead(200, headers);
  if (target.includes("watch=")) {
    response.flushHeaders();
    watching.add(response);
    request.socket.on("close", () => watching.delete(response));
  } else response.end(bytes);
}

/** The work that no server can avoid: parse the object, complete it, keep it, send it to the watchers and to its client. */
function create(target: string, text: string, response: ServerResponse): void {
  const sent = JSON.parse(text);
  const object = { ...created, ...sent, metadata: { ...created.metadata, ...sent.metadata } };
  if (created.spec !== undefined) object.spec = { ...created.spec, ...sent.spec };
  objects.set(`${target}/${object.metadata.name}`, object);
  const json = JSON.stringify(object);
  const event = Buffer.from(`{"type":"ADDED","object":${json}}\n`);
  for (const watcher of watching) watcher.write(event);
  response.writeHead(201, recorded.get("POST")?.headers ?? missing());
  response.end(Buffer.from(json));
}

function missing(): never {
  throw new Error("the reference has no such target");
}

function openServer() {
  if (security !== "tls") return createServer({ noDelay: true }, answer);
  const issued = createAuthority().issue({ commonName: "bench", usage: "server", hosts: ["127.0.0.1"] });
  return createSecureServer({ key: issued.key, cert: issued.certificate, noDelay: true }, answer);
}

const server = openServer();
// The clients wait while the other server is measured.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () =>
  serveMessages({
    // The server listens on a port, not on a pipe.
    port: () => (server.address() as AddressInfo).port,
    record: async (target) => {
      recorded.set(target, await record("GET", target));
    },
    recordCreate: async (target) => {
      const configMap = { metadata: { name: "event-record" }, data: { text: "x".repeat(500) } };
      const body = target.endsWith("/pods") ? pod("event-record") : configMap;
      const answered = await record("POST", target, body);
      recorded.set("POST", answered);
      created = JSON.parse(String(answered.bytes));
    },
    events: async (count) => {
      for (let index = 0; index < Number(count); index++) {
        for (const response of watching) response.write(frame);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  }),
);

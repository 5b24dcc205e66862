import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { peakMemory } from "../peak-memory.ts";
import { serveMessages } from "./serve-messages.ts";

/** The least that a server of objects does: JSON.parse, a Map, JSON.stringify. */
const objects = new Map<string, { metadata: { name: string } }>();

function answer({ method, url = "" }: IncomingMessage, text: string): unknown {
  const [path = ""] = url.split("?");
  if (method === "GET") return objects.get(path) ?? { kind: "List", items: [...objects.values()] };
  const sent = JSON.parse(text);
  const known = objects.get(path);
  const metadata = { ...known?.metadata, ...sent.metadata };
  const object = { ...known, ...sent, metadata };
  objects.set(method === "POST" ? `${path}/${metadata.name}` : path, object);
  return object;
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    const body = Buffer.from(JSON.stringify(answer(request, String(Buffer.concat(pieces)))));
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.byteLength });
    response.end(body);
  });
}

const { key, certificate: cert } = createAuthority().issue({
  commonName: "bench",
  usage: "server",
  hosts: ["127.0.0.1"],
});
const server = createServer({ key, cert, noDelay: true }, serve);
server.listen(0, "127.0.0.1", () =>
  serveMessages({
    // The server listens on a port, not on a pipe.
    port: () => (server.address() as AddressInfo).port,
    peak: () => peakMemory("self"),
  }),
);

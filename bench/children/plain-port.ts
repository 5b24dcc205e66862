import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveMessages } from "./serve-messages.ts";

/** What plain `node:http` needs to send the same as our server: a response, and the head and the events of a watch. */
const [answer = "", watch = "", event = ""] = process.argv.slice(2);
const [answerHead = "", body = ""] = answer.split("\r\n\r\n");
const answerHeaders = headersOf(answerHead);
const watchHeaders = headersOf(watch);
const bytes = Buffer.from(body);
const frame = Buffer.from(event);
const watching = new Set<ServerResponse>();

function headersOf(head: string): string[] {
  const lines = head.trim().split("\r\n").slice(1);
  return lines.filter((line) => !line.startsWith("Transfer-Encoding")).flatMap((line) => line.split(": "));
}

const server = createServer((request, response) => {
  if (!request.url?.includes("watch=")) {
    response.writeHead(200, answerHeaders);
    response.end(bytes);
    return;
  }
  response.writeHead(200, watchHeaders);
  response.flushHeaders();
  watching.add(response);
});
server.listen(0, "127.0.0.1", () =>
  serveMessages({
    // The server listens on a port, not on a pipe.
    port: () => (server.address() as AddressInfo).port,
    events: async (count) => {
      for (let index = 0; index < Number(count); index++) {
        for (const response of watching) response.write(frame);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  }),
);

import { expect, test } from "vitest";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import { open, started } from "../../../test/transports/serving.ts";
import { type ServeOptions, serve } from "./serve.ts";

class DashboardCluster extends FakeCluster {
  allowsOrigin(origin: string): boolean {
    return origin === "https://dashboard.test";
  }
}

async function answerTo(options: ServeOptions, head: string): Promise<string> {
  const cluster = new DashboardCluster();
  const serving = await serve(cluster, { tls: false, ...options });
  open.push(serving);
  const tls =
    serving.caCertificate === "" ? undefined : { ca: serving.caCertificate, servername: "localhost" };
  const connection = await RawConnection.open(serving.port, tls);
  connection.write(`${head.replaceAll("PORT", String(serving.port))}\r\n\r\n`);
  const answer = await connection.until(/\r\n\r\n[\s\S]*\n$/);
  connection.socket.destroy();
  if (answer.startsWith("HTTP/1.1 403")) expect(cluster.requests).toEqual([]);
  return answer;
}

const get = "GET /status/200 HTTP/1.1\r\nHost:";
const local = `${get} 127.0.0.1:PORT\r\n`;

test.each([
  ["an address", `${get} 127.0.0.1:PORT`],
  ["an address of another network", `${get} 192.168.1.7:8001`],
  ["an IPv6 address", `${get} [::1]:PORT`],
  ["localhost", `${get} LocalHost:PORT`],
  ["a name below localhost", `${get} cluster.localhost.`],
  ["a name of the API server", `${get} kubernetes.default.svc`],
  ["no name", "GET /status/200 HTTP/1.0"],
  ["a page of the same machine", `${local}Origin: http://localhost:5173\r\nSec-Fetch-Site: same-site`],
  ["a page of the server", `${local}Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: same-origin`],
  ["a page that the cluster allows", `${local}Origin: https://dashboard.test\r\nSec-Fetch-Site: cross-site`],
  ["a user who enters the address", `${local}Sec-Fetch-Site: none`],
])("a port without TLS answers requests for or from %s", async (_title, head) => {
  expect(await answerTo({}, head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test.each([
  ["a name that may be rebound", `${get} rebound.test:PORT`, 'The host "rebound.test"'],
  ["a name that contains localhost", `${get} localhost.rebound.test`, 'The host "localhost.rebound.test"'],
  ["a name that looks like an address", `${get} 127.0.0.1.rebound.test`, 'The host "127.0.0.1.rebound.test"'],
  ["a page of another site", `${local}Origin: https://evil.test`, 'The origin "https://evil.test"'],
  ["a page of another address", `${local}Origin: http://192.0.2.1:PORT`, 'The origin "http://192.0.2.1'],
  ["a page without origin", `${local}Origin: null`, 'The origin "null"'],
  ["two origins", `${local}Origin: http://localhost\r\nOrigin: https://evil.test`, "The origin"],
  ["an image or a link of another site", `${local}Sec-Fetch-Site: cross-site`, "A page of another site"],
  [
    "a WebSocket of another site",
    `${local}Origin: https://evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket`,
    'The origin "https://evil.test"',
  ],
  ["a tunnel", "CONNECT rebound.test:443 HTTP/1.1\r\nHost: rebound.test", 'The host "rebound.test"'],
])("a port without TLS refuses requests for or from %s", async (_title, head, subject) => {
  const answer = await answerTo({}, head);
  expect(answer).toMatch(
    /^HTTP\/1\.1 403 Forbidden\r\nContent-Type: text\/plain[^\r]*\r\nConnection: close\r\n/,
  );
  expect(answer.split("\r\n\r\n")[1]).toContain(subject);
  expect(answer).toMatch(
    /may not use this server, which runs without TLS(; --allowed-hosts \S+ or the option .*)?\.\n$/,
  );
});

test.each([
  ["a host", `${get} Proxy.test:80`],
  ["the origin of a page", `${local}Origin: https://proxy.test:8443\r\nSec-Fetch-Site: cross-site`],
])("allowedHosts allows %s", async (_title, head) => {
  expect(await answerTo({ allowedHosts: ["proxy.TEST"] }, head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test.each<[string, ServeOptions]>([
  ["with TLS", { tls: true }],
  ["on every address", { host: "0.0.0.0" }],
])("a port %s answers under every name", async (_title, options) => {
  expect(await answerTo(options, `${get} rebound.test\r\nOrigin: https://evil.test`)).toMatch(
    /^HTTP\/1\.1 200 OK/,
  );
});

test("the refusal of a long origin repeats only its beginning", async () => {
  const answer = await answerTo({}, `${local}Origin: https://${"x".repeat(100_000)}.test`);
  expect(answer).toMatch(/^HTTP\/1\.1 403/);
  expect(answer.length).toBeLessThan(1000);
});

test("allowedHosts must be a list", async () => {
  await expect(started({ tls: false, allowedHosts: "x" as unknown as string[] })).rejects.toThrow(
    "allowedHosts",
  );
});

import { once } from "node:events";
import http2 from "node:http2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { RawConnection } from "../transports/raw-connection.ts";

let cluster: Cluster;
let serving: Serving;
beforeAll(async () => {
  cluster = createCluster({ authorizationMode: "RBAC", tokens: { right: { name: "alice" } } });
  serving = await serve(cluster);
});
afterAll(async () => {
  await serving.close();
  await cluster.close();
});

const unauthorized =
  '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n';

/** The head and the body of the answer to a request with these header lines. */
async function answerTo(...lines: readonly string[]): Promise<{ head: string; body: string }> {
  const connection = await RawConnection.open(serving.port, {
    ca: serving.caCertificate,
    servername: "localhost",
  });
  connection.write(
    ["GET /api HTTP/1.1", "Host: localhost", "Connection: close", ...lines, "", ""].join("\r\n"),
  );
  const [head = "", body = ""] = (await connection.toEnd()).split("\r\n\r\n");
  return { head, body };
}

const lastUser = () => cluster.requests.all.at(-1)?.user;
const anonymous = "system:anonymous";
const extraSpace =
  'Warning: 299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"';

describe("a client with one right token", () => {
  test.each<[string, readonly string[], string]>([
    ["sends it", ["Authorization: Bearer right"], "alice"],
    ["writes the scheme in any case", ["aUTHORIZATION: bEARER right"], "alice"],
    ["adds more words", ["Authorization: Bearer right or wrong"], "alice"],
    ["adds spaces around it", ["Authorization:    Bearer right   "], "alice"],
    ["sends it first of two", ["Authorization: Bearer right", "Authorization: Bearer wrong"], "alice"],
    ["sends it second of two", ["Authorization: Bearer wrong", "Authorization: Bearer right"], "401"],
    ["sends two in one header", ["Authorization: Bearer right, Bearer right"], "401"],
    ["quotes it", ['Authorization: Bearer "right"'], "401"],
    ["sends another case of it", ["Authorization: Bearer RIGHT"], "401"],
    ["sends a part of it", ["Authorization: Bearer righ"], "401"],
    ["sends bytes that are no text", ["Authorization: Bearer right\xff"], "401"],
    ["separates it by a tab", ["Authorization: Bearer\tright"], anonymous],
    ["separates it by two spaces", ["Authorization: Bearer  right"], anonymous],
    ["sends no token", ["Authorization: Bearer"], anonymous],
    ["sends it in another scheme", ["Authorization: Basic right"], anonymous],
    ["sends an empty header", ["Authorization: "], anonymous],
    ["sends it in another header", ["X-Authorization: Bearer right"], anonymous],
    ["sends it without a scheme", ["Authorization: right"], anonymous],
  ])("%s", async (_what, lines, expected) => {
    const { head, body } = await answerTo(...lines);
    const statuses: Readonly<Record<string, number>> = { alice: 200, 401: 401, [anonymous]: 403 };
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${statuses[expected]} `));
    expect(lastUser()).toBe(expected === "401" ? "" : expected);
    if (expected === "401") expect(body).toBe(unauthorized);
    expect(head.includes(extraSpace)).toBe(lines[0]?.includes("  right") ?? false);
  });
});

test("a token of a megabyte is refused like any other, and a longer header not read", async () => {
  const token = "a".repeat(1_000_000);
  const { head, body } = await answerTo(`Authorization: Bearer ${token}`);
  expect([head.slice(0, 12), body]).toEqual(["HTTP/1.1 401", unauthorized]);
  const longer = await answerTo(`Authorization: Bearer ${token}${token}`);
  expect(longer.head).toMatch(/^HTTP\/1.1 431 /);
});

test("HTTP/2 refuses wrong tokens with the same body", async () => {
  const session = http2.connect(serving.url, { ca: serving.caCertificate });
  const stream = session.request({ ":path": "/api", authorization: "Bearer wrong" });
  const [headers] = await once(stream, "response");
  let body = "";
  for await (const piece of stream) body += piece;
  session.close();
  expect([headers[":status"], body]).toEqual([401, unauthorized]);
});

test("no log of a refused or an accepted request has its token", async () => {
  const secrets = ["right", "wrongbutsecret"];
  for (const secret of secrets) await answerTo(`Authorization: Bearer ${secret}`, "User-Agent: test");
  const logged = JSON.stringify([cluster.requests.all, cluster.requests.auditEvents({})]);
  for (const secret of secrets) expect(logged).not.toContain(secret);
  const refused = cluster.requests.auditEvents({}).at(-1);
  expect(refused).toMatchObject({
    stage: "ResponseStarted",
    user: {},
    responseStatus: { code: 401, message: "Authentication failed, attempted: bearer" },
  });
});

import { expect, test } from "vitest";
import { inProcessPeer } from "../../request/peer.ts";
import { plainRequest } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { proxyUpgrade } from "./proxied-upgrade.ts";
import type { RemoteRequest, RemoteServer } from "./remote-server.ts";

const target = "/apis/metrics.k8s.io/v1beta1/stream";
const token = "base64url.bearer.authorization.k8s.io.dG9rZW4";

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What a server sees of an offer with these headers, by name in lower case. */
async function offered(headers: Readonly<Record<string, string>>): Promise<RemoteRequest> {
  const seen: RemoteRequest[] = [];
  const server: RemoteServer = async (request) => {
    seen.push(request);
    return { status: 400, headers: [], body: undefined };
  };
  const request = plainRequest({ method: "GET", target, headers: new Map(Object.entries(headers)) });
  Object.assign(request, { connection: nothing });
  const user = { name: "alice", uid: "", groups: [], extra: {} };
  // `proxyUpgrade` reads nothing else.
  const context = { request, peer: inProcessPeer, user } as Partial<RequestContext> as RequestContext;
  const url = new URL(target, "https://s.n.svc");
  await proxyUpgrade(context, { server, url, host: "s.n.svc:443", hasUids: false });
  return seen[0] ?? expect.unreachable("nothing was sent");
}

test.each([
  [`${token}, v1.test`, ["v1.test"]],
  ["v1.test", ["v1.test"]],
  [token, []],
])("of the subprotocols %j, the server sees %j", async (sent, protocols) => {
  const { headers } = await offered({ upgrade: "websocket", "sec-websocket-protocol": sent });
  const seen = headers.filter(([name]) => name === "sec-websocket-protocol");
  expect(seen.map(([, value]) => value)).toEqual(protocols);
});

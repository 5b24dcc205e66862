import { expect, test } from "vitest";
import { inProcessPeer, type Peer } from "../request/peer.ts";
import { plainRequest } from "../request/plain-request.ts";
import { credentialsOf, ExpiredCredentials } from "./expired-credentials.ts";

const request = (...headers: (readonly [string, string])[]) =>
  plainRequest({ method: "GET", target: "/", headers: new Map(headers) });
const bearer = (token: string) => request(["authorization", `Bearer ${token}`]);
const socket = (token: string) =>
  request(
    ["upgrade", "websocket"],
    ["sec-websocket-protocol", `base64url.bearer.authorization.k8s.io.${btoa(token).replaceAll("=", "")}, x`],
  );
const peer = (...raw: readonly number[]): Peer => ({
  origin: "port",
  remoteAddress: "127.0.0.1",
  certificate: { raw: Uint8Array.from(raw), intermediates: [] },
});

/** What is refused after the credentials of a request have expired. */
function refusedAfter(...expired: Parameters<typeof credentialsOf>) {
  const credentials = new ExpiredCredentials();
  let count = 0;
  const end = credentials.expire(credentialsOf(...expired), () => {
    count += 1;
  });
  return { credentials, end, count: () => count };
}

test.each([
  ["the same token", bearer("a"), inProcessPeer, true],
  ["the same token in a subprotocol of a WebSocket", socket("a"), inProcessPeer, true],
  ["another token", bearer("b"), inProcessPeer, false],
  ["no credentials", request(), inProcessPeer, false],
  ["no token", request(["authorization", "Bearer  a"]), inProcessPeer, false],
  ["the token and a certificate", bearer("a"), peer(1), false],
  ["a certificate", request(), peer(1), false],
])("after a token has expired, %s", (_what, later, from, isRefused) => {
  const { credentials, count } = refusedAfter(bearer("a"), inProcessPeer);
  expect(credentials.refuse(later, from)).toBe(isRefused);
  expect(count()).toBe(isRefused ? 1 : 0);
});

test("a certificate expires with the token that came with it", () => {
  const { credentials } = refusedAfter(bearer("a"), peer(1, 2));
  expect(credentials.refuse(bearer("a"), peer(1, 2))).toBe(true);
  expect(credentials.refuse(request(), peer(1, 2))).toBe(true);
  expect(credentials.refuse(request(), peer(1, 3))).toBe(false);
});

test("credentials are valid again when it ends", () => {
  const { credentials, end } = refusedAfter(bearer("a"), inProcessPeer);
  expect(credentials.hasToken("a")).toBe(true);
  end();
  expect(credentials.hasToken("a")).toBe(false);
  expect(credentials.refuse(bearer("a"), inProcessPeer)).toBe(false);
  expect(credentials.isEmpty).toBe(true);
});

import { expect, test } from "vitest";
import { inProcessPeer } from "./peer.ts";

test("the peer of a request in process has neither an address nor a certificate", () => {
  expect(inProcessPeer).toEqual({ origin: "process", remoteAddress: "", certificate: undefined });
});

import { expect, test } from "vitest";
import { turn } from "../apimachinery/clock.ts";
import type { ApiResponse, Handler } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { plainRequest } from "../request/plain-request.ts";
import { Loopback } from "./loopback.ts";

const request = plainRequest({ method: "GET", target: "/version", headers: new Map() });

function answering(status: number): Handler {
  return async (): Promise<ApiResponse> => ({ status, headers: [], body: undefined });
}

test("requests that arrive before the server are answered once it accepts them, oldest first", async () => {
  const loopback = new Loopback();
  const answered: number[] = [];
  const early = [1, 2].map((id) => loopback.handler(request, inProcessPeer).then(() => answered.push(id)));
  await turn();
  expect(answered).toEqual([]);
  loopback.serve(answering(200));
  await Promise.all(early);
  expect(answered).toEqual([1, 2]);
});

test("later requests reach the server directly", async () => {
  const loopback = new Loopback();
  loopback.serve(answering(204));
  expect((await loopback.handler(request, inProcessPeer)).status).toBe(204);
});

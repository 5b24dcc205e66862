import { expect, test } from "vitest";
import { rereadableRequest } from "./rereadable-request.ts";

test("a request that can be read again reads its body once, with the first limit", async () => {
  const limits: number[] = [];
  const controller = new AbortController();
  const body = Uint8Array.of(1, 2);
  const headers = { get: () => "a", getAll: () => ["a"], startingWith: () => [] };
  const request = rereadableRequest({
    method: "POST",
    target: "/a",
    headers,
    signal: controller.signal,
    body: async (limit) => {
      limits.push(limit);
      return body;
    },
  });
  expect([await request.body(5), await request.body(9), limits]).toEqual([body, body, [5]]);
  expect([request.method, request.target, request.headers.get("x")]).toEqual(["POST", "/a", "a"]);
  expect(request.signal).toBe(controller.signal);
});

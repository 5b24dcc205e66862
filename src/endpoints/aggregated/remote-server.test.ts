import { describe, expect, test } from "vitest";
import { readResponseBody } from "../../request/plain-request.ts";
import { functionServer, type RemoteRequest } from "./remote-server.ts";

const request = (parts: Partial<RemoteRequest> = {}): RemoteRequest => ({
  method: "GET",
  url: new URL("https://s.n.svc/apis"),
  host: "s.n.svc:443",
  headers: [],
  body: undefined,
  connection: undefined,
  signal: new AbortController().signal,
  ...parts,
});
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a function in place of a server", () => {
  test("gets the request with all values of its headers", async () => {
    const serve = functionServer(async ({ method, url, headers, body, text }) => {
      expect([method, url, body]).toEqual(["DELETE", "https://s.n.svc/apis", null]);
      expect(text).toBeTypeOf("function");
      return new Response(headers.get("x-remote-group"), { status: 202, headers: { "X-A": "b" } });
    });
    const headers = [
      ["X-Remote-Group", "a"],
      ["X-Remote-Group", "b"],
    ] as const;
    const answer = await serve(request({ method: "DELETE", headers }));
    expect([answer.status, new Headers(answer.headers.map(([a, b]) => [a, b])).get("x-a")]).toEqual([
      202,
      "b",
    ]);
    expect(new TextDecoder().decode(await readResponseBody(answer.body))).toBe("a, b");
  });

  test("gets a body that has come whole, or as it comes", async () => {
    const serve = functionServer(async (sent) => new Response(await sent.text()));
    async function* pieces() {
      yield bytes("a");
      yield bytes("b");
    }
    for (const body of [bytes("ab"), pieces()]) {
      const answer = await serve(request({ method: "POST", body }));
      expect(new TextDecoder().decode(await readResponseBody(answer.body))).toBe("ab");
    }
  });

  test("ends the body of the client when it does not read on", async () => {
    const ended: string[] = [];
    async function* pieces() {
      try {
        for (;;) yield bytes("a");
      } finally {
        ended.push("ended");
      }
    }
    const serve = functionServer(async (sent) => {
      const reader = sent.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response();
    });
    await serve(request({ method: "POST", body: pieces() }));
    expect(ended).toEqual(["ended"]);
  });

  test("has no body to answer, or one that ends when the client leaves", async () => {
    expect((await functionServer(() => new Response())(request())).body).toBeUndefined();
    let isLeft = false;
    const stream = new ReadableStream({
      cancel: () => {
        isLeft = true;
      },
    });
    const { body } = await functionServer(() => new Response(stream))(request());
    if (body === undefined || !(Symbol.asyncIterator in body)) expect.unreachable("the body is a stream");
    await body[Symbol.asyncIterator]().return?.();
    expect(isLeft).toBe(true);
  });

  test("fails within a body whose pieces are no bytes", async () => {
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue("text") });
    const { body } = await functionServer(() => new Response(stream))(request());
    await expect(readResponseBody(body)).rejects.toThrow("the body of a Response has Uint8Arrays only");
  });

  test.each([
    ["throws", () => Promise.reject(new Error("EOF")), "EOF"],
    // A test may return anything.
    ["returns no Response", () => ({}) as Response, "the function returned no Response"],
    [
      "returns a network error",
      () => Response.error(),
      "the function returned a Response of a network error",
    ],
  ])("that %s fails", async (_title, serve, message) => {
    await expect(functionServer(serve)(request())).rejects.toThrow(message);
  });

  test("takes up no other protocol", async () => {
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    await expect(functionServer(() => new Response())(request({ connection: nothing() }))).rejects.toThrow(
      "a function cannot take up another protocol; give the Service an address instead",
    );
  });

  test("that does not answer is left when the client leaves, or has left", async () => {
    const serve = functionServer(() => new Promise<Response>(() => {}));
    const stop = new AbortController();
    const waiting = serve(request({ signal: stop.signal }));
    stop.abort();
    await expect(waiting).rejects.toThrow("context canceled");
    await expect(serve(request({ signal: stop.signal }))).rejects.toThrow("context canceled");
  });
});

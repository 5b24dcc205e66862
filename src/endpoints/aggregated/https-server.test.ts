import { EventEmitter, once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readResponseBody } from "../../request/plain-request.ts";
import { type HttpsServer, httpsServer } from "./https-server.ts";
import type { RemoteRequest } from "./remote-server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A request of Node's client, of which a test is the server. */
class FakeRequest extends EventEmitter {
  readonly written: string[] = [];
  isEnded = false;
  /** Whether the server takes more at once. */
  takesMore = true;

  write(piece: Uint8Array): boolean {
    this.written.push(new TextDecoder().decode(piece));
    return this.takesMore;
  }

  end(): void {
    this.isEnded = true;
    this.emit("ended");
  }
}

const place: HttpsServer = {
  address: { host: "127.0.0.1", port: 8443 },
  serverName: "s.n.svc",
  authorities: undefined,
  verifiesServer: true,
  certificate: undefined,
};
const request: RemoteRequest = {
  method: "POST",
  url: new URL("https://s.n.svc/a%20b?c=d"),
  host: "s.n.svc:443",
  headers: [["Accept", "text/plain"]],
  body: undefined,
  connection: undefined,
  signal: new AbortController().signal,
};

/** Sends a request by a client of which nothing leaves the process. */
function send(parts: Partial<RemoteRequest> = {}, server: Partial<HttpsServer> = {}) {
  const sent = new FakeRequest();
  const modules: string[] = [];
  const options: object[] = [];
  let answer: (response: object) => void = () => {};
  const client = {
    request: (given: object, answered: typeof answer) => {
      options.push(given);
      answer = answered;
      return sent;
    },
  };
  vi.spyOn(process, "getBuiltinModule").mockImplementation((name: string) => {
    modules.push(name);
    return client;
  });
  const response = httpsServer({ ...place, ...server })({ ...request, ...parts });
  return { sent, modules, options, response, answer: (response: object) => answer(response) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a request to a server at an address", () => {
  test("names the server, and says nothing of this one", () => {
    const { modules, options } = send();
    expect([modules, options]).toEqual([
      ["node:https"],
      [
        {
          method: "POST",
          hostname: "127.0.0.1",
          port: 8443,
          path: "/a%20b?c=d",
          headers: ["Accept", "text/plain", "Host", "s.n.svc:443"],
          signal: request.signal,
          agent: false,
          servername: "s.n.svc",
          rejectUnauthorized: true,
        },
      ],
    ]);
  });

  test("trusts the given authorities, and shows the given certificate", () => {
    const certificate = { certificate: "c", key: "k" };
    const { options } = send({}, { authorities: "ca", verifiesServer: false, certificate });
    expect(options).toMatchObject([{ ca: "ca", cert: "c", key: "k", rejectUnauthorized: false }]);
  });

  test("may go without TLS", () => {
    expect(send({}, { scheme: "http" }).modules).toEqual(["node:http"]);
  });

  test("needs a runtime that has connections", () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as unknown as object);
    expect(() => httpsServer(place)(request)).toThrow(
      "this runtime cannot reach an address; give a function instead",
    );
  });

  test.each([
    ["no body", () => undefined, []],
    ["bytes", () => bytes("all"), ["all"]],
    ["pieces", () => pieces("a", "b"), ["a", "b"]],
  ])("has %s, and ends", async (_title, body, written) => {
    const { sent } = send({ body: body() });
    if (!sent.isEnded) await once(sent, "ended");
    expect(sent.written).toEqual(written);
  });

  test("sends pieces no faster than the server reads them", async () => {
    const { sent } = send({ body: pieces("a", "b") });
    sent.takesMore = false;
    await untilWaiting(sent);
    expect([sent.written, sent.isEnded]).toEqual([["a"], false]);
    sent.emit("drain");
    await untilWaiting(sent);
    expect([sent.written, sent.isEnded]).toEqual([["a", "b"], false]);
    sent.emit("drain");
    await once(sent, "ended");
  });

  test("fails if its body does", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes("a");
      throw new Error("the client has gone");
    }
    await expect(send({ body: failing() }).response).rejects.toThrow("the client has gone");
  });

  test("fails with the message of Go's client", async () => {
    const { sent, response } = send();
    sent.emit("error", Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
    await expect(response).rejects.toThrow("dial tcp 127.0.0.1:8443: connect: connection refused");
  });
});

describe("the answer of a server at an address", () => {
  const rawHeaders = ["X-A", "1", "x-a", "2"];
  const headers = [
    ["X-A", "1"],
    ["x-a", "2"],
  ];

  test("has its headers as they came, and streams", async () => {
    const { answer, response } = send();
    const body = pieces("a", "b");
    answer(Object.assign(body, { statusCode: 418, rawHeaders }));
    expect(await response).toEqual({ status: 418, headers, body });
  });

  test("may take up another protocol, if the client offers its connection", async () => {
    const { sent, response } = send({ connection: pieces() });
    const ended = new EventEmitter();
    const socket = Object.assign(new EventEmitter(), {
      write: () => true,
      destroySoon: () => void ended.emit("ended"),
      [Symbol.asyncIterator]: () => pieces(" there"),
    });
    sent.emit("upgrade", { statusCode: 101, rawHeaders }, socket, bytes("hi"));
    const { body, ...rest } = await response;
    expect(rest).toEqual({ status: 101, headers });
    expect(new TextDecoder().decode(await readResponseBody(body))).toBe("hi there");
  });

  test("takes up no other protocol without a connection", () => {
    expect(send().sent.listenerCount("upgrade")).toBe(0);
  });
});

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

/** Lets the writer go on until it waits for the server. */
async function untilWaiting(sent: FakeRequest): Promise<void> {
  while (sent.listenerCount("drain") === 0) await new Promise(setImmediate);
}

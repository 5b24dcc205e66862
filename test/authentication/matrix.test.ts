import { setupServer } from "msw-2/node";
import nock from "nock-14";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { kubernetesHandlers } from "../../src/transports/web/msw.ts";
import { type Credentials, clients } from "./clients.ts";
import { createWorld, methods, type World } from "./methods.ts";

vi.mock("msw", () => import("msw-2"));
vi.mock("nock", () => import("nock-14"));

const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" };

/** The status and the parsed body of an answer to a review. */
type Ask = (credentials: Credentials) => Promise<{ readonly status: number; readonly body: unknown }>;

const world: World = createWorld();
const { cluster } = world;
let serving: Serving;
beforeAll(async () => {
  serving = await serve(cluster);
  // The first request loads the server, which takes long on a busy machine.
  await cluster.settle();
}, 120_000);
afterAll(async () => {
  await serving.close();
  await cluster.close();
});
beforeEach(() => {
  world.trust(world.authority);
  world.trustProxies(world.proxies);
});
afterEach(() => cluster.faults.check());

/** Sends the review with a function that has the signature of fetch. */
function fetching(fetch: (url: string, init: RequestInit) => Promise<Response>, origin: string): Ask {
  return async ({ token }) => {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(review),
    });
    return { status: response.status, body: await response.json() };
  };
}

// MSW and nock replace the global fetch while they listen.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);
const msw = setupServer();
nock.restore();

/** What intercepts requests while a transport is tested. */
interface Interception {
  readonly begin: () => void;
  readonly end: () => void;
}

let interception: { restore(): void } | undefined;
const intercepts: { readonly [transport: string]: Interception } = {
  MSW: {
    begin: () => {
      msw.listen({ onUnhandledRequest: "error" });
      // The types of versions are strangers to each other.
      msw.use(...(kubernetesHandlers(cluster, "https://msw.test") as never[]));
    },
    end: () => msw.close(),
  },
  nock: {
    begin: () => {
      nock.activate();
      interception = interceptKubernetes(cluster, "https://nock.test");
    },
    end: () => {
      interception?.restore();
      nock.restore();
    },
  },
};

const transports: readonly (readonly [name: string, ask: Ask])[] = [
  ...clients.map(
    ([version, ask]) =>
      [version, (credentials: Credentials) => ask(serving, path, credentials, review)] as const,
  ),
  ["fetch", fetching(cluster.fetch, "https://fetch.test")],
  ["MSW", fetching(globalFetch, "https://msw.test")],
  ["nock", fetching(globalFetch, "https://nock.test")],
];

const unauthorized = {
  status: 401,
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  },
};

describe.each(transports)("over %s", (transport, ask) => {
  const { begin, end } = intercepts[transport] ?? {};
  if (begin !== undefined) beforeAll(begin);
  if (end !== undefined) afterAll(end);
  const hasTls = transport.startsWith("HTTP");
  const known = Object.entries(methods).filter(([, { needsTls }]) => hasTls || !needsTls);

  describe.each(known)("%s", (_name, method) => {
    test("that is right names its user", async () => {
      expect(await ask(await method.right(world))).toMatchObject({
        status: 201,
        body: { status: { userInfo: { username: method.username } } },
      });
    });

    const refused = Object.entries({ wrong: method.wrong, expired: method.expired, revoked: method.revoked });
    for (const [state, credentials] of refused) {
      if (credentials === undefined) continue;
      test(`that is ${state} is refused`, async () => {
        expect(await ask(await credentials(world))).toEqual(unauthorized);
      });
    }
  });

  test("a request without credentials is anonymous", async () => {
    expect(await ask({})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('User "system:anonymous" cannot create resource') },
    });
  });
});

import { once } from "node:events";
import http from "node:http";
import * as msw from "msw-2";
import { setupServer } from "msw-2/node";
import { describe, expect, test, vi } from "vitest";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { mswFacts } from "../../../test/transports/msw-facts.ts";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import { createFetch } from "./fetch.ts";
import { kubernetesHandlers } from "./msw.ts";

vi.mock("msw", () => import("msw-2"));

const server = setupServer();
mswFacts(
  {
    listen: () => server.listen({ onUnhandledRequest: "bypass" }),
    // The types of versions are strangers to each other.
    use: (handlers) => server.use(...(handlers as never[])),
    close: () => server.close(),
    observe: (listener) => void server.events.on("response:mocked", ({ response }) => listener?.(response)),
  },
  kubernetesHandlers,
  {},
  // The client of `node:http` is given what comes whether it reads or not.
  { readsAhead: true },
);

describe("a connection that a fault resets", () => {
  class Unreachable extends FakeCluster {
    override readonly handler = () => Promise.reject(new ConnectionFailure("reset"));
  }

  test("is the cause of the error of fetch", async () => {
    server.use(...(kubernetesHandlers(new Unreachable(), "http://reset.test") as never[]));
    const error: unknown = await fetch("http://reset.test/api").catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      message: "Failed to fetch",
      cause: { code: "ECONNRESET", message: "read ECONNRESET" },
    });
  });

  test("is the error of node:http", async () => {
    server.use(...(kubernetesHandlers(new Unreachable(), "http://reset.test") as never[]));
    const [error] = await once(http.get("http://reset.test/api"), "error").catch((error: unknown) => [error]);
    expect(error).toMatchObject({ code: "ECONNRESET", message: "read ECONNRESET" });
  });
});

test("a handler written by hand passes the answers of a cluster's fetch on", async () => {
  const cluster = new FakeCluster();
  const answer = createFetch(cluster.handler);
  server.use(msw.http.all("http://by-hand.test/*", ({ request }) => answer(request)));
  const sent = await fetch("http://by-hand.test/echo", { method: "PUT", body: "hello" });
  expect([sent.status, sent.headers.get("X-Method"), await sent.text()]).toEqual([200, "PUT", "hello"]);
});

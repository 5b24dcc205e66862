import { Agent, request, fetch as undiciFetch } from "undici-7";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { undiciRequestClient } from "../../../test/transports/clients.ts";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { mswFacts } from "../../../test/transports/msw-facts.ts";
import { tooOldFor } from "../../../test/transports/too-old-for.ts";
import { transportFacts } from "../../../test/transports/transport-facts.ts";
import { serve } from "../node/serve.ts";

vi.mock("msw", () => import("msw-3"));

const tooOld = tooOldFor("MSW 3", 22);
if (tooOld !== undefined) {
  test.skip(tooOld, () => {});
} else {
  const { setupServer } = await import("msw-3/node");
  const { attach, kubernetesHandlers } = await import("./msw.ts");
  const server = setupServer();
  describe("MSW 3", () =>
    mswFacts(
      {
        listen: () => server.listen({ onUnhandledFrame: "bypass" }),
        use: (handlers) => server.use(...handlers),
        close: () => server.close(),
        observe: (listener) =>
          void server.events.on("response:mocked", ({ response }) => listener?.(response)),
      },
      kubernetesHandlers,
      // MSW 3 sends events to clients whether they read or not.
      { readsAhead: true },
      { readsAhead: true },
    ));

  describe("attach", () => {
    test("requires a listening MSW server", () => {
      expect(() => attach(new FakeCluster(), "https://cluster.test")).toThrow(
        "attach needs a listening server of MSW 3",
      );
    });

    describe("to a listening server", () => {
      beforeAll(() => server.listen({ onUnhandledFrame: "bypass" }));
      afterAll(() => server.close());

      for (const allowH2 of [false, true]) {
        const origin = `https://undici-${allowH2 ? "h2" : "h1"}.test`;
        transportFacts(
          `undici's request, an agent with${allowH2 ? "" : "out"} HTTP/2`,
          (cluster) => {
            attach(cluster, origin);
            const agent = new Agent({ allowH2, connect: { rejectUnauthorized: true, ca: "unused" } });
            return undiciRequestClient(request, origin, agent);
          },
          { readsAhead: true, joinsHeaders: true },
        );
      }

      test("sends one request, even if other handlers have the same origin", async () => {
        const cluster = new FakeCluster();
        // A port without a listener.
        const { port, close } = await serve(cluster, { tls: false });
        await close();
        const origin = `http://127.0.0.1:${port}`;
        server.use(...kubernetesHandlers(cluster, origin));
        const { detach } = attach(cluster, origin);
        expect((await fetch(`${origin}/status/201`)).status).toBe(201);
        expect((await undiciFetch(`${origin}/status/202`)).status).toBe(202);
        expect(cluster.requests).toHaveLength(2);
        detach();
        await expect(undiciFetch(`${origin}/status/202`)).rejects.toThrow("fetch failed");
        expect(cluster.requests).toHaveLength(2);
      });
    });
  });
}

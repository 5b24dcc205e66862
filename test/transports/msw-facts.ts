import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { kubernetesHandlers } from "../../src/transports/web/msw.ts";
import { cancelingFetchClient, fetchClient, nodeHttpClient, whole } from "./clients.ts";
import { decode, encode, FakeCluster } from "./fake-cluster.ts";
import { cancelFact, type Limits, transportFacts } from "./transport-facts.ts";

/** The methods of an MSW server that the tests use, of either version. */
export interface MswServer {
  listen(): void;
  use(handlers: ReturnType<typeof kubernetesHandlers>): void;
  close(): void;
  /** Listens for responses, which makes MSW copy each of them. */
  observe(listener?: (response: Response) => void): void;
}

const base = "https://cluster.test";
// MSW patches the global fetch when it listens.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

/** Checks the facts that hold for both versions of MSW. */
export function mswFacts(
  server: MswServer,
  handlers: typeof kubernetesHandlers,
  fetchLimits: Limits,
  httpLimits: Limits,
): void {
  beforeAll(() => server.listen());
  afterAll(() => server.close());
  const serving = (cluster: FakeCluster, origin = base): void => server.use(handlers(cluster, origin));

  describe.each(["unobserved", "observed"])("%s", (title) => {
    if (title === "observed") beforeAll(() => server.observe());

    const http = (path: string) => `http://${path}.test`;
    transportFacts(
      "global fetch",
      (cluster) => {
        serving(cluster, http("fetch"));
        return fetchClient(globalFetch, http("fetch"));
      },
      { refuses: ["TRACE"], joinsHeaders: true, ...fetchLimits },
    );
    transportFacts(
      "node:http",
      (cluster) => {
        serving(cluster, http("plain"));
        return nodeHttpClient(http("plain"));
      },
      { joinsHeaders: true, ...httpLimits },
    );
    transportFacts(
      "node:https",
      (cluster) => {
        serving(cluster);
        return nodeHttpClient(base);
      },
      { joinsHeaders: true, ...httpLimits },
    );
  });

  cancelFact((cluster) => {
    serving(cluster, "http://cancel.test");
    return cancelingFetchClient(globalFetch, "http://cancel.test");
  });

  test("requests for other origins are handled by their own handlers", async () => {
    const [cluster, other] = [new FakeCluster(), new FakeCluster()];
    serving(other, "http://other.test");
    serving(cluster, "http://some.test/k8s");
    expect((await globalFetch("http://some.test/k8s/status/201", {})).status).toBe(201);
    expect((await globalFetch("http://other.test/status/202", {})).status).toBe(202);
    expect(cluster.requests.map((request) => request.target)).toEqual(["/status/201"]);
    expect(other.requests.map((request) => request.target)).toEqual(["/status/202"]);
  });

  test("a clone of a stream ends without its bytes, and a clone of any other response is complete", async () => {
    const cluster = new FakeCluster();
    const copies: Promise<string>[] = [];
    server.observe((response) => copies.push(response.clone().text()));
    serving(cluster, "http://copy.test");
    const client = fetchClient(globalFetch, "http://copy.test");
    expect(decode(await whole(await client.open({ path: "/status/200" })))).toBe("{}\n");
    const received = await client.open({ path: "/feed" });
    cluster.feeds[0]?.push(encode("one"));
    cluster.feeds[0]?.push("end");
    expect(decode(await whole(received))).toBe("one");
    expect(await Promise.all(copies)).toEqual(["{}\n", ""]);
  });
}

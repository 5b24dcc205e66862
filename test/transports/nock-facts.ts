import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import type { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { cancelingFetchClient, fetchClient, nodeHttpClient } from "./clients.ts";
import { FakeCluster } from "./fake-cluster.ts";
import { cancelFact, transportFacts } from "./transport-facts.ts";

/** The part of nock that the tests use, of either version. */
export interface Nock {
  (origin: string): { get(path: string): { reply(status: number, body: string): unknown } };
  isDone(): boolean;
  restore(): void;
}

// nock patches the global fetch.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

/** Checks the facts that hold for both versions of nock. */
export function nockFacts(nock: Nock, intercept: typeof interceptKubernetes): void {
  const restore: (() => void)[] = [];
  const serving = (cluster: FakeCluster, origin: string): string => {
    restore.push(intercept(cluster, origin).restore);
    return origin;
  };
  afterAll(() => {
    for (const each of restore) each();
    nock.restore();
  });

  // The newest Node copies a TRACE as a GET, and nock passes data on whether it is read or not.
  const limits = { refuses: ["TRACE"], joinsHeaders: true, readsAhead: true };
  transportFacts("global fetch", (on) => fetchClient(globalFetch, serving(on, "https://fetch.test")), limits);
  transportFacts("node:http", (on) => nodeHttpClient(serving(on, "http://plain.test")), limits);
  transportFacts("node:https", (on) => nodeHttpClient(serving(on, "https://secure.test")), limits);
  cancelFact((on) => cancelingFetchClient(globalFetch, serving(on, "https://cancel.test")));

  test("no interceptor is ever pending", async () => {
    serving(new FakeCluster(), "https://unused.test");
    expect(nock.isDone()).toBe(true);
  });

  test("other interceptors and the network are not affected", async () => {
    const cluster = new FakeCluster();
    const other = http.createServer((_request, response) => response.end("network"));
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const text = async (path: string) => (await globalFetch(origin + path, {})).text();
    const { restore: stop } = intercept(cluster, `${origin}/k8s`);
    nock("http://mocked.test").get("/x").reply(200, "mocked");
    expect(await text("/k8s/status/200")).toBe("{}\n");
    expect(await text("/status/200")).toBe("network");
    expect(await (await globalFetch("http://mocked.test/x", {})).text()).toBe("mocked");
    stop();
    stop();
    expect(await text("/k8s/status/200")).toBe("network");
    expect(cluster.requests.map((request) => request.target)).toEqual(["/status/200"]);
    other.closeAllConnections();
    other.close();
  });
}

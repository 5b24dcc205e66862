import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  cancelingFetchClient,
  type FetchLike,
  fetchClient,
  type UndiciRequest,
  undiciRequestClient,
} from "../../../test/transports/clients.ts";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { tooOldFor } from "../../../test/transports/too-old-for.ts";
import { cancelFact, transportFacts } from "../../../test/transports/transport-facts.ts";
import { createDispatcher } from "./undici.ts";

const base = "https://cluster.test";

/** What the tests use of undici; the two versions' types differ in details that do not matter here. */
interface Undici {
  readonly Dispatcher: new () => { close(): Promise<void>; destroy(reason?: Error): Promise<void> };
  readonly request: UndiciRequest;
  readonly fetch: (url: string, init: object) => Promise<Response>;
  upgrade(url: string, options: object): Promise<unknown>;
  connect(url: string, options: object): Promise<unknown>;
}

const versions: [name: string, tooOld: string | undefined][] = [
  ["undici-7", undefined],
  ["undici-8", tooOldFor("undici 8", 22)],
];

for (const [name, tooOld] of versions) {
  if (tooOld !== undefined) {
    test.skip(`${name}: ${tooOld}`, () => {});
    continue;
  }
  const undici: Undici = await import(name);
  const fetchBy =
    (dispatcher: unknown): FetchLike =>
    (url, init) =>
      undici.fetch(url, { ...init, dispatcher });

  transportFacts(`${name} request`, (cluster) =>
    undiciRequestClient(undici.request, base, createDispatcher(cluster, undici)),
  );
  transportFacts(
    `${name} fetch`,
    (cluster) => fetchClient(fetchBy(createDispatcher(cluster, undici)), base),
    { refuses: ["TRACE"], joinsHeaders: true },
  );

  describe(`${name} dispatcher`, () => {
    cancelFact((cluster) => cancelingFetchClient(fetchBy(createDispatcher(cluster, undici)), base));

    test("serves the fetch that is built into Node", async () => {
      const dispatcher = createDispatcher(new FakeCluster(), undici);
      const response = await fetch(`${base}/every-byte`, { dispatcher } as RequestInit);
      expect((await response.arrayBuffer()).byteLength).toBe(256);
    });

    test("refuses an upgrade as the cluster does", async () => {
      const cluster = new FakeCluster();
      const dispatcher = createDispatcher(cluster, undici);
      await expect(
        undici.upgrade(`${base}/status/400`, { dispatcher, protocol: "websocket" }),
      ).rejects.toThrow("bad upgrade");
      expect(cluster.requests[0]?.headers.get("Upgrade")).toBe("websocket");
    });

    test("knows the host, and adds the query", async () => {
      const cluster = new FakeCluster();
      const dispatcher = createDispatcher(cluster, undici);
      await undici.request(`${base}/echo`, {
        dispatcher,
        query: { labelSelector: "a in (b)", x: ["1", "2"] },
      });
      expect(cluster.requests[0]?.headers.get("Host")).toBe("cluster.test");
      expect(cluster.requests[0]?.target).toBe("/echo?labelSelector=a%20in%20(b)&x=1&x=2");
    });

    test("answers for one origin only, and hands on the rest", async () => {
      const cluster = new FakeCluster();
      const other = new FakeCluster();
      const alone = createDispatcher(cluster, undici, { origin: `${base}/k8s` });
      const both = createDispatcher(cluster, undici, {
        origin: `${base}/k8s`,
        otherwise: createDispatcher(other, undici),
      });
      await undici.request(`${base}/k8s/status/200`, { dispatcher: both });
      await undici.request("https://other.test/status/201", { dispatcher: both });
      expect(cluster.requests.map((request) => request.target)).toEqual(["/status/200"]);
      expect(other.requests.map((request) => request.target)).toEqual(["/status/201"]);
      await expect(undici.request("https://other.test/", { dispatcher: alone })).rejects.toThrow(
        "No cluster",
      );
    });

    test.each([
      ["text", () => "hello"],
      ["bytes", () => Buffer.from("hello")],
      ["a view", () => new DataView(new TextEncoder().encode("hello").buffer)],
      ["a Blob", () => new Blob(["hel", "lo"])],
      ["pieces", () => ["hel", Buffer.from("lo")]],
      ["a stream", () => new Blob(["hello"]).stream()],
    ])("takes a body of %s", async (_title, body) => {
      const dispatcher = createDispatcher(new FakeCluster(), undici);
      const options = { dispatcher, method: "PUT", body: body() };
      const response = await undici.request(`${base}/echo`, options);
      expect((await buffer(response.body)).toString()).toBe("hello");
    });

    test("closes when what runs has finished, and then refuses", async () => {
      const cluster = new FakeCluster();
      const dispatcher = createDispatcher(cluster, undici);
      const { body } = await undici.request(`${base}/feed`, { dispatcher });
      const reading = buffer(body);
      const closed = dispatcher.close();
      await expect(undici.request(`${base}/echo`, { dispatcher })).rejects.toMatchObject({
        code: "UND_ERR_CLOSED",
      });
      cluster.feeds[0]?.push("end");
      await closed;
      expect((await reading).byteLength).toBe(0);
    });

    test("breaks off what runs when it is destroyed", async () => {
      const cluster = new FakeCluster();
      const dispatcher = createDispatcher(cluster, undici);
      const { body } = await undici.request(`${base}/feed`, { dispatcher });
      const reading = buffer(body);
      const reason = new Error("enough");
      await Promise.all([dispatcher.destroy(reason), expect(reading).rejects.toBe(reason)]);
      expect(cluster.feeds[0]?.returns).toBe(1);
      await expect(undici.request(`${base}/`, { dispatcher })).rejects.toMatchObject({
        code: "UND_ERR_DESTROYED",
      });
    });
  });
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, header, type Sent, whole } from "./clients.ts";
import { decode, encode, everyByte, FakeCluster, type Feed, threeMebibytes } from "./fake-cluster.ts";

/** What a transport or its client cannot do, with the reason. */
export interface Limits {
  /** The client reads ahead without a limit: a slow reader does not slow down the server. */
  readonly readsAhead?: boolean;
  /** Methods that the client refuses to send. */
  readonly refuses?: readonly string[];
  /** The client joins repeated request headers before it sends them. */
  readonly joinsHeaders?: boolean;
  /** The client encodes bytes in headers again. */
  readonly recodesHeaders?: boolean;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Whether buffers shrink below this many bytes; garbage collection takes some turns. */
async function retainsLessThan(bytes: number): Promise<boolean> {
  for (let turn = 0; turn < 50; turn++) {
    collectGarbage();
    if (process.memoryUsage().arrayBuffers < bytes) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

/** Checks the facts that hold for every transport. */
export function transportFacts(
  title: string,
  connect: (cluster: FakeCluster) => Promise<Client> | Client,
  limits: Limits = {},
): void {
  describe(title, () => {
    const cluster = new FakeCluster();
    let client: Client;
    beforeAll(async () => {
      client = await connect(cluster);
    });
    afterAll(() => client.close?.());

    const open = (sent: Sent) => client.open(sent);
    const opened = async (path: string) => {
      const count = cluster.feeds.length;
      const received = await open({ path });
      const feed = cluster.feeds[count] as Feed;
      return { received, feed };
    };

    test.each([200, 201, 202, 400, 404, 409, 410, 422, 429, 500, 503, 504])(
      "status %i arrives",
      async (status) => {
        const received = await open({ path: `/status/${status}` });
        expect(received.status).toBe(status);
        expect(decode(await whole(received))).toBe("{}\n");
      },
    );

    test("headers arrive, including all repeated ones", async () => {
      const received = await open({ path: "/warnings" });
      expect(header(received, "audit-id")).toBe("fixed");
      expect(header(received, "content-type")).toBe("application/json");
      expect(header(received, "warning")).toMatch(/^299 - "one", 299 - "two, and more", 299 - "/);
      await whole(received);
    });

    test.skipIf(limits.recodesHeaders)("a non-ASCII header is UTF-8, as text or as bytes", async () => {
      const received = await open({ path: "/warnings" });
      const last = header(received, "warning")?.split(" - ")[3];
      expect(['"dréi ✓"', `"${String.fromCharCode(...encode("dréi ✓"))}"`]).toContain(last);
      await whole(received);
    });

    test("a known body has a length", async () => {
      const received = await open({ path: "/every-byte" });
      expect(header(received, "content-length")).toBe("256");
      expect(await whole(received)).toEqual(everyByte);
    });

    test("an empty body is empty", async () => {
      const received = await open({ path: "/nothing" });
      expect(header(received, "content-length")).toBe("0");
      expect((await whole(received)).byteLength).toBe(0);
    });

    test("204 has neither body nor length", async () => {
      const received = await open({ path: "/no-content" });
      expect(received.status).toBe(204);
      expect(header(received, "content-length")).toBeUndefined();
      expect((await whole(received)).byteLength).toBe(0);
    });

    test("HEAD has the headers of GET and no body", async () => {
      const received = await open({ method: "HEAD", path: "/every-byte" });
      expect(header(received, "content-length")).toBe("256");
      expect((await whole(received)).byteLength).toBe(0);
    });

    test("HEAD of a stream ends immediately and releases the stream", async () => {
      const count = cluster.feeds.length;
      const received = await open({ method: "HEAD", path: "/feed" });
      expect((await whole(received)).byteLength).toBe(0);
      await cluster.feeds[count]?.left;
      expect(cluster.feeds[count]?.returns).toBe(1);
    });

    test.each(["/large", "/pieces"])("%s, 3 MiB, arrives unchanged", async (path) => {
      const received = await open({ path });
      expect(header(received, "content-length")).toBe(String(threeMebibytes.byteLength));
      expect(Buffer.compare(await whole(received), threeMebibytes)).toBe(0);
    });

    test.each([
      ["binary", everyByte],
      ["3 MiB", threeMebibytes],
      ["JSON with large numbers", encode('{"n":12345678901234567890,"f":1.0}')],
      ["text that is not JSON", encode("{]")],
    ])("a request body, %s, arrives unchanged", async (_title, body) => {
      const received = await open({
        method: "POST",
        path: "/echo",
        headers: [["Content-Type", "application/json"]],
        body,
      });
      expect(received.status).toBe(200);
      expect(Buffer.compare(await whole(received), body)).toBe(0);
    });

    test("a too large request body is answered, and the next request as well", async () => {
      const body = new Uint8Array(threeMebibytes.byteLength + 300_000);
      const received = await open({ method: "POST", path: "/echo", body });
      expect(received.status).toBe(413);
      expect(decode(await whole(received))).toBe("too large");
      expect((await open({ path: "/status/200" })).status).toBe(200);
    });

    test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("method %s arrives", async (method) => {
      const received = await open({ method, path: "/echo" });
      expect(header(received, "x-method")).toBe(method);
    });

    test.each(["TRACE", "PROPFIND"].filter((method) => !limits.refuses?.includes(method)))(
      "unusual method %s arrives",
      async (method) => {
        expect(header(await open({ method, path: "/echo" }), "x-method")).toBe(method);
      },
    );

    test.each([
      "/echo/a%2Fb/c%20d",
      "/echo/%e4%bd%a0?fieldSelector=metadata.name%3Dx&a=b+c%2Bd",
      "/echo?watch&x=&labelSelector=a%20in%20(b,c),!d",
      "/echo?a=(1)&b=~_-.*",
      "/echo/a//b/",
    ])("target %s arrives unchanged", async (path) => {
      expect(header(await open({ path }), "x-target")).toBe(path);
    });

    test("request headers arrive", async () => {
      const received = await open({
        path: "/echo",
        headers: [
          ["x-sent", "one"],
          ["x-sent", "two"],
        ],
      });
      expect(header(received, "x-first")).toBe(limits.joinsHeaders ? "one, two" : "one");
      expect(header(received, "x-every")).toBe("one, two");
    });

    test("a header that was not sent is absent", async () => {
      expect(header(await open({ path: "/echo" }), "x-first")).toBe("absent");
    });

    describe.each(["/feed", "/chunked"])("stream %s", (path) => {
      test("arrives as it is written, and ends", async () => {
        const { received, feed } = await opened(path);
        for (const text of ["one\n", "two\n"]) {
          feed.push(encode(text));
          expect(decode((await received.next()) as Uint8Array)).toBe(text);
        }
        feed.push(encode("three\n"));
        feed.push("end");
        expect(decode(await whole(received))).toBe("three\n");
        await feed.left;
        expect(feed.returns).toBe(1);
        expect(feed.signal.aborted).toBe(false);
      });

      test("ends on the server when the client disconnects", async () => {
        const { received, feed } = await opened(path);
        feed.push(encode("one\n"));
        await received.next();
        received.leave();
        await feed.left;
        expect(feed.returns).toBe(1);
        expect(feed.signal.aborted).toBe(true);
      });

      test("ends on the server when the client disconnects before the first chunk", async () => {
        const { received, feed } = await opened(path);
        received.leave();
        await feed.left;
        expect(feed.returns).toBe(1);
        expect(feed.signal.aborted).toBe(true);
      });

      test("that fails is distinguishable from one that ended", async () => {
        const { received, feed } = await opened(path);
        feed.push(encode("one\n"));
        await received.next();
        feed.push(new Error("the source failed"));
        await expect(whole(received)).rejects.toThrow();
        await feed.left;
        expect(feed.returns).toBe(1);
      });

      test("can be open for several clients at once", async () => {
        const all = await Promise.all(Array.from({ length: 20 }, () => open({ path })));
        const feeds = cluster.feeds.slice(-20);
        for (const feed of feeds) feed.push(encode("same"));
        for (const received of all) expect(decode((await received.next()) as Uint8Array)).toBe("same");
        for (const received of all) received.leave();
        await Promise.all(feeds.map((feed) => feed.left));
        expect(feeds.map((feed) => feed.returns)).toEqual(feeds.map(() => 1));
      });
    });

    test("a slow reader receives everything", async () => {
      const { received, feed } = await opened("/feed");
      for (let index = 0; index < 64; index++) feed.push(new Uint8Array(64 * 1024).fill(index));
      feed.push("end");
      let total = 0;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const piece = await received.next();
        if (piece === undefined) break;
        total += piece.byteLength;
      }
      expect(total).toBe(64 * 64 * 1024);
    });

    test("a stream continues after a slow reader has caught up", async () => {
      const { received, feed } = await opened("/feed");
      const large = new Uint8Array(4 * 1024 * 1024);
      for (const round of [1, 2, 3]) {
        feed.push(large.fill(round));
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        for (let read = 0; read < large.byteLength; )
          read += (await received.next())?.byteLength ?? Number.NaN;
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
      received.leave();
      await feed.left;
    });

    test("a long stream does not accumulate memory", async () => {
      const { received, feed } = await opened("/feed");
      collectGarbage();
      const before = process.memoryUsage().arrayBuffers;
      for (let index = 0; index < 384; index++) {
        feed.push(new Uint8Array(64 * 1024));
        for (let read = 0; read < 64 * 1024; ) read += (await received.next())?.byteLength ?? Number.NaN;
      }
      // 24 MiB have been transferred.
      expect(await retainsLessThan(before + 8 * 1024 * 1024)).toBe(true);
      received.leave();
      await feed.left;
    });

    test.skipIf(limits.readsAhead)("a client that does not read stops the server from writing", async () => {
      cluster.pulled = 0;
      const received = await open({ path: "/endless" });
      await received.next();
      let before: number;
      do {
        before = cluster.pulled;
        for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
      } while (cluster.pulled !== before);
      // The buffers of sockets and streams: 32 MiB.
      expect(cluster.pulled).toBeLessThan(512);
      received.leave();
    });

    test("a client that disconnects before the response aborts the request", async () => {
      const count = cluster.hanging.length;
      await client.openAndLeave({ path: "/hang" }, async () => {
        while (cluster.hanging.length === count) await new Promise((resolve) => setImmediate(resolve));
      });
      const signal = cluster.hanging[count] as AbortSignal;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      expect(signal.aborted).toBe(true);
    });

    test("concurrent requests get their own responses", async () => {
      const texts = Array.from({ length: 50 }, (_, index) => `body ${index}`);
      const bodies = await Promise.all(
        texts.map(async (text) =>
          decode(await whole(await open({ method: "POST", path: "/echo", body: encode(text) }))),
        ),
      );
      expect(bodies).toEqual(texts);
    });
  });
}

/** Checks an additional fact for clients that disconnect by canceling a body. */
export function cancelFact(connect: (cluster: FakeCluster) => Promise<Client> | Client): void {
  test("canceling the body of a fetch ends a stream", async () => {
    const cluster = new FakeCluster();
    const client = await connect(cluster);
    for (const path of ["/feed", "/chunked"]) {
      const received = await client.open({ path });
      const feed = cluster.feeds.at(-1);
      feed?.push(encode("one"));
      await received.next();
      received.leave();
      await feed?.left;
      expect(feed).toMatchObject({ returns: 1, signal: { aborted: true } });
    }
  });
}

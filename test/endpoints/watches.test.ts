import { beforeAll, expect, test } from "vitest";
import { OpenWatch, shortly } from "../conformance/open-watch.ts";
import { QuietServer } from "../conformance/quiet-server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

/** Creates a ConfigMap, and returns its revision. */
async function create(server: QuietServer, name: string, metadata: object = {}): Promise<number> {
  const body = JSON.stringify({ metadata: { name, ...metadata } });
  const { text } = await server.ask({ method: "POST", target: configMaps, body });
  return Number(JSON.parse(text).metadata.resourceVersion);
}

const list = `${configMaps}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;

// The first requests load code, which takes longer than the tests.
beforeAll(async () => {
  const server = new QuietServer();
  await create(server, "a");
  await server.ask({ method: "GET", target: "/metrics" });
});

test("initial events of a later revision wait for it", async () => {
  const server = new QuietServer();
  const revision = await create(server, "a");
  const watch = await OpenWatch.open(server, `${list}&resourceVersion=${revision + 1}`);
  expect(await watch.events()).toEqual([]);
  await create(server, "b");
  expect(shortly(await watch.events())).toEqual(["ADDED a", "ADDED b", `BOOKMARK ${revision + 1}`]);
  watch.leave();
});

test.each([
  ["sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0", []],
  ["sendInitialEvents=false&resourceVersionMatch=NotOlderThan", []],
  ["resourceVersion=0", ["ADDED a"]],
  ["", ["ADDED a"]],
])("a watch with %j begins with %j, and goes on from now", async (query, initial) => {
  const server = new QuietServer();
  await create(server, "a");
  const watch = await OpenWatch.open(server, `${configMaps}?watch=1&${query}`);
  expect(shortly(await watch.events())).toEqual(initial);
  await create(server, "b");
  expect(shortly(await watch.events())).toEqual(["ADDED b"]);
  watch.leave();
});

test("a watch of one object has its events alone, and only while it is selected", async () => {
  const server = new QuietServer();
  const labels = { x: "y" };
  await create(server, "a");
  await create(server, "b", { labels });
  const one = configMaps.replace("/v1/", "/v1/watch/");
  const shown = async (target: string) => {
    const watch = await OpenWatch.open(server, target);
    const events = shortly(await watch.events());
    watch.leave();
    return events;
  };
  expect(await shown(`${one}/a`)).toEqual(["ADDED a"]);
  expect(await shown(`${one}/b?labelSelector=x%3Dy`)).toEqual(["ADDED b"]);
  expect(await shown(`${one}/a?labelSelector=x%3Dy`)).toEqual([]);
  const watch = await OpenWatch.open(server, `${one}/c?labelSelector=x%3Dy`);
  expect(await watch.events()).toEqual([]);
  await create(server, "d", { labels });
  await create(server, "c", { labels });
  expect(shortly(await watch.events())).toEqual(["ADDED c"]);
  watch.leave();
});

test("the end of initial events is counted by what the watch is about", async () => {
  const server = new QuietServer();
  const everywhere = list.replace("/namespaces/default", "");
  for (const target of [
    list,
    everywhere,
    `${list}&fieldSelector=metadata.name%3Da`,
    `${list}&labelSelector=a`,
  ]) {
    const watch = await OpenWatch.open(server, target);
    await watch.events();
    watch.leave();
  }
  const { text } = await server.ask({ method: "GET", target: "/metrics" });
  const counts = text.matchAll(/^apiserver_watch_list_duration_seconds_count\{.*scope="(\w+)".*\} (\d+)$/gm);
  expect(Object.fromEntries([...counts].map(([, scope, count]) => [scope, count]))).toEqual({
    cluster: "1",
    namespace: "2",
    resource: "1",
  });
});

test("a held watch is known by the program that opened it", async () => {
  const server = new QuietServer();
  const held = server.cluster.watches.hold({ userAgent: "one/1" });
  const [one, two, none] = await Promise.all(
    [{ "user-agent": "one/1" }, { "user-agent": "two/1" }, {}].map((headers) =>
      OpenWatch.open(server, `${configMaps}?watch=1`, headers),
    ),
  );
  await create(server, "a");
  expect(await one?.events()).toEqual([]);
  for (const watch of [two, none]) expect(shortly((await watch?.events()) ?? [])).toEqual(["ADDED a"]);
  await held.release();
  expect(shortly((await one?.events()) ?? [])).toEqual(["ADDED a"]);
  for (const watch of [one, two, none]) watch?.leave();
});

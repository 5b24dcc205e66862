import { describe, expect, test } from "vitest";
import { ConfigMaps } from "./config-maps.ts";
import { OpenWatch, shortly } from "./open-watch.ts";
import { QuietServer } from "./quiet-server.ts";

const streamingList = "resourceVersionMatch=NotOlderThan&sendInitialEvents=true";

/** A bookmark has news only if it is beyond the initial events (apiserver, pkg/storage/cacher/cache_watcher.go). */
describe("a bookmark is sent after a minute", () => {
  test.each<[title: string, query: string, changes: "none" | "elsewhere", expected: readonly string[]]>([
    ["unless nothing has changed since the initial events", "", "none", ["ADDED a", "BOOKMARK"]],
    ["after changes of other objects", "", "elsewhere", ["ADDED a", "BOOKMARK", "BOOKMARK"]],
    ["unless nothing has changed since a streaming list", streamingList, "none", ["ADDED a", "BOOKMARK"]],
    ["unless nothing has changed since the requested revision", "resourceVersion=LAST", "none", []],
    ["after changes since the requested revision", "resourceVersion=LAST", "elsewhere", ["BOOKMARK"]],
    ["unless the last event before the watch is the newest", "resourceVersion=FIRST", "none", ["ADDED a"]],
    ["after newer changes, too", "resourceVersion=FIRST", "elsewhere", ["ADDED a", "BOOKMARK"]],
  ])("%s", async (_title, query, changes, expected) => {
    const server = new QuietServer();
    const maps = new ConfigMaps(server, "progress");
    await maps.begin();
    const first = await server.revision();
    await maps.create("a");
    const asked = query.replace("LAST", await server.revision()).replace("FIRST", first);
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&allowWatchBookmarks=1&${asked}`);
    const seen = [...(await watch.events())];
    if (changes === "elsewhere") {
      const metadata = { name: "elsewhere" };
      await server.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata });
    }
    await server.pass("61s");
    seen.push(...(await watch.events()));
    expect(shortly(seen).map((event) => event.replace(/^(BOOKMARK).*/, "$1"))).toEqual(expected);
    watch.leave();
    await server.cluster.close();
  });
});

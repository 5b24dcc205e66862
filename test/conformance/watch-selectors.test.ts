import { beforeEach, describe, expect, test } from "vitest";
import { ConfigMaps } from "./config-maps.ts";
import { OpenWatch, type WatchedEvent } from "./open-watch.ts";
import { QuietServer } from "./quiet-server.ts";

let server: QuietServer;
let maps: ConfigMaps;

beforeEach(async () => {
  server = new QuietServer();
  maps = new ConfigMaps(server, "selected");
  await maps.begin();
});

/** Type, name, labels and revision of an event. */
function seen({ type, object }: WatchedEvent) {
  const { name, labels, resourceVersion } = object.metadata;
  return [type, name, labels?.["color"], resourceVersion];
}

describe("a watch with a selector", () => {
  test("sees objects that start to match, change and stop matching", async () => {
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&labelSelector=color%3Dred`);
    const made = await maps.create("a", { color: "blue" });
    const came = await maps.update("a", { color: "red" });
    const changed = await maps.update("a", { color: "red" }, "more");
    const left = await maps.update("a", { color: "blue" });
    const unseen = await maps.update("a", { color: "green" });
    const back = await maps.update("a", { color: "red" });
    const deleted = await maps.delete("a");
    const again = await maps.create("a", { color: "red" });
    expect((await watch.events()).map(seen)).toEqual([
      ["ADDED", "a", "red", came],
      ["MODIFIED", "a", "red", changed],
      // The last matching state, at the revision that removed it.
      ["DELETED", "a", "red", left],
      ["ADDED", "a", "red", back],
      ["DELETED", "a", "red", deleted],
      ["ADDED", "a", "red", again],
    ]);
    expect(new Set([made, came, changed, left, unseen, back, deleted, again]).size).toBe(8);
    watch.leave();
  });

  test("sees the same for writes before it was opened", async () => {
    const start = await server.revision();
    const came = await maps.create("a", { color: "red" });
    const left = await maps.update("a", { color: "blue" });
    await maps.delete("a");
    const query = `watch=1&labelSelector=color%3Dred&resourceVersion=${start}`;
    const watch = await OpenWatch.open(server, `${maps.path}?${query}`);
    expect((await watch.events()).map(seen)).toEqual([
      ["ADDED", "a", "red", came],
      ["DELETED", "a", "red", left],
    ]);
    watch.leave();
  });

  test("sends the last matching state as partial metadata and as a row", async () => {
    const as = (kind: string) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
    await maps.create("a", { color: "red" });
    const path = `${maps.path}?watch=1&labelSelector=color%3Dred`;
    const metadata = await OpenWatch.open(server, path, as("PartialObjectMetadata"));
    const rows = await OpenWatch.open(server, path, as("Table"));
    const left = await maps.update("a", { color: "blue" });
    const [, gone] = await metadata.events();
    expect([gone?.object.kind, seen(gone as WatchedEvent)]).toEqual([
      "PartialObjectMetadata",
      ["DELETED", "a", "red", left],
    ]);
    const [, row] = await rows.events();
    expect(row).toMatchObject({
      type: "DELETED",
      object: {
        kind: "Table",
        metadata: { resourceVersion: left },
        columnDefinitions: null,
        rows: [{ cells: ["a", 0, "0s"], object: { metadata: { labels: { color: "red" } } } }],
      },
    });
    metadata.leave();
    rows.leave();
  });

  test("for fields sees pods enter and leave a phase", async () => {
    const { cluster } = server;
    const metadata = { name: "default", namespace: "selected" };
    await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
    const watch = await OpenWatch.open(
      server,
      "/api/v1/namespaces/selected/pods?watch=1&fieldSelector=status.phase%3DRunning,spec.nodeName%3D",
    );
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "selected" },
      spec: { containers: [{ name: "c", image: "x" }] },
    });
    const setPhase = (phase: string) =>
      cluster.patch(
        "v1",
        "Pod",
        "p",
        { status: { phase } },
        { namespace: "selected", subresource: "status" },
      );
    await setPhase("Running");
    await setPhase("Failed");
    const phases = (await watch.events()).map(({ type, object }) => {
      const { status } = object as unknown as { readonly status: { readonly phase: string } };
      return [type, status.phase];
    });
    expect(phases).toEqual([
      ["ADDED", "Running"],
      ["DELETED", "Running"],
    ]);
    watch.leave();
  });

  test("for one namespace sees only that namespace", async () => {
    const other = new ConfigMaps(server, "other");
    await other.begin("x");
    const query = "watch=1&fieldSelector=metadata.namespace%3Dselected";
    const watch = await OpenWatch.open(server, `/api/v1/configmaps?${query}`);
    await other.create("y");
    await maps.create("a");
    expect((await watch.events()).map(({ object }) => object.metadata.name)).toEqual(["a"]);
    watch.leave();
  });
});

test("a watch of one object receives no other events", async () => {
  const watch = await OpenWatch.open(server, `${maps.path}?watch=1&fieldSelector=metadata.name%3Da`);
  await maps.create("aa");
  const made = await maps.create("a");
  await maps.delete("aa");
  const gone = await maps.delete("a");
  expect((await watch.events()).map(seen)).toEqual([
    ["ADDED", "a", undefined, made],
    ["DELETED", "a", undefined, gone],
  ]);
  watch.leave();
});

test("a write that changes nothing causes no event", async () => {
  await maps.create("a");
  const changed = await maps.update("a");
  const watch = await OpenWatch.open(server, `${maps.path}?watch=1&resourceVersion=${changed}`);
  expect(await maps.update("a")).toBe(changed);
  const gone = await maps.delete("a");
  expect((await watch.events()).map(seen)).toEqual([["DELETED", "a", undefined, gone]]);
  watch.leave();
});

test("deleting an object with a finalizer sends MODIFIED, and removing the finalizer sends DELETED", async () => {
  const { cluster } = server;
  const metadata = { name: "a", namespace: "selected", finalizers: ["example.com/hold"] };
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
  const start = await server.revision();
  const watch = await OpenWatch.open(server, `${maps.path}?watch=1&resourceVersion=${start}`);
  await maps.delete("a");
  await cluster.patch("v1", "ConfigMap", "a", { metadata: { finalizers: null } }, { namespace: "selected" });
  expect((await watch.events()).map(({ type }) => type)).toEqual(["MODIFIED", "DELETED"]);
  watch.leave();
});

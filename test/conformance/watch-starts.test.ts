import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClusterSnapshot } from "../../src/index.ts";
import { ConfigMaps } from "./config-maps.ts";
import { OpenWatch, shortly } from "./open-watch.ts";
import { QuietServer } from "./quiet-server.ts";

// The tests share its time, which must not expire the history of the first ones.
const server = new QuietServer({ historyMilliseconds: 24 * 60 * 60 * 1000 });
const maps = new ConfigMaps(server, "starts");
/** At `first` a exists, at `last` a and b. Everything before `oldest` is compacted. */
const revisions = { first: "", last: "" };

beforeAll(async () => {
  await maps.begin();
  server.cluster.compact();
  revisions.first = await maps.create("a");
  revisions.last = await maps.create("b");
  begun = server.cluster.snapshot();
});

/** The initial state of every test. */
let begun: ClusterSnapshot;

beforeEach(() => server.cluster.restore(begun));

const streamingList = "resourceVersionMatch=NotOlderThan&sendInitialEvents=true";
const noInitial = "resourceVersionMatch=NotOlderThan&sendInitialEvents=false";

describe("a watch starts", () => {
  const present = ["ADDED a", "ADDED b"];
  const whole = [...present, "BOOKMARK LAST"];

  test.each<[query: string, initial: readonly string[], after: readonly string[]]>([
    ["", present, ["ADDED c"]],
    ["resourceVersion=0", present, ["ADDED c"]],
    ["resourceVersion=00", present, ["ADDED c"]],
    ["resourceVersion=FIRST", ["ADDED b"], ["ADDED c"]],
    ["resourceVersion=LAST", [], ["ADDED c"]],
    ["allowWatchBookmarks=1", whole, ["ADDED c"]],
    ["allowWatchBookmarks=1&resourceVersion=0", whole, ["ADDED c"]],
    ["allowWatchBookmarks=1&resourceVersion=FIRST", ["ADDED b"], ["ADDED c"]],
    [streamingList, present, ["ADDED c"]],
    [`${streamingList}&allowWatchBookmarks=1`, whole, ["ADDED c"]],
    [`${streamingList}&allowWatchBookmarks=1&resourceVersion=0`, whole, ["ADDED c"]],
    [`${streamingList}&allowWatchBookmarks=1&resourceVersion=FIRST`, whole, ["ADDED c"]],
    [noInitial, [], ["ADDED c"]],
    [`${noInitial}&allowWatchBookmarks=1&resourceVersion=0`, [], ["ADDED c"]],
    [`${noInitial}&resourceVersion=FIRST`, ["ADDED b"], ["ADDED c"]],
    ["fieldSelector=metadata.name%3Da", ["ADDED a"], []],
    ["fieldSelector=metadata.name%3Dc", [], ["ADDED c"]],
    ["fieldSelector=metadata.name%3Db&resourceVersion=FIRST", ["ADDED b"], []],
  ])("watch=1&%s", async (query, initial, after) => {
    const asked = query.replace("FIRST", revisions.first).replace("LAST", revisions.last);
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&${asked}`);
    const expected = initial.map((event) => event.replace("LAST", revisions.last));
    expect(shortly(await watch.events())).toEqual(expected);
    await maps.create("c");
    expect(shortly(await watch.events())).toEqual(after);
    watch.leave();
  });

  test.each([
    ["of the collection", "/api/v1/watch/namespaces/starts/configmaps", ["ADDED a", "ADDED b"]],
    [
      "of all namespaces",
      "/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3Dstarts",
      ["ADDED a", "ADDED b"],
    ],
    ["of one object", "/api/v1/watch/namespaces/starts/configmaps/a", ["ADDED a"]],
    // Upstream checks the query parameter `watch` when it decides whether to report the end of the initial events.
    [
      "with bookmarks",
      "/api/v1/watch/namespaces/starts/configmaps?allowWatchBookmarks=1",
      ["ADDED a", "ADDED b"],
    ],
    [
      "with bookmarks, and the parameter watch",
      "/api/v1/watch/namespaces/starts/configmaps?watch=1&allowWatchBookmarks=1",
      ["ADDED a", "ADDED b", "BOOKMARK"],
    ],
  ])("with the legacy prefix, %s", async (_title, path, initial) => {
    const watch = await OpenWatch.open(server, path);
    const events = await watch.events();
    expect(shortly(events).map((event) => event.replace(/ \d+$/, ""))).toEqual(initial);
    watch.leave();
  });

  test("in the order of the keys, and continues in the order of the writes", async () => {
    const many = new ConfigMaps(server, "order");
    await many.begin("c", "a", "b");
    const watch = await OpenWatch.open(server, `${many.path}?watch=1`);
    expect(shortly(await watch.events())).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
    for (const name of ["c", "a", "b", "a"]) await many.update(name, {}, String(Math.random()));
    expect(shortly(await watch.events())).toEqual(["c", "a", "b", "a"].map((name) => `MODIFIED ${name}`));
    watch.leave();
  });
});

describe("a watch from a revision", () => {
  test("that has expired sends an ERROR event, and ends", async () => {
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&resourceVersion=1`);
    const { type, object } = (await watch.events())[0] ?? {};
    expect({ type, object }).toEqual({
      type: "ERROR",
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
        reason: "Expired",
        code: 410,
      },
    });
    expect(watch.hasEnded).toBe(true);
  });

  test("that expires while the watch is open continues", async () => {
    const watch = await OpenWatch.open(
      server,
      `${maps.path}?watch=1&resourceVersion=${await server.revision()}`,
    );
    await maps.create("later");
    server.cluster.compact();
    await maps.delete("later");
    expect(shortly(await watch.events())).toEqual(["ADDED later", "DELETED later"]);
    watch.leave();
  });

  test("in the future waits, and skips earlier events", async () => {
    const now = Number(await server.revision());
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&resourceVersion=${now + 1}`);
    await maps.create("early");
    await maps.create("late");
    expect(shortly(await watch.events())).toEqual(["ADDED late"]);
    watch.leave();
  });

  test("in the future, with initial events, fails after three seconds as too large", async () => {
    const now = Number(await server.revision());
    const query = `watch=1&${streamingList}&resourceVersion=${now + 7}`;
    const watch = await OpenWatch.open(server, `${maps.path}?${query}`);
    await server.pass("2s");
    expect(await watch.events()).toEqual([]);
    await server.pass("1s");
    expect(await watch.events()).toMatchObject([
      {
        type: "ERROR",
        object: {
          code: 504,
          reason: "Timeout",
          message: `Timeout: Too large resource version: ${now + 7}, current: ${now}`,
          details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
        },
      },
    ]);
    expect(watch.hasEnded).toBe(true);
  });
});

describe("a watch that is refused", () => {
  const sendsWithoutMatch =
    "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  const matchWithoutSend =
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
  const onlyNotOlderThan =
    'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"';
  const besideContinue =
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided";
  const options = (...errors: readonly string[]) =>
    `ListOptions.meta.k8s.io "" is invalid: ${errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`}`;

  test.each([
    ["watch=1&sendInitialEvents=true", 422, options(sendsWithoutMatch)],
    ["watch=1&sendInitialEvents=false", 422, options(sendsWithoutMatch)],
    ["watch=1&sendInitialEvents", 422, options(sendsWithoutMatch)],
    [
      "watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1",
      422,
      options(sendsWithoutMatch, onlyNotOlderThan),
    ],
    ["watch=1&resourceVersionMatch=NotOlderThan", 422, options(matchWithoutSend)],
    ["watch=1&resourceVersionMatch=Exact", 422, options(matchWithoutSend, onlyNotOlderThan)],
    [
      "watch=1&resourceVersionMatch=Exact&continue=x",
      422,
      options(matchWithoutSend, onlyNotOlderThan, besideContinue),
    ],
    [`watch=1&${streamingList}&continue=x`, 422, options(besideContinue)],
    [
      "watch=1&resourceVersion=x",
      500,
      'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ["watch=1&timeoutSeconds=1.5", 400, 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ["watch=1&timeoutSeconds=", 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      "watch=1&fieldSelector=data.x%3D1",
      400,
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])("%s: %d", async (query, status, message) => {
    const answer = await server.ask({ method: "GET", target: `${maps.path}?${query}` });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([status, message]);
  });

  test.each([
    [
      "sendInitialEvents=true",
      422,
      options("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"),
    ],
    ["fieldSelector=metadata.name%3Db", 400, "fieldSelector metadata.name doesn't match requested name"],
    [
      "fieldSelector=metadata.namespace%3Dstarts",
      400,
      "fieldSelector metadata.name doesn't match requested name",
    ],
  ])("with the legacy prefix, %s: %d", async (query, status, message) => {
    const target = `/api/v1/watch/namespaces/starts/configmaps/a?${query}`;
    const answer = await server.ask({ method: "GET", target });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([status, message]);
  });

  test("without the feature gate WatchList clients cannot request initial events, and bookmarks do not end them", async () => {
    const closed = new QuietServer({ featureGates: new Map([["WatchList", false]]) });
    const path = "/api/v1/namespaces/default/configmaps";
    const { status, text } = await closed.ask({ method: "GET", target: `${path}?watch=1&${streamingList}` });
    const gate = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    expect([status, JSON.parse(text).message]).toEqual([
      422,
      options(`sendInitialEvents: Forbidden: ${gate}`),
    ]);
    await closed.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
    const watch = await OpenWatch.open(closed, `${path}?watch=1&allowWatchBookmarks=1`);
    expect(shortly(await watch.events())).toEqual(["ADDED a"]);
    watch.leave();
  });
});

describe("a watch ends", () => {
  test.each([
    ["after its timeout", "&timeoutSeconds=7", "6s", "1s"],
    ["after 30 to 60 minutes without a timeout", "", "1799s", "1801s"],
    ["after 30 to 60 minutes with a timeout of 0", "&timeoutSeconds=0", "1799s", "1801s"],
  ])("%s", async (_title, query, before, rest) => {
    const now = await server.revision();
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&resourceVersion=${now}${query}`);
    await server.pass(before);
    expect([await watch.events(), watch.hasEnded]).toEqual([[], false]);
    await server.pass(rest);
    expect([await watch.events(), watch.hasEnded]).toEqual([[], true]);
  });
});

describe("bookmarks", () => {
  test("arrive every minute and shortly before the end on request, with only the revision", async () => {
    const now = await server.revision();
    const query = `watch=1&resourceVersion=${now}&timeoutSeconds=100`;
    const [quiet, told] = await Promise.all([
      OpenWatch.open(server, `${maps.path}?${query}`),
      OpenWatch.open(server, `${maps.path}?${query}&allowWatchBookmarks=true`),
    ]);
    const other = new ConfigMaps(server, "elsewhere");
    await other.begin("x");
    const revision = await server.revision();
    await server.pass("59s");
    expect(await told.events()).toEqual([]);
    await server.pass("1s");
    const bookmark = {
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: revision, creationTimestamp: null },
      },
    };
    expect(await told.events()).toEqual([bookmark]);
    await server.pass("37s");
    expect(await told.events()).toEqual([]);
    await server.pass("1s");
    expect([await told.events(), told.hasEnded]).toEqual([[bookmark], false]);
    await server.pass("2s");
    expect([await told.events(), told.hasEnded]).toEqual([[], true]);
    expect(await quiet.events()).toEqual([]);
  });

  test("that end the initial events contain the list blueprint", async () => {
    const watch = await OpenWatch.open(server, `${maps.path}?watch=1&allowWatchBookmarks=1`);
    const bookmark = (await watch.events()).at(-1);
    expect(bookmark?.object).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        resourceVersion: await server.revision(),
        creationTimestamp: null,
        annotations: {
          "k8s.io/initial-events-end": "true",
          "kubernetes.io/initial-events-list-blueprint": Buffer.from(
            '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":null}\n',
          ).toString("base64"),
        },
      },
    });
    watch.leave();
  });
});

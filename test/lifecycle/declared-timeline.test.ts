import { expect, test } from "vitest";
import { releases } from "../../src/apimachinery/release.ts";
import type { Cluster } from "../../src/index.ts";
import { createCluster } from "../../src/index.ts";
import { createApi, type Timeline } from "../../src/lifecycle/lifecycle.ts";

/** The release X of the example is the first one of the catalog. */
const at = (offset: number): string => releases[offset] ?? "";

/** The timeline of the example in Kubernetes' deprecation policy. */
const timeline = {
  v1alpha1: { introduced: at(0), removed: at(1) },
  v1alpha2: { introduced: at(1), removed: at(2) },
  v1beta1: { introduced: at(2), deprecated: at(3), removed: at(6) },
  v1beta2: { introduced: at(3), deprecated: at(5), removed: at(8) },
  v1: { introduced: at(5), deprecated: at(12) },
  v2alpha1: { introduced: at(8), removed: at(9) },
  v2alpha2: { introduced: at(9), removed: at(10) },
  v2beta1: { introduced: at(10), deprecated: at(11), removed: at(14) },
  v2beta2: { introduced: at(11), deprecated: at(12), removed: at(15) },
  v2: { introduced: at(12) },
};

interface Row {
  readonly served: readonly string[];
  readonly deprecated: readonly string[];
  /** The preferred version, which is also the one that is stored. */
  readonly preferred: string;
}

const row = (served: string, deprecated: string, preferred: string): Row => ({
  served: served.split(" "),
  deprecated: deprecated === "" ? [] : deprecated.split(" "),
  preferred,
});

/** The table of the example: what the releases X to X+15 serve. */
const table: readonly Row[] = [
  row("v1alpha1", "", "v1alpha1"),
  row("v1alpha2", "", "v1alpha2"),
  row("v1beta1", "", "v1beta1"),
  row("v1beta2 v1beta1", "v1beta1", "v1beta1"),
  row("v1beta2 v1beta1", "v1beta1", "v1beta2"),
  row("v1 v1beta2 v1beta1", "v1beta1 v1beta2", "v1beta2"),
  row("v1 v1beta2", "v1beta2", "v1"),
  row("v1 v1beta2", "v1beta2", "v1"),
  row("v2alpha1 v1", "", "v1"),
  row("v2alpha2 v1", "", "v1"),
  row("v2beta1 v1", "", "v1"),
  row("v2beta2 v2beta1 v1", "v2beta1", "v1"),
  row("v2 v2beta2 v2beta1 v1", "v1 v2beta1 v2beta2", "v1"),
  row("v2 v2beta1 v2beta2 v1", "v1 v2beta1 v2beta2", "v2"),
  row("v2 v2beta2 v1", "v1 v2beta2", "v2"),
  row("v2 v1", "v1", "v2"),
];

const group = "example.com";
const widgets = createApi({ group, kind: "Widget", timeline });

function started(release: string): Cluster {
  return createCluster({ release, apis: [widgets], controllers: [] });
}

async function read(cluster: Cluster, path: string): Promise<Response> {
  return cluster.fetch(`https://cluster.test${path}`);
}

/** What clients see of the group: discovery, the status of each version, its warning, and the form of a stored object. */
async function seen(cluster: Cluster, name: string): Promise<Row> {
  const discovered = JSON.parse(await (await read(cluster, `/apis/${group}`)).text());
  const served: string[] = discovered.versions.map(({ version }: { version: string }) => version);
  const deprecated: string[] = [];
  for (const version of Object.keys(timeline)) {
    const response = await read(cluster, `/apis/${group}/${version}/namespaces/default/widgets/${name}`);
    expect([version, response.status]).toEqual([version, served.includes(version) ? 200 : 404]);
    if (response.headers.get("warning")?.includes(" is deprecated in v1.")) deprecated.push(version);
    const object = await response.text();
    if (response.ok) expect(JSON.parse(object)).toMatchObject({ spec: { size: 1 }, metadata: { name } });
  }
  return { served, deprecated, preferred: discovered.preferredVersion.version };
}

const sorted = ({ served, deprecated, preferred }: Row) => ({
  served: served.toSorted(),
  deprecated: deprecated.toSorted(),
  preferred,
});

test("an upgrade walks through the table of the deprecation policy row by row, and a downgrade walks back", async () => {
  await using cluster = started(at(0));
  await cluster.create({
    apiVersion: `${group}/v1alpha1`,
    kind: "Widget",
    metadata: { name: "old" },
    spec: { size: 1 },
  });
  // Warnings exist since 1.19, the fourth row.
  for (const [offset, expected] of table.entries()) {
    if (offset > 0) {
      const { unreadable } = await cluster.upgrade(at(offset));
      expect(unreadable).toEqual([]);
    }
    const { served, deprecated, preferred } = await seen(cluster, "old");
    expect({ release: at(offset), ...sorted({ served, deprecated, preferred }) }).toEqual({
      release: at(offset),
      ...sorted(expected),
    });
    expect(served[0]).toBe(preferred);
  }
  for (let offset = table.length - 2; offset >= 0; offset--) {
    await cluster.downgrade(at(offset));
    expect((await seen(cluster, "old")).preferred).toBe(table[offset]?.preferred);
  }
}, 180_000);

test("the storage version lags one release, so that a downgraded server can read what a newer one wrote", async () => {
  for (const offset of table.keys()) {
    if (offset === 0) continue;
    const preferred = table[offset]?.preferred ?? "";
    await using cluster = started(at(offset));
    const apiVersion = `${group}/${preferred}`;
    await cluster.create({ apiVersion, kind: "Widget", metadata: { name: "new" }, spec: { size: 1 } });
    const { unreadable } = await cluster.downgrade(at(offset - 1));
    // Nothing is promised of the versions of the alpha track, nor of the first beta version after them.
    const isAlone = table[offset]?.served.length === 1;
    expect([at(offset), unreadable.map((object) => object.apiVersion)]).toEqual([
      at(offset),
      isAlone ? [apiVersion] : [],
    ]);
    const [first = ""] = table[offset - 1]?.served ?? [];
    const response = await read(cluster, `/apis/${group}/${first}/namespaces/default/widgets/new`);
    expect(response.status).toBe(isAlone ? 500 : 200);
    const message = `no kind "Widget" is registered for version "${apiVersion}"`;
    if (isAlone) expect(JSON.parse(await response.text()).message).toContain(message);
  }
});

test.each([
  ["no versions", {}, "it has no versions"],
  ["an unknown release", { v1: { introduced: "1.99" } }, 'v1: release "1.99" is not supported'],
  ["a version that is no version", { one: { introduced: "1.20" } }, '"one" is not a version such as v1'],
  [
    "a removal before the introduction",
    { v1: { introduced: "1.20", removed: "1.19" } },
    "v1 is removed in 1.19, and introduced in 1.20",
  ],
  [
    "a deprecation before the introduction",
    { v1: { introduced: "1.20", deprecated: "1.19" } },
    "v1 is deprecated in 1.19, before it is introduced in 1.20",
  ],
  [
    "a removal with the deprecation",
    { v1: { introduced: "1.20", deprecated: "1.21", removed: "1.21" } },
    "v1 is removed in 1.21, and deprecated in 1.21",
  ],
  [
    "a replacement that does not exist",
    { v1: { introduced: "1.20", deprecated: "1.21", replacement: "v3" } },
    "v1 is replaced by v3, which the timeline does not have",
  ],
  [
    "a deprecation after the removal",
    { v1: { introduced: "1.20", deprecated: "1.25", removed: "1.22" } },
    "v1 is removed in 1.22, and deprecated in 1.25: it can be removed from 1.26 on",
  ],
  [
    "a replacement that is less stable",
    {
      v1: { introduced: "1.20", deprecated: "1.22", replacement: "v2beta1" },
      v2beta1: { introduced: "1.21" },
      v2: { introduced: "1.22" },
    },
    "v1 is replaced by v2beta1, which is less stable (rule #3): v2 can replace it",
  ],
  [
    "a replacement that the release does not serve",
    {
      v1: { introduced: "1.20", deprecated: "1.22", replacement: "v3" },
      v2: { introduced: "1.22" },
      v3: { introduced: "1.23" },
    },
    "v1 is replaced by v3 in 1.22, which does not serve it: it serves v2",
  ],
  [
    "a version that replaces itself",
    { v1: { introduced: "1.20", deprecated: "1.22", replacement: "v1" } },
    "v1 is replaced by itself in 1.22",
  ],
  [
    "a replacement without a deprecation",
    { v1: { introduced: "1.20", replacement: "v2" }, v2: { introduced: "1.20" } },
    "v1 is replaced by v2, but no release deprecates it",
  ],
  [
    "the name of a prototype",
    JSON.parse('{"v1": {"introduced": "1.20"}, "__proto__": {"introduced": "1.20"}}'),
    '"__proto__" is not a version such as v1',
  ],
  [
    "a life that is none",
    { v1: null },
    "createApi: Widget of example.com: the life of v1: the options must be",
  ],
])("a timeline with %s is one clear error", (_, wrong, message) => {
  // Rows that are no timeline at all come from JavaScript.
  expect(() => createApi({ group, kind: "Widget", timeline: wrong as Timeline })).toThrow(message);
});

test.each([
  [
    "two stored versions",
    { storage: { "1.30": "v1", "v1.30": "v2" } },
    "1.30 has two storage versions, v1 and v2",
  ],
  [
    "two preferred versions",
    { preferred: { "1.30": "v1", "1.30.2": "v2" } },
    "1.30 has two preferred versions",
  ],
  [
    "a stored version that is not served",
    { storage: { "1.20": "v2" } },
    "1.20 does not serve its storage version v2, but v1",
  ],
])("a release with %s is an error", (_, choices, message) => {
  const versions = { v1: { introduced: "1.20" }, v2: { introduced: "1.25" } };
  expect(() => createApi({ group, kind: "Widget", timeline: versions, ...choices })).toThrow(message);
});

test("a timeline may go on beyond the newest release", async () => {
  const versions = {
    v1beta1: { introduced: "1.35", deprecated: "1.36", removed: "1.39" },
    v1: { introduced: "1.36" },
  };
  const api = createApi({ group, kind: "Widget", timeline: { ...versions, v2: { introduced: "1.40" } } });
  await using cluster = createCluster({ release: "1.36", apis: [api], controllers: [] });
  const response = await read(cluster, `/apis/${group}/v1beta1/widgets`);
  expect([response.status, response.headers.get("warning")]).toEqual([
    200,
    '299 - "example.com/v1beta1 Widget is deprecated in v1.36+, unavailable in v1.39+; use example.com/v1 Widget"',
  ]);
  const named = JSON.parse(await (await read(cluster, `/apis/${group}`)).text());
  expect(named.versions.map(({ version }: { version: string }) => version)).toEqual(["v1beta1", "v1"]);
});

test.each([
  ["kind", { kind: "Wid get" }],
  ["kind", { kind: "__proto__" }],
  ["kind", { kind: "" }],
  ["plural", { plural: "a/b" }],
  ["plural", { plural: "Widgets" }],
])("a %s that is no name is an error", (option, names) => {
  expect(() => createApi({ group, kind: "Widget", timeline, ...names })).toThrow(
    new RegExp(`^createApi: ${option} ".*" is no name of a resource: a DNS-1035 label`),
  );
});

test("one resource has one timeline", () => {
  expect(() => createCluster({ apis: [widgets, createApi({ group, kind: "Widget", timeline })] })).toThrow(
    "createCluster: apis: two of them declare widgets.example.com",
  );
});

test("the errors of a timeline come together", () => {
  const wrong = { v1: { introduced: "1.20", removed: "1.19" }, two: { introduced: "1.20" } };
  expect(() =>
    createApi({
      group,
      kind: "Widget",
      timeline: wrong,
      preferred: { "1.20": "v2" },
      storage: { "1.9": "v1" },
    }),
  ).toThrow(
    /^createApi: Widget of example.com: the timeline is not possible: .*two.*; v1 is removed.*; the preferred version v2 .*; storage version: release "1.9"/,
  );
});

test("explicit choices of the preferred and the stored version count from their release on", async () => {
  const api = createApi({
    group,
    kind: "Widget",
    timeline: { v1: { introduced: "1.30" }, v2: { introduced: "1.31" } },
    preferred: { "1.31": "v2" },
    storage: { "1.32": "v1" },
  });
  await using cluster = createCluster({ release: "1.31", apis: [api], controllers: [] });
  const preferred = async () =>
    JSON.parse(await (await read(cluster, `/apis/${group}`)).text()).preferredVersion.version;
  expect(await preferred()).toBe("v2");
  await cluster.downgrade("1.30");
  expect(await preferred()).toBe("v1");
  await cluster.downgrade("1.29");
  expect((await read(cluster, `/apis/${group}`)).status).toBe(404);
});

test.each([
  ["policy", "policy is a group of Kubernetes itself"],
  ["widgets", 'group "widgets" is not a domain'],
])("the group %s is refused", (name, message) => {
  expect(() => createApi({ group: name, kind: "Widget", timeline })).toThrow(message);
});

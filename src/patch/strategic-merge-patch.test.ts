import { describe, expect, test } from "vitest";
import { parseGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const catalog = catalogOf({ release: "1.32" });

function schemaOf(apiVersion: string, kind: string): StructSchema {
  const gv = parseGroupVersion(apiVersion);
  const schema = gv && catalog.kind({ ...gv, kind });
  if (schema === undefined) throw new Error(`no ${kind} in ${apiVersion}`);
  return schema;
}

const pod = schemaOf("v1", "Pod");
const deployment = schemaOf("apps/v1", "Deployment");
const service = schemaOf("v1", "Service");

function merged(document: JsonObject, patch: JsonObject, schema: StructSchema): JsonObject {
  return applyStrategicMergePatch(deepFreeze(document), deepFreeze(patch), schema).document;
}

/** Elements of a list of containers: the name, and an image after a colon. */
function containers(...texts: string[]): JsonValue[] {
  return texts.map((text) => {
    const [name = "", image] = text.split(":");
    return image === undefined ? { name } : { name, image };
  });
}

function podOf(list: JsonValue, extra: JsonObject = {}): JsonObject {
  return { spec: { containers: list, ...extra } };
}

const deleted = (name: string): JsonValue => ({ name, $patch: "delete" });
const replacing: JsonValue = { $patch: "replace" };

describe("a list merged by key", () => {
  test.each<[title: string, live: string[], patch: JsonValue[], result: string[]]>([
    ["merges elements with the same key", ["a:1", "b:1"], containers("b:2"), ["a:1", "b:2"]],
    ["places new elements before the server's", ["a", "b"], containers("c"), ["c", "a", "b"]],
    ["uses the patch's order for elements in both", ["a", "b", "c"], containers("c", "a"), ["b", "c", "a"]],
    [
      "keeps the server's order around the patch's elements",
      ["a", "b", "c"],
      containers("b"),
      ["a", "b", "c"],
    ],
    ["places new elements where the patch has them", ["a", "b"], containers("a", "n", "b"), ["a", "n", "b"]],
    ["applies elements with the same key in order", ["a:1"], containers("a:2", "a:3"), ["a:3"]],
    ["merges new elements with the same key", ["a"], containers("n:1", "n"), ["n:1", "a"]],
    ["loses deleted elements", ["a", "b", "c"], [deleted("b")], ["a", "c"]],
    ["ignores a deletion of a missing element", ["a"], [deleted("z")], ["a"]],
    ["is empty if all elements are deleted", ["a"], [deleted("a")], []],
    ["can lose and gain the same element", ["a:1", "b"], [deleted("a"), ...containers("a")], ["a", "b"]],
    ["can be replaced", ["a", "b"], [replacing, ...containers("z")], ["z"]],
    ["can be replaced by an empty list", ["a", "b"], [replacing], []],
    ["may have the directive anywhere", ["a"], [...containers("y", "z"), replacing], ["y", "z"]],
    ["does not change with an empty patch", ["a"], [], ["a"]],
  ])("%s", (_title, live, patch, result) => {
    expect(merged(podOf(containers(...live)), podOf(patch), pod)).toEqual(podOf(containers(...result)));
  });

  test("merges objects and lists within its elements", () => {
    const live = podOf([
      { name: "a", env: [{ name: "E", value: "1" }], resources: { limits: { cpu: "1" } } },
    ]);
    const patch = podOf([
      { name: "a", env: [{ name: "F", value: "2" }], resources: { limits: { memory: "1" } } },
    ]);
    expect(merged(live, patch, pod)).toEqual(
      podOf([
        {
          name: "a",
          env: [
            { name: "F", value: "2" },
            { name: "E", value: "1" },
          ],
          resources: { limits: { cpu: "1", memory: "1" } },
        },
      ]),
    );
  });

  test("identifies ports of a service by number, regardless of protocol", () => {
    const live = { spec: { ports: [{ port: 80, protocol: "TCP" }] } };
    const patch = { spec: { ports: [{ port: 80, protocol: "UDP" }] } };
    expect(merged(live, patch, service)).toEqual(patch);
  });

  test("does not change new elements: their nulls and directives stay", () => {
    const patch = podOf([{ name: "n", image: null, $retainKeys: ["name"] }]);
    expect(merged(podOf(containers("a")), patch, pod)).toEqual(
      podOf([{ name: "n", image: null, $retainKeys: ["name"] }, { name: "a" }]),
    );
  });
});

describe("a list that is missing", () => {
  test("is added without nulls and without elements that have $patch", () => {
    const patch = podOf([{ name: "a", image: null, env: [deleted("E"), { name: "F" }] }, deleted("b")]);
    expect(merged({ spec: {} }, patch, pod)).toEqual(podOf([{ name: "a", env: [{ name: "F" }] }]));
  });
});

describe("$setElementOrder", () => {
  const order = (...names: string[]): JsonObject => ({ "$setElementOrder/containers": containers(...names) });

  test.each<
    [title: string, live: string[], patch: JsonValue[] | undefined, order: string[], result: string[]]
  >([
    [
      "orders elements that do not change otherwise",
      ["a", "b", "c"],
      undefined,
      ["c", "a", "b"],
      ["c", "a", "b"],
    ],
    ["orders merged elements", ["a:1", "b:1"], containers("b:2"), ["b", "a"], ["b:2", "a:1"]],
    ["places new elements", ["a", "b"], containers("n"), ["a", "n", "b"], ["a", "n", "b"]],
    [
      "keeps the position of elements that it does not list",
      ["a", "s", "b"],
      undefined,
      ["b", "a"],
      ["s", "b", "a"],
    ],
    ["may list missing elements", ["a", "b"], undefined, ["b", "z", "a"], ["b", "a"]],
    ["need not list deleted elements", ["a", "b"], [deleted("a")], ["b"], ["b"]],
    [
      "places added elements at the position of deleted ones",
      ["a", "b", "d"],
      [...containers("c"), deleted("a")],
      ["b", "c"],
      ["b", "d", "c"],
    ],
    ["works on a missing list", [], containers("b", "a"), ["b", "a"], ["b", "a"]],
  ])("%s", (_title, live, patch, names, result) => {
    const document = live.length === 0 ? { spec: {} } : podOf(containers(...live));
    const spec = { ...order(...names), ...(patch !== undefined && { containers: patch }) };
    expect(merged(document, { spec }, pod)).toEqual(podOf(containers(...result)));
  });

  test("orders scalars, too", () => {
    const live = { metadata: { finalizers: ["a", "b", "s"] } };
    const metadata = { "$setElementOrder/finalizers": ["b", "n", "a"], finalizers: ["n"] };
    expect(merged(live, { metadata }, pod)).toEqual({ metadata: { finalizers: ["b", "n", "a", "s"] } });
  });

  test.each<[title: string, spec: JsonObject]>([
    ["a list that is in neither the object nor the patch", order("a")],
    ["a missing field that is not a list but a pointer", { "$setElementOrder/runtimeClassName": [] }],
    ["a name in another letter case", { "$setElementOrder/CONTAINERS": [] }],
  ])("of %s changes nothing", (_title, spec) => {
    expect(merged({ spec: { hostname: "h" } }, { spec }, pod)).toEqual({ spec: { hostname: "h" } });
  });

  test("orders a replaced list", () => {
    const live = podOf([{ name: "a", args: ["s", "x"] }]);
    const patch = { name: "a", "$setElementOrder/args": ["y", "x"], args: ["y", "x"] };
    expect(merged(live, podOf([patch]), pod)).toEqual(podOf([{ name: "a", args: ["y", "x"] }]));
  });

  test("if it is empty, orders new elements as Go's sort does", () => {
    const spec = { "$setElementOrder/containers": [], containers: containers("x", "y", "z") };
    expect(merged({ spec: {} }, { spec }, pod)).toEqual(podOf(containers("z", "y", "x")));
  });
});

describe("a list of scalars", () => {
  test.each<[title: string, live: JsonValue, patch: JsonObject, result: JsonValue]>([
    ["with the merge strategy becomes a union", ["a", "b"], { finalizers: ["b", "c"] }, ["a", "b", "c"]],
    [
      "loses values by $deleteFromPrimitiveList",
      ["a", "b"],
      { "$deleteFromPrimitiveList/finalizers": ["a", "z"] },
      ["b"],
    ],
    [
      "may lose and gain values",
      ["a", "b"],
      { "$deleteFromPrimitiveList/finalizers": ["a"], finalizers: ["c"] },
      ["c", "b"],
    ],
    [
      "that is missing ignores deletions",
      undefined as unknown as JsonValue,
      { "$deleteFromPrimitiveList/finalizers": ["a"] },
      undefined as unknown as JsonValue,
    ],
    ["is removed by null", ["a"], { finalizers: null }, undefined as unknown as JsonValue],
  ])("%s", (_title, live, patch, result) => {
    const metadata = (finalizers: JsonValue | undefined) => (finalizers === undefined ? {} : { finalizers });
    expect(merged({ metadata: metadata(live) }, { metadata: patch }, pod)).toEqual({
      metadata: metadata(result),
    });
  });

  test("may contain objects, which are merged instead of removed", () => {
    const spec = { "$deleteFromPrimitiveList/containers": containers("a:2") };
    expect(merged(podOf(containers("a:1", "b")), { spec }, pod)).toEqual(podOf(containers("a:2", "b")));
  });

  test("without the merge strategy is replaced, but can still lose values", () => {
    const live = podOf([{ name: "a", args: ["x", "y"] }]);
    expect(merged(live, podOf([{ name: "a", args: ["z"] }]), pod)).toEqual(
      podOf([{ name: "a", args: ["z"] }]),
    );
    const deletion = { name: "a", "$deleteFromPrimitiveList/args": ["x"] };
    expect(merged(live, podOf([deletion]), pod)).toEqual(podOf([{ name: "a", args: ["y"] }]));
  });
});

describe("an object", () => {
  const labels = (map: JsonObject): JsonObject => ({ metadata: { labels: map } });

  test.each<[title: string, live: JsonObject, patch: JsonObject, result: JsonObject]>([
    [
      "is merged by member",
      labels({ a: "1", b: "2" }),
      labels({ b: "3", c: "4" }),
      labels({ a: "1", b: "3", c: "4" }),
    ],
    ["loses members with null", labels({ a: "1", b: "2" }), labels({ a: null, z: null }), labels({ b: "2" })],
    [
      "is replaced by $patch: replace",
      labels({ a: "1" }),
      labels({ $patch: "replace", b: "2" }),
      labels({ b: "2" }),
    ],
    ["is emptied by $patch: delete", labels({ a: "1" }), labels({ $patch: "delete" }), labels({})],
    ["is not added by a directive", { metadata: {} }, labels({ $patch: "delete" }), { metadata: {} }],
    ["is added without its nulls", { metadata: {} }, labels({ a: null, b: "1" }), labels({ b: "1" })],
    ["is removed by null", labels({ a: "1" }), { metadata: { labels: null } }, { metadata: {} }],
    ["replaces null", { metadata: { labels: null } }, labels({ a: "1" }), labels({ a: "1" })],
    ["can be the whole document", { kind: "Pod" }, { $patch: "delete" }, {}],
    [
      "treats __proto__ as an ordinary key",
      labels(JSON.parse(`{"__proto__":"1"}`)),
      labels(JSON.parse(`{"__proto__":"2","constructor":"3"}`)),
      labels(JSON.parse(`{"__proto__":"2","constructor":"3"}`)),
    ],
    [
      "keeps unknown members",
      { spec: {} },
      { spec: { zork: [1, { a: null }] } },
      { spec: { zork: [1, {}] } },
    ],
    ["does not change with an empty patch", labels({ a: "1" }), {}, labels({ a: "1" })],
  ])("%s", (_title, live, patch, result) => {
    expect(merged(live, patch, pod)).toEqual(result);
  });

  test("keeps only what $retainKeys lists", () => {
    const live = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } };
    expect(merged(live, patch, deployment)).toEqual({ spec: { strategy: { type: "Recreate" } } });
  });

  test("needs no mention of directives for members in $retainKeys", () => {
    const live = podOf([{ name: "a", args: ["x", "y"], env: [{ name: "E" }, { name: "F" }], image: "i" }]);
    const change = {
      name: "a",
      $retainKeys: ["name", "args", "env"],
      "$deleteFromPrimitiveList/args": ["x"],
      "$setElementOrder/env": [{ name: "F" }, { name: "E" }],
      image: null,
    };
    expect(merged(live, podOf([change]), pod)).toEqual(
      podOf([{ name: "a", args: ["y"], env: [{ name: "F" }, { name: "E" }] }]),
    );
  });

  test("keeps listed members that the patch does not contain", () => {
    const live = podOf([], { volumes: [{ name: "v", emptyDir: {}, extra: 1 }] });
    const volume = { name: "v", $retainKeys: ["name", "emptyDir"], extra: null };
    expect(merged(live, { spec: { volumes: [volume] } }, pod)).toEqual(
      podOf([], { volumes: [{ name: "v", emptyDir: {} }] }),
    );
  });
});

describe("the rest of a patch", () => {
  test("has no processed directives and lists", () => {
    const spec = {
      "$setElementOrder/containers": containers("a"),
      containers: containers("a"),
      volumes: [{ name: "v", $retainKeys: ["name"] }],
      nodeSelector: { $patch: "replace", a: "b" },
      overhead: { cpu: null },
      zork: 1,
    };
    const live = podOf(containers("a"), { volumes: [{ name: "v" }], nodeSelector: {} });
    expect(applyStrategicMergePatch(live, { spec }, pod).patch).toEqual({
      spec: { volumes: [{ name: "v" }], nodeSelector: { a: "b" }, overhead: {}, zork: 1 },
    });
  });
});

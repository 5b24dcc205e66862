import { describe, expect, test } from "vitest";
import { builtinObject, type OwnedObject } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";

/** A field that a manager can own, and a configuration that sets it. */
interface Place {
  readonly title: string;
  readonly kind: readonly [apiVersion: string, kind: string];
  readonly path: string;
  /** The other fields that an applier of `config` owns. */
  readonly beside: readonly string[];
  readonly config: (value: JsonValue) => JsonObject;
  readonly values: readonly [JsonValue, JsonValue];
  readonly read: (object: JsonObject) => JsonValue | undefined;
}

const at = (object: JsonObject, ...names: readonly string[]): JsonValue | undefined =>
  names.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    object,
  );
const firstOf = (list: JsonValue | undefined): JsonObject => {
  const [first] = Array.isArray(list) ? list : [];
  return isJsonObject(first) ? first : {};
};

const places: readonly Place[] = [
  {
    title: "a scalar",
    kind: ["apps/v1", "Deployment"],
    path: ".spec.replicas",
    beside: [],
    config: (replicas) => ({ spec: { replicas } }),
    values: [1, 2],
    read: (object) => at(object, "spec", "replicas"),
  },
  {
    title: "an entry of a map",
    kind: ["v1", "ConfigMap"],
    path: ".data.k",
    beside: [],
    config: (k) => ({ data: { k } }),
    values: ["1", "2"],
    read: (object) => at(object, "data", "k"),
  },
  {
    title: "a field of an item of a keyed list",
    kind: ["v1", "Service"],
    path: '.spec.ports[port=80,protocol="TCP"].name',
    beside: ['.spec.ports[port=80,protocol="TCP"]', '.spec.ports[port=80,protocol="TCP"].port'],
    config: (name) => ({ spec: { ports: [{ port: 80, name }] } }),
    values: ["web", "api"],
    read: (object) => firstOf(at(object, "spec", "ports"))["name"],
  },
  {
    title: "an atomic map",
    kind: ["v1", "Service"],
    path: ".spec.selector",
    beside: [],
    config: (selector) => ({ spec: { selector } }),
    values: [{ a: "1" }, { b: "2" }],
    read: (object) => at(object, "spec", "selector"),
  },
  {
    title: "an atomic list",
    kind: ["v1", "Service"],
    path: ".spec.externalIPs",
    beside: [],
    config: (externalIPs) => ({ spec: { externalIPs } }),
    values: [["10.0.0.1"], ["10.0.0.1", "10.0.0.2"]],
    read: (object) => at(object, "spec", "externalIPs"),
  },
];

function refusal(change: () => unknown): string {
  try {
    change();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return "none";
}

describe.each(places)("$title", ({ kind, path, beside, config, values: [one, two], read }) => {
  const appliedByA = (): OwnedObject => builtinObject(...kind).apply("a", config(one));
  const owned = [...beside, path].sort();
  const sorted = (object: OwnedObject, who: string): readonly string[] | undefined =>
    object.owners()[who]?.toSorted();

  test("owned by a cannot be changed by b", () => {
    const object = appliedByA();
    expect(refusal(() => object.apply("b", config(two)))).toBe(
      `Apply failed with 1 conflict: conflict with "a": ${path}`,
    );
    expect(read(object.live)).toEqual(one);
    expect(sorted(object, "a")).toEqual(owned);
    expect(sorted(object, "b")).toBeUndefined();
  });

  test("belongs to b alone after b applies it by force", () => {
    const object = appliedByA().apply("b", config(two), "forced");
    expect(read(object.live)).toEqual(two);
    expect(sorted(object, "b")).toEqual(owned);
    expect(sorted(object, "a") ?? []).toEqual(beside.toSorted());
  });

  test("applied with the same value by both is shared", () => {
    const object = appliedByA().apply("b", config(one));
    expect(sorted(object, "a")).toEqual(owned);
    expect(sorted(object, "b")).toEqual(owned);
  });

  test("shared by both cannot be changed by one of them", () => {
    const object = appliedByA().apply("b", config(one));
    expect(refusal(() => object.apply("b", config(two)))).toContain('conflict with "a"');
    expect(refusal(() => object.apply("c", config(two)))).toContain("2 conflicts");
  });

  test("is removed when its only owner omits it", () => {
    const object = appliedByA().apply("a", {});
    expect(read(object.live)).toBeUndefined();
    expect(object.entries).toEqual([]);
  });

  test("stays when one of two owners omits it", () => {
    const object = appliedByA().apply("b", config(one)).apply("a", {});
    expect(read(object.live)).toEqual(one);
    expect(Object.keys(object.owners())).toEqual(["b"]);
  });

  test("does not change when a manager that never owned it omits it", () => {
    const object = appliedByA().apply("b", {});
    expect(read(object.live)).toEqual(one);
    expect(Object.keys(object.owners())).toEqual(["a"]);
  });

  test("belongs to the manager that changes it with an update", () => {
    const object = appliedByA().patch("b", config(two));
    const [apiVersion] = kind;
    expect(read(object.live)).toEqual(two);
    expect(object.owners()[`b (Update ${apiVersion})`]).toEqual([path]);
    expect(sorted(object, "a") ?? []).toEqual(beside.toSorted());
  });

  test("keeps its owner when an update writes the same value", () => {
    const object = appliedByA().patch("b", config(one));
    expect(Object.keys(object.owners())).toEqual(["a"]);
  });

  test("owned by an updater cannot be changed by an apply", () => {
    const object = builtinObject(...kind).write("w", config(one));
    const [apiVersion] = kind;
    expect(refusal(() => object.apply("b", config(two)))).toBe(
      `Apply failed with 1 conflict: conflict with "w" using ${apiVersion}: ${path}`,
    );
    object.apply("b", config(two), "forced");
    expect(object.owners()[`w (Update ${apiVersion})`] ?? []).not.toContain(path);
  });

  test("has no owner after an update removes it", () => {
    const object = appliedByA().apply("b", config(one)).patch("c", { data: null, spec: null });
    expect(object.entries).toEqual([]);
  });
});

describe("an item of a set", () => {
  const config = (...finalizers: readonly string[]): JsonObject => ({ metadata: { finalizers } });
  const finalizers = (object: OwnedObject): JsonValue | undefined => object.live.metadata.finalizers;
  const configMap = (): OwnedObject => builtinObject("v1", "ConfigMap");

  test("coexists with the items of other managers", () => {
    const object = configMap().apply("a", config("x.io/a")).apply("b", config("x.io/b"));
    expect(finalizers(object)).toEqual(["x.io/a", "x.io/b"]);
    expect(object.owners()).toEqual({
      a: ['.metadata.finalizers[="x.io/a"]'],
      b: ['.metadata.finalizers[="x.io/b"]'],
    });
  });

  test("is shared by its appliers and stays until the last one omits it", () => {
    const object = configMap().apply("a", config("x.io/a", "x.io/b")).apply("b", config("x.io/a"));
    expect(finalizers(object.apply("a", config("x.io/b")))).toEqual(["x.io/a", "x.io/b"]);
    expect(finalizers(object.apply("b", {}))).toEqual(["x.io/b"]);
    expect(object.owners()).toEqual({ a: ['.metadata.finalizers[="x.io/b"]'] });
  });

  test("has no owner after an update removes it", () => {
    const object = configMap().apply("a", config("x.io/a", "x.io/b")).write("w", config("x.io/b"));
    expect(object.owners()).toEqual({ a: ['.metadata.finalizers[="x.io/b"]'] });
  });
});

describe("an item of a keyed list", () => {
  const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: "i", ...more });
  const pod = (...containers: readonly JsonObject[]): JsonObject => ({ spec: { containers } });
  const names = (object: OwnedObject): readonly JsonValue[] => {
    const list = at(object.live, "spec", "containers");
    return Array.isArray(list) ? list.map((item: JsonObject) => item["name"] ?? null) : [];
  };

  test("is removed with all its fields when its only owner omits it", () => {
    const object = builtinObject("v1", "Pod")
      .apply("a", pod(container("x"), container("y")))
      .apply("a", pod(container("y")));
    expect(names(object)).toEqual(["y"]);
  });

  test("stays while another manager owns a field in it", () => {
    const object = builtinObject("v1", "Pod")
      .apply("a", pod(container("x"), container("y")))
      .apply("b", pod({ name: "x", workingDir: "/b" }))
      .apply("a", pod(container("y")));
    expect(at(object.live, "spec", "containers")).toMatchObject([
      { name: "x", workingDir: "/b" },
      { name: "y" },
    ]);
    expect(JSON.stringify(object.live["spec"])).not.toContain('"name":"x","image"');
  });

  test("keeps fields that an updater added until it is removed", () => {
    const object = builtinObject("v1", "Pod").apply("a", pod(container("x")));
    object.patch("w", pod(container("x", { workingDir: "/w" })));
    expect(at(object.apply("a", pod(container("x"))).live, "spec", "containers")).toMatchObject([
      { workingDir: "/w" },
    ]);
  });

  test("gets default keys, which the applier does not own", () => {
    const object = builtinObject("v1", "Service").apply("a", { spec: { ports: [{ port: 80 }] } });
    expect(object.entries[0]?.["fieldsV1"]).toEqual({
      "f:spec": { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} } } },
    });
  });

  test("may be duplicated by an update, and its duplicates are owned as one", () => {
    const env = (...values: readonly string[]): JsonObject =>
      pod(container("x", { env: values.map((value) => ({ name: "E", value })) }));
    const object = builtinObject("v1", "Pod").write("w", env("1", "2"));
    const element = '.spec.containers[name="x"].env[name="E"]';
    const paths = (): readonly string[] | undefined => object.owners()["w (Update v1)"];
    expect(paths()).toContain(element);
    expect(paths()).not.toContain(`${element}.value`);
    expect(paths()).toEqual(object.write("w", env("1", "3")).owners()["w (Update v1)"]);
    expect(object.write("w", env("3")).owners()["w (Update v1)"]).toContain(`${element}.value`);
  });
});

import { describe, expect, test } from "vitest";
import { builtinObject, type OwnedObject } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { utf8Length } from "../../apimachinery/utf8.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { deducedType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";
import { pathsOf } from "./field-set.ts";
import { lastAppliedFields, refreshLastApplied } from "./last-applied.ts";
import { formatPath } from "./path-element.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const csa = "kubectl-client-side-apply";

/** A ConfigMap from a client-side `kubectl apply`. */
function clientApplied(
  config: JsonObject = { data: { a: "1", b: "2" } },
  more: JsonObject = {},
): OwnedObject {
  const lastApplied = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x" },
    ...config,
  });
  return builtinObject("v1", "ConfigMap").write(csa, {
    metadata: { annotations: { [annotation]: lastApplied } },
    ...config,
    ...more,
  });
}

function refusal(change: () => unknown): string {
  try {
    change();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return "none";
}

describe("kubectl, from client-side to server-side apply", () => {
  test("takes over its fields without force", () => {
    const object = clientApplied().apply("kubectl", { data: { a: "changed", b: "2" } });
    expect(object.live["data"]).toEqual({ a: "changed", b: "2" });
    expect(object.owners()).toEqual({
      kubectl: [".data.a", ".data.b"],
      [`${csa} (Update v1)`]: [
        ".data",
        ".data.b",
        ".metadata.annotations",
        `.metadata.annotations.${annotation}`,
      ],
    });
  });

  test("updates the annotation: sorted, on one line, without the annotation itself", () => {
    const object = clientApplied().apply(
      "kubectl",
      {
        metadata: { annotations: { [annotation]: "old", z: "<" } },
        data: { b: "2" },
      },
      "forced",
    );
    expect(object.live.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"b":"2"},"kind":"ConfigMap","metadata":{"annotations":{"z":"\\u003c"},"name":"x"}}\n',
    );
  });

  test("conflicts over fields that another client changed since", () => {
    const object = clientApplied();
    object.patch("w", { data: { a: "theirs", b: "2" } });
    expect(refusal(() => object.apply("kubectl", { data: { a: "mine", b: "mine" } }))).toBe(
      'Apply failed with 1 conflict: conflict with "w" using v1: .data.a',
    );
  });

  test.each<[string, string]>([
    ["that is not JSON", "{"],
    ["that is not an object", "[]"],
    ["that is null", "null"],
    ["that is a number", "5"],
    ["of another version", '{"apiVersion":"v2","data":{"a":"1"}}'],
    ["that does not fit the kind", '{"apiVersion":"v1","data":{"a":1}}'],
    ["that is empty", ""],
  ])("ignores a configuration %s", (_title, text) => {
    const object = builtinObject("v1", "ConfigMap").write("w", {
      metadata: { annotations: { [annotation]: text } },
      data: { a: "1" },
    });
    expect(refusal(() => object.apply("kubectl", { data: { a: "2" } }))).toContain('conflict with "w"');
  });

  test("treats null annotations as missing", () => {
    const object = clientApplied().apply("kubectl", { metadata: { annotations: null }, data: { a: "1" } });
    expect(object.live.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"name":"x"}}\n',
    );
  });

  test("drops an annotation that becomes too long", () => {
    const object = clientApplied().apply("kubectl", { data: { a: "x".repeat(256 * 1024), b: "2" } });
    expect(object.live.metadata.annotations).toBeUndefined();
  });

  test("adds no annotation where there was none", () => {
    const object = builtinObject("v1", "ConfigMap").apply("kubectl", { data: { a: "1" } });
    expect(object.live.metadata.annotations).toBeUndefined();
  });
});

test("a manager with another name conflicts, and does not change the annotation", () => {
  const object = clientApplied();
  const before = object.live.metadata.annotations;
  expect(refusal(() => object.apply("kubectl-2", { data: { a: "2" } }))).toContain(
    `conflict with "${csa}" using v1: .data.a`,
  );
  expect(object.apply("kubectl-2", { data: { a: "2" } }, "forced").live.metadata.annotations).toEqual(before);
});

describe("the annotation of an object", () => {
  const objectWith = (annotations: { readonly [key: string]: string }): MutableKubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x", annotations },
  });
  const refreshed = (annotations: { readonly [key: string]: string }, config: JsonObject) => {
    const object = objectWith(annotations);
    refreshLastApplied(object, config);
    return object.metadata.annotations;
  };

  test("may have 256 KiB with the other annotations and all their keys, in UTF-8", () => {
    const others = { é: "é" };
    const most = 256 * 1024 - utf8Length(`éé${annotation}`) - '{"a":""}\n'.length;
    const [longest, tooLong] = ["x".repeat(most), "x".repeat(most + 1)];
    expect(refreshed({ ...others, [annotation]: "{}" }, { a: longest })).toEqual({
      ...others,
      [annotation]: `{"a":"${longest}"}\n`,
    });
    expect(refreshed({ ...others, [annotation]: "{}" }, { a: tooLong })).toEqual(others);
  });

  test("stays if it is empty", () => {
    expect(refreshed({ [annotation]: "" }, { a: 1 })).toEqual({ [annotation]: "" });
  });
});

describe("the fields of a configuration", () => {
  const texts = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
  const kind: ApplyKind = {
    type: customResourceType(
      { type: "object", properties: { set: texts } },
      { objectMeta: deducedType, preserveUnknownFields: false },
    ),
    empty: {},
    show: (object) => object,
    outline: (object) => object,
    isDecoded: false,
  };
  const applied = (set: readonly string[]): JsonObject => ({
    apiVersion: "v1",
    metadata: { annotations: { [annotation]: JSON.stringify({ apiVersion: "v1", set }) } },
  });
  const fieldsOf = (live: JsonObject) => lastAppliedFields(kind, live, "v1");

  test("are those that have not changed", () => {
    const fields = fieldsOf({ ...applied(["a", "b"]), set: ["a"] });
    expect(fields && [...pathsOf(fields)].map(formatPath)).toEqual([".apiVersion", '.set[="a"]']);
  });

  test("cannot be used if the object or the configuration has duplicate items", () => {
    expect(fieldsOf({ ...applied(["a"]), set: ["a", "a"] })).toBeUndefined();
    expect(fieldsOf({ ...applied(["a", "a"]), set: ["a"] })).toBeUndefined();
  });

  test("do not hide an error that no value causes", () => {
    const live = Object.defineProperty(applied(["a"]), "set", {
      get: () => {
        throw new Error("broken");
      },
      enumerable: true,
    });
    expect(() => fieldsOf(live)).toThrow("broken");
  });
});

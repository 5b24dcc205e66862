import { describe, expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import { builtInPrinter } from "../../test/built-in-printer.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import recorded from "../catalog/generated/kinds-1.32.json?raw";
import type { PrinterColumn } from "../catalog/printer-column.ts";
import { tableColumns } from "../catalog/table-columns.ts";
import { type TableShape, table, tableRows } from "../codec/tables/table.ts";
import { tableShape } from "../registry/table-shape.ts";

interface Kind {
  readonly groupVersion: string;
  readonly resource: string;
  readonly columns?: readonly PrinterColumn[];
}

const view = viewOf({ release: "1.32" });
const kinds = (JSON.parse(recorded) as readonly Kind[]).filter(({ columns }) => columns !== undefined);

async function shapeOf({ groupVersion, resource }: Kind, release: Release = "1.32"): Promise<TableShape> {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  const gvr = { group, version, resource };
  return tableShape(
    await builtInPrinter(gvr, release),
    tableColumns([gvr, { ...view.storedAs(gvr), version: gvr.version }]),
  );
}

async function rowsOf(kind: Kind, ...objects: readonly KubeObject[]): Promise<JsonObject[]> {
  return tableRows(objects, await shapeOf(kind), { now: 0, object: () => null });
}

async function cellsOf(kind: Kind, object: KubeObject): Promise<readonly JsonValue[]> {
  return (await rowsOf(kind, object))[0]?.cells as readonly JsonValue[];
}

/** An object whose every printed field has the given value, of the wrong type for most of them. */
function objectWithFields(value: JsonValue): KubeObject {
  const fields =
    "spec status data binaryData type subsets secrets webhooks ports endpoints conditions template roleRef";
  const object = Object.fromEntries(fields.split(" ").map((field) => [field, value]));
  return { kind: "", apiVersion: "", metadata: {}, ...object };
}

describe("the Table of every kind", () => {
  test.each(kinds.map((kind) => [kind.groupVersion, kind.resource, kind] as const))(
    "%s %s has a cell for each column, even for a malformed object",
    async (_gv, resource, kind) => {
      const { columns } = await shapeOf(kind);
      expect(columns.map(({ description: _, ...column }) => column)).toEqual(kind.columns);
      // Upstream sends the age of an IPAddress, but has no column for it.
      const size = resource === "ipaddresses" ? 3 : columns.length;
      for (const value of [null, "", 1, true, {}, [], [null, 1, "", [], {}]]) {
        expect(await cellsOf(kind, objectWithFields(value))).toHaveLength(size);
      }
      expect(await cellsOf(kind, { kind: "", apiVersion: "", metadata: {} })).toHaveLength(size);
    },
  );

  test("describes every column", async () => {
    const shapes = await Promise.all(kinds.map((kind) => shapeOf(kind)));
    const undescribed = shapes.flatMap(({ columns }) =>
      columns.filter(({ name, description }) => description === `${name} of the object.`),
    );
    expect(undescribed).toEqual([]);
  });
});

describe("a kind without a printer", () => {
  const things: Kind = { groupVersion: "constructor.example/v1", resource: "things" };
  const object = { kind: "Thing", apiVersion: "constructor.example/v1", metadata: { name: "x" } };

  test.each<[creationTimestamp: string | null, shown: string]>([
    ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"],
    [null, "0001-01-01T00:00:00Z"],
  ])("created at %j shows %s", async (creationTimestamp, shown) => {
    expect(await cellsOf(things, { ...object, metadata: { name: "x", creationTimestamp } })).toEqual([
      "x",
      shown,
    ]);
    expect((await shapeOf(things)).columns).toMatchObject([
      { name: "Name", type: "string", format: "name", priority: 0 },
      { name: "Created At", type: "date", format: "", priority: 0 },
    ]);
  });
});

describe("the columns", () => {
  test.each<[release: Release, resource: string, groupVersion: string, columns: string]>([
    ["1.32", "resourcequotas", "v1", "Name Age Request Limit"],
    ["1.33", "resourcequotas", "v1", "Name Request Limit Age"],
    ["1.34", "serviceaccounts", "v1", "Name Secrets Age"],
    ["1.35", "serviceaccounts", "v1", "Name Age"],
    ["1.16", "ingresses", "extensions/v1beta1", "Name Class Hosts Address Ports Age"],
    [
      "1.20",
      "podsecuritypolicies",
      "policy/v1beta1",
      "Name Priv Caps SELinux RunAsUser FsGroup SupGroup ReadOnlyRootFs Volumes",
    ],
  ])("in %s of %s %s are %s", async (release, resource, groupVersion, columns) => {
    const names = (await shapeOf({ groupVersion, resource }, release)).columns.map(({ name }) => name);
    expect(names.join(" ")).toBe(columns);
  });
});

describe("the rows", () => {
  test("of flow schemas are in the order of evaluation", async () => {
    const schemas: Kind = { groupVersion: "flowcontrol.apiserver.k8s.io/v1", resource: "flowschemas" };
    const schema = (name: string, matchingPrecedence: number): KubeObject => ({
      kind: "",
      apiVersion: "",
      metadata: { name },
      spec: { matchingPrecedence },
    });
    const rows = await rowsOf(schemas, schema("c", 9), schema("b", 1), schema("a", 9));
    expect(rows.map(({ cells }) => (cells as readonly JsonValue[])[0])).toEqual(["b", "a", "c"]);
  });

  test("have conditions only for finished pods", async () => {
    const pod = (phase: string): KubeObject => ({
      kind: "",
      apiVersion: "",
      metadata: {},
      status: { phase },
    });
    const rows = await rowsOf({ groupVersion: "v1", resource: "pods" }, pod("Running"), pod("Failed"));
    expect(rows.map((row) => Object.keys(row))).toEqual([
      ["cells", "object"],
      ["cells", "conditions", "object"],
    ]);
  });
});

describe("the metadata", () => {
  test("has its fields in the order of the type, without unset fields", () => {
    const metadata = { remainingItemCount: 3, continue: "x", resourceVersion: "1" };
    expect(JSON.stringify(table("v1", metadata, undefined, []))).toBe(
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1","continue":"x","remainingItemCount":3},"columnDefinitions":null,"rows":[]}',
    );
    expect(table("v1beta1", {}, [], []).metadata).toEqual({});
  });
});

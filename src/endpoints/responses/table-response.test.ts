import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { builtInPrinter } from "../../../test/built-in-printer.ts";
import { type Exchange, exchangesOf } from "../../../test/conformance/golden-queries.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import { transient } from "../../codec/encodable.ts";
import type { ListMeta } from "../../codec/encoding-target.ts";
import { firstRowTable, objectTable, rowTable, type TableRequest } from "./table-response.ts";

interface Row extends JsonObject {
  readonly cells: readonly JsonValue[];
  readonly object: KubeObject | null;
}

interface Table extends JsonObject {
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly { readonly name: string }[] | null;
  readonly rows: readonly Row[];
}

/** The text that replaces every description in the transcripts. */
const hidden = "…";

interface RequestParameters {
  readonly path: string;
  readonly now: number;
  readonly release?: Release;
  readonly convert?: (object: KubeObject) => KubeObject;
  readonly version?: "v1" | "v1beta1";
}

async function tableRequest({
  path,
  now,
  release = "1.32",
  convert,
  version = "v1",
}: RequestParameters): Promise<TableRequest> {
  const url = new URL(path, "https://cluster.test");
  const parts = url.pathname.split("/").slice(1);
  const [group = "", gv = "", ...rest] =
    parts[0] === "api" ? ["", parts[1], ...parts.slice(2)] : parts.slice(1);
  const [name = "", , subresource] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  const served = { current: viewOf({ release, runtimeConfig: new Map([["api/all", true]]) }) };
  const { catalog } = served.current;
  const resource = catalog.resource({ group, version: gv, resource: name });
  if (resource === undefined) throw new Error(`no resource at ${path}`);
  const gvk = subresource === undefined ? resource : resource.subresources.get(subresource)?.gvk;
  if (gvk === undefined) throw new Error(`no subresource at ${path}`);
  return {
    scope: { resource, gvk, selfLinkOf: undefined },
    printer: await builtInPrinter(resource, release),
    format: { transform: { kind: "Table", version } },
    context: { query: url.searchParams },
    environment: { clock: new VirtualClock(now), served },
    shown: convert ?? ((object) => object),
  };
}

/** Every complete object in a transcript, in its stored version, by its revision. */
function objectsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, KubeObject> {
  const found = new Map<string, KubeObject>();
  function visit(value: JsonValue): void {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    }
    if (!isJsonObject(value) || isOtherwiseStored(value)) return;
    const { metadata } = value;
    // Lists have a revision but no uid; their items have no kind.
    if (isJsonObject(metadata) && metadata.uid !== undefined) {
      const revision = String(metadata.resourceVersion);
      if (value.kind !== undefined || !found.has(revision)) found.set(revision, value as KubeObject);
    }
    for (const part of Object.values(value)) visit(part);
  }
  for (const body of exchanges.flatMap(bodiesOf)) visit(body);
  return found;
}

function isOtherwiseStored({ kind, apiVersion }: JsonObject): boolean {
  return kind === "PartialObjectMetadata" || apiVersion === "events.k8s.io/v1";
}

/** The response, or each event of a watch. */
function bodiesOf({ res }: Exchange): JsonValue[] {
  if (typeof res.body !== "string") return [res.body as JsonValue];
  return parsed(res.body) ?? res.body.split("\n").flatMap((line) => parsed(line) ?? []);
}

function parsed(text: string): JsonValue[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

/** The time of a Table, computed from the age of its first object. Without ages it does not matter. */
function timeOf(table: Table, columns: Table["columnDefinitions"]): number {
  const age = columns?.findIndex(({ name }) => name === "Age") ?? -1;
  const [row] = table.rows;
  const created = timeMilliseconds(row?.object?.metadata.creationTimestamp ?? "2026-11-20T14:30:11Z");
  return created + secondsOf(String(row?.cells[age] ?? "0s")) * 1000;
}

function secondsOf(duration: string): number {
  const [, minutes = "0", seconds = "0"] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

function withoutDescriptions(table: JsonObject): string {
  return JSON.stringify(table, (key, value) => (key === "description" ? hidden : value));
}

const transcripts = ["kinds", "listwatch", "crud"].map((name) => {
  const exchanges = exchangesOf(name);
  return { name, exchanges, objects: objectsOf(exchanges) };
});

/** The recorded server is 1.33 with the APIs of 1.32. */
const recorded: Release = "1.33";

const tables = transcripts.flatMap(({ name, exchanges, objects }) =>
  exchanges
    .filter(({ res }) => (res.body as JsonObject).kind === "Table")
    .map((exchange) => ({ name, exchange, objects, body: exchange.res.body as unknown as Table })),
);

describe("the Tables of a real server", () => {
  test("are 40", () => {
    expect(tables).toHaveLength(40);
  });

  test.each(tables.map((one) => [one.name, one.exchange.n, one.exchange.req.path, one] as const))(
    "%s %i %s",
    async (_name, _n, path, { objects, body }) => {
      const seen = body.rows.filter(({ object }) => objects.has(object?.metadata.resourceVersion ?? ""));
      const values = seen.map(({ object }) => objects.get(object?.metadata.resourceVersion ?? ""));
      const shown = values.map((value) => transient(value as KubeObject));
      const request = await tableRequest({
        path,
        now: timeOf(body, body.columnDefinitions),
        release: recorded,
      });
      const made = objectTable(shown, body.metadata, request);
      expect(withoutDescriptions(made)).toBe(JSON.stringify({ ...body, rows: seen }));
    },
  );

  test("nearly all have their objects in the transcripts", () => {
    const rows = tables.flatMap(({ body, objects }) =>
      body.rows.map(({ object }) => objects.has(object?.metadata.resourceVersion ?? "")),
    );
    expect(rows.filter(Boolean)).toHaveLength(49);
    expect(rows.filter((isSeen) => !isSeen)).toHaveLength(10);
  });

  test("have columns only in the first event of a watch", async () => {
    const { exchanges, objects } = transcripts[1] ?? { exchanges: [], objects: new Map() };
    const watch = exchanges.find(({ n }) => n === 101);
    const events = watch === undefined ? [] : bodiesOf(watch).filter(isJsonObject);
    const [first] = events.map(({ object }) => object as Table);
    expect(events.length).toBeGreaterThan(3);
    for (const [i, { object }] of events.entries()) {
      const body = object as Table;
      const value = objects.get(body.metadata.resourceVersion ?? "");
      const now = timeOf(body, first?.columnDefinitions ?? null);
      const request = await tableRequest({ path: "/api/v1/namespaces/lw/configmaps", now });
      expect(
        withoutDescriptions((i === 0 ? firstRowTable : rowTable)(transient(value as KubeObject), request)),
      ).toBe(JSON.stringify(body));
    }
  });
});

const now = Date.UTC(2030, 0, 1);
const configMap: KubeObject = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", resourceVersion: "7", creationTimestamp: "2029-12-31T23:59:00Z" },
  data: { k: "v" },
};

describe("a Table", () => {
  test.each<[query: string, object: JsonValue]>([
    ["", { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: configMap.metadata }],
    [
      "?includeObject=Metadata",
      { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: configMap.metadata },
    ],
    ["?includeObject=Object", { ...configMap, apiVersion: "v9" }],
    ["?includeObject=None", null],
  ])("requested with %j contains for each object %j", async (query, object) => {
    const convert = (stored: KubeObject): KubeObject => ({ ...stored, apiVersion: "v9" });
    const request = await tableRequest({ path: `/api/v1/configmaps${query}`, now, convert });
    const made = objectTable([transient(configMap)], {}, request);
    expect(made.rows).toEqual([{ cells: ["a", 1, "60s"], object }]);
  });

  test("refuses other values of includeObject", async () => {
    const request = await tableRequest({ path: "/api/v1/configmaps?includeObject=Zed", now });
    const error = errorOf(() => objectTable([], {}, request));
    const recordedError = JSON.parse(
      String(exchangesOf("crud").find(({ note }) => note === "table bad includeObject")?.res.body),
    );
    expect(error.status).toEqual(recordedError);
    expect(errorOf(() => firstRowTable(transient(configMap), request)).status).toEqual(recordedError);
  });

  test("has the requested version, and so has its metadata", async () => {
    const request = await tableRequest({ path: "/api/v1/configmaps", now, version: "v1beta1" });
    const made = objectTable([transient(configMap)], { resourceVersion: "9", continue: "x" }, request);
    expect(made).toMatchObject({
      apiVersion: "meta.k8s.io/v1beta1",
      metadata: { resourceVersion: "9", continue: "x" },
      rows: [{ object: { apiVersion: "meta.k8s.io/v1beta1" } }],
    });
  });

  test("without objects has no rows, but all columns", async () => {
    const made = objectTable([], { resourceVersion: "1" }, await tableRequest({ path: "/api/v1/pods", now }));
    expect(made).toMatchObject({ metadata: { resourceVersion: "1" }, rows: [] });
    expect(made.columnDefinitions).toHaveLength(9);
  });

  test("hides the annotation of a deprecated field", async () => {
    const generation = { "deprecated.daemonset.template.generation": "1" };
    const daemonSet = (annotations: { [key: string]: string }): KubeObject => ({
      ...configMap,
      metadata: { name: "d", annotations },
    });
    const request = await tableRequest({ path: "/apis/apps/v1/daemonsets", now });
    const shown = [generation, { ...generation, a: "b" }, { a: "b" }].map((annotations) => {
      const made = objectTable([transient(daemonSet(annotations))], {}, request) as unknown as Table;
      return made.rows[0]?.object?.metadata;
    });
    expect(shown).toEqual([
      { name: "d" },
      { name: "d", annotations: { a: "b" } },
      { name: "d", annotations: { a: "b" } },
    ]);
  });
});

describe("the Table of a subresource", () => {
  test.each<[path: string, columns: readonly string[]]>([
    ["/apis/apps/v1/namespaces/n/deployments/d/scale", ["Name", "Desired", "Available", "Age"]],
    ["/api/v1/nodes/n/status", ["Name", "Status", "Roles", "Age", "Version"]],
    ["/api/v1/namespaces/n/serviceaccounts/s/token", ["Name", "Created At"]],
  ])("%s has the columns %j", async (path, columns) => {
    const made = objectTable([], {}, await tableRequest({ path, now })) as unknown as Table;
    const names = made.columnDefinitions?.map(({ name }) => name) ?? [];
    expect(names.slice(0, columns.length)).toEqual(columns);
  });
});

function errorOf(call: () => unknown): StatusError {
  try {
    call();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

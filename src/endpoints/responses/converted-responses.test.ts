import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { encodedForms } from "../../codec/encoded-forms.ts";
import type { MediaType, OutputFormat } from "../../codec/media-types/output-format.ts";
import { readResponseBody } from "../../request/plain-request.ts";
import { type Conversion, conversionBetween } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { type EventEncoding, eventEncoding } from "./event-encoding.ts";
import { type Answering, respondList, respondObject } from "./respond.ts";

const view = viewOf({ release: "1.32" });
const gvk = { group: "", version: "v1", kind: "ConfigMap" };
const schema = view.kind(gvk) ?? expect.unreachable("1.32 has ConfigMaps");
const environment = { catalog: view.catalog, gates: featureGates("1.32") } as unknown as EndpointEnvironment;

/** A stored object, which keeps its bytes. */
function stored(name: string): Encodable {
  const kept = new Map<string, Uint8Array>();
  const value: KubeObject = { kind: "ConfigMap", apiVersion: "v0", metadata: { name, resourceVersion: "5" } };
  return {
    value,
    isEncoded: (form) => kept.has(form),
    kept: (form) => kept.get(form),
    keep: () => expect.unreachable("few items are not packed"),
    encoded: (form, encode) => {
      const bytes = kept.get(form) ?? encode(value);
      kept.set(form, bytes);
      return bytes;
    },
  };
}

type By = "nothing" | "server" | "webhook";

/** The endpoint of ConfigMaps, which are converted; `batches` gets how many objects each conversion has. */
function endpoint(by: By, batches: number[] = [], changes: Partial<ResourceScope> = {}): ResourceScope {
  const change = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, annotations: { converted: by } },
  });
  const own =
    by === "webhook"
      ? { convert: (objects: readonly KubeObject[]) => Promise.resolve(objects.map(change)) }
      : { fromStored: change, toStored: change };
  const version = by === "nothing" ? "v1" : "v0";
  const between = conversionBetween(
    { gvk: { ...gvk, version }, schema },
    { gvk, schema },
    () => own as never,
  );
  const conversion: Conversion = {
    ...between,
    convert: (objects) => {
      batches.push(objects.length);
      return between.convert(objects);
    },
  };
  // The responses read nothing else.
  return {
    gvk,
    schema,
    listSchema: view.kind({ ...gvk, kind: "ConfigMapList" }),
    forms: encodedForms(gvk),
    rest: { definition: { gvk: { ...gvk, version }, schema } },
    conversion,
    storedConversion: conversion,
    shownConversion: conversion,
    ...changes,
  } as unknown as ResourceScope;
}

interface Asked {
  readonly mediaType?: MediaType;
  readonly transform?: OutputFormat["transform"];
  readonly document?: object;
}

function answering(
  scope: ResourceScope,
  { mediaType = "application/json", transform, document }: Asked = {},
) {
  const context = { request: { document }, path: "/here", query: new URLSearchParams() };
  const format: OutputFormat = { mediaType, pretty: false, transform };
  return { scope, environment, context: context as unknown as ResourceContext, format } satisfies Answering;
}

const list = (items: readonly Encodable[]) => ({
  items,
  resourceVersion: "7",
  continueToken: undefined,
  remainingItemCount: undefined,
});
const metadata = { kind: "PartialObjectMetadata", version: "v1" } as const;

const textOf = async (response: ReturnType<typeof respondObject>) =>
  new TextDecoder().decode(await readResponseBody((await response).body));

describe("an object that is stored in another version", () => {
  test.each(["server", "webhook"] as const)("is shown in that of the endpoint by the %s", async (by) => {
    const response = respondObject(201, stored("a"), answering(endpoint(by)));
    expect(await response).toMatchObject({
      status: 201,
      headers: [["Content-Type", "application/json"]],
      compression: "object",
    });
    expect(JSON.parse(await textOf(response))).toMatchObject({
      apiVersion: "v1",
      metadata: { name: "a", annotations: { converted: by } },
    });
  });

  test("is handed to a part of the server in that version", async () => {
    const { document } = await respondObject(
      200,
      stored("a"),
      answering(endpoint("server"), { document: {} }),
    );
    expect(document).toMatchObject({ apiVersion: "v1", metadata: { annotations: { converted: "server" } } });
  });

  test.each<[string, MediaType]>([
    ["JSON", "application/json"],
    ["protobuf", "application/vnd.kubernetes.protobuf"],
  ])("is converted once for all its bytes in %s, in lists as well", async (_title, mediaType) => {
    const batches: number[] = [];
    const scope = endpoint("webhook", batches);
    const [a, b] = [stored("a"), stored("b")];
    const first = await textOf(respondObject(200, a, answering(scope, { mediaType })));
    expect(await textOf(respondObject(200, a, answering(scope, { mediaType })))).toBe(first);
    await textOf(respondList(list([a, b]), answering(scope, { mediaType })));
    await textOf(respondList(list([a, b]), answering(scope, { mediaType })));
    expect(batches).toEqual([1, 1]);
    await textOf(respondObject(200, a, answering(scope, { mediaType: "application/yaml" })));
    expect(batches).toEqual([1, 1, 1]);
  });

  test("is always converted if what it is converted from is elsewhere", async () => {
    const batches: number[] = [];
    const remote = { ...endpoint("webhook", batches).storedConversion, isRemote: true };
    const scope = endpoint("webhook", batches, { storedConversion: remote, shownConversion: remote });
    const object = stored("a");
    for (const _read of [1, 2]) {
      const shown = JSON.parse(await textOf(respondObject(200, object, answering(scope))));
      expect(shown.metadata.annotations).toEqual({ converted: "webhook" });
    }
    expect(batches).toEqual([1, 1]);
  });

  test("has the metadata that a webhook gives it, but not what the server adds for old versions", async () => {
    for (const [by, annotations] of [
      ["server", undefined],
      ["webhook", { converted: "webhook" }],
    ] as const) {
      const one = respondObject(200, stored("a"), answering(endpoint(by), { transform: metadata }));
      expect(JSON.parse(await textOf(one)).metadata.annotations).toEqual(annotations);
      const transform = { ...metadata, kind: "PartialObjectMetadataList" } as const;
      const all = respondList(list([stored("a")]), answering(endpoint(by), { transform }));
      expect(JSON.parse(await textOf(all)).items[0].metadata.annotations).toEqual(annotations);
    }
  });
});

describe("a Table", () => {
  const configMaps = view.resource({ group: "", version: "v1", resource: "configmaps" });
  const asTable = async (scope: ResourceScope, query = "") => {
    const asked = answering(scope, { transform: { kind: "Table", version: "v1" } });
    const response = respondObject(201, stored("a"), {
      ...asked,
      context: { ...asked.context, query: new URLSearchParams(query) },
      environment: {
        ...environment,
        served: { current: view },
        clock: new VirtualClock(0),
      } as unknown as EndpointEnvironment,
    });
    expect(await response).toMatchObject({ status: 201, compression: "object" });
    return JSON.parse(await textOf(response));
  };
  const printable = { resource: configMaps, loadPrinter: async () => undefined } as Partial<ResourceScope>;

  test("of an object has its revision, and its link while objects have links", async () => {
    expect((await asTable(endpoint("nothing", [], printable))).metadata).toEqual({ resourceVersion: "5" });
    const selfLinkOf = () => "/of/a";
    expect((await asTable(endpoint("nothing", [], { ...printable, selfLinkOf }))).metadata).toEqual({
      selfLink: "/of/a",
      resourceVersion: "5",
    });
  });

  test("converts only objects that its rows show whole", async () => {
    for (const [query, apiVersion, converted] of [
      ["", "meta.k8s.io/v1", []],
      ["includeObject=Object", "v1", [1]],
    ] as const) {
      const batches: number[] = [];
      const { rows } = await asTable(endpoint("webhook", batches, printable), query);
      expect(rows[0].object).toMatchObject({ apiVersion, metadata: { name: "a" } });
      expect(batches).toEqual(converted);
    }
  });

  test("of what a codec has stored is made of what it decodes", async () => {
    const batches: number[] = [];
    const changes = { ...printable, rest: { codec: {} } } as unknown as Partial<ResourceScope>;
    const { rows } = await asTable(endpoint("server", batches, changes));
    expect(rows[0].object.metadata.annotations).toEqual({ converted: "server" });
    expect(batches).toEqual([1]);
  });
});

test("the metadata of custom resources is in the order of its type, not of the alphabet", async () => {
  const custom = { ...schema, type: { from: "openApi" } } as unknown as ResourceScope["schema"];
  const value: KubeObject = {
    kind: "Gadget",
    apiVersion: "v1",
    metadata: { annotations: { a: "b" }, creationTimestamp: "2026-01-01T00:00:00Z", name: "g" },
  };
  const keysOf = async (changes: Partial<ResourceScope>) => {
    const asked = answering(endpoint("nothing", [], changes), { transform: metadata });
    const shown = JSON.parse(await textOf(respondObject(200, transient(value), asked)));
    return [Object.keys(shown), Object.keys(shown.metadata)];
  };
  expect(await keysOf({ schema: custom })).toEqual([
    ["kind", "apiVersion", "metadata"],
    ["name", "creationTimestamp", "annotations"],
  ]);
  // Those of built-in kinds are in order already.
  expect(await keysOf({})).toEqual([
    ["kind", "apiVersion", "metadata"],
    ["annotations", "creationTimestamp", "name"],
  ]);
});

test("an object in the version of the endpoint keeps its bytes", async () => {
  const scope = endpoint("nothing");
  const object = stored("a");
  const [first, second] = await Promise.all([1, 2].map(() => respondObject(200, object, answering(scope))));
  const piece = (response: typeof first) => Array.isArray(response?.body) && response.body[0];
  expect(piece(first)).toBeInstanceOf(Uint8Array);
  expect(piece(second)).toBe(piece(first));
});

describe("a list", () => {
  test("of a resource without revisions has none, and one of a page says what follows", async () => {
    const metadataOf = async (changes: object) => {
      const response = respondList({ ...list([]), ...changes }, answering(endpoint("nothing")));
      return JSON.parse(await textOf(response)).metadata;
    };
    expect(await metadataOf({})).toEqual({ resourceVersion: "7" });
    expect(await metadataOf({ resourceVersion: "" })).toEqual({});
    expect(await metadataOf({ continueToken: "c", remainingItemCount: 0 })).toEqual({
      resourceVersion: "7",
      continue: "c",
      remainingItemCount: 0,
    });
  });

  test("has a link to its path while objects have links", async () => {
    const scope = endpoint("nothing", [], { selfLinkOf: ({ metadata: { name } }) => `/of/${name}` });
    expect(JSON.parse(await textOf(respondList(list([]), answering(scope)))).metadata.selfLink).toBe("/here");
  });
});

describe("a list of the core group", () => {
  test("cannot be the metadata of one object", () => {
    expect(() => respondList(list([]), answering(endpoint("nothing"), { transform: metadata }))).toThrow(
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    );
  });
});

describe("the events of a watch", () => {
  const framesOf = async (encoding: EventEncoding, objects: readonly Encodable[]) => {
    const bytes = await encoding.events(objects.map((object) => ({ type: "MODIFIED", object })));
    return new TextDecoder()
      .decode(bytes)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  test.each(["server", "webhook"] as const)("are converted once by the %s for all watches", async (by) => {
    const batches: number[] = [];
    const scope = endpoint(by, batches);
    const objects = [stored("a"), stored("b")];
    const expected = objects.map(({ value }) => ({
      type: "MODIFIED",
      object: { apiVersion: "v1", metadata: { name: value.metadata.name, annotations: { converted: by } } },
    }));
    for (const _watch of [1, 2])
      expect(await framesOf(await eventEncoding(answering(scope)), objects)).toMatchObject(expected);
    expect(batches).toEqual([2]);
  });

  test("with metadata alone are converted by a webhook only, once for all watches", async () => {
    for (const [by, annotations, converted] of [
      ["server", undefined, []],
      ["webhook", { converted: "webhook" }, [1]],
    ] as const) {
      const batches: number[] = [];
      const scope = endpoint(by, batches);
      const object = stored("a");
      for (const _watch of [1, 2]) {
        const encoding = await eventEncoding(answering(scope, { transform: metadata }));
        const [event] = await framesOf(encoding, [object]);
        expect(event.object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
        expect(event.object.metadata.annotations).toEqual(annotations);
      }
      expect(batches).toEqual(converted);
    }
  });

  test.each([
    ["application/json", '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1"'],
    ["application/cbor-seq", "Status"],
    ["application/vnd.kubernetes.protobuf", "Status"],
  ] as const)("may end with a Status in %s", async (mediaType, part) => {
    const encoding = await eventEncoding(answering(endpoint("nothing"), { mediaType }));
    const bytes = encoding.error({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      code: 410,
    });
    expect(new TextDecoder().decode(bytes)).toContain(part);
  });
});

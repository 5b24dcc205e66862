import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { structAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion, parseGroupVersion } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonCopy } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { encodeJson, parseJson } from "../../codec/json/json.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { canonicalizeStored } from "../../schema/canonical.ts";
import { decodeInto } from "../../schema/typed-decode.ts";
import { applyKind } from "./apply-kind.ts";
import { allBut } from "./field-filter.ts";
import { type FieldManager, fieldManager } from "./field-manager.ts";
import type { FieldSet } from "./field-set.ts";
import { isSubset } from "./field-set-algebra.ts";
import { fieldSetOfFieldsV1 } from "./fields-v1.ts";
import { managerName } from "./manager-name.ts";

const catalog = catalogOf({ release: "1.32" });

/** A recorded write to an object on a real server, and the object before it. */
interface Write {
  readonly n: number;
  readonly title: string;
  readonly method: string;
  readonly url: URL;
  readonly isApply: boolean;
  readonly userAgent: string;
  readonly body: JsonValue;
  readonly status: number;
  readonly answer: JsonObject;
  readonly live: KubeObject | undefined;
}

const writesOf = (area: string): readonly Write[] => {
  const objects = new Map<string, KubeObject>();
  const writes: Write[] = [];
  for (const line of readFileSync(`test/conformance/golden/${area}.jsonl`, "utf8").split("\n")) {
    const exchange = line === "" ? null : parseJson(line);
    if (isJsonObject(exchange)) addWrite(writes, objects, exchange);
  }
  return writes;
};

function addWrite(writes: Write[], objects: Map<string, KubeObject>, exchange: JsonObject): void {
  const { method, path, headers, body = null } = structAt(exchange, "req") as { [key: string]: JsonValue };
  const { status, body: answer = null } = structAt(exchange, "res") as { [key: string]: JsonValue };
  if (!isJsonObject(answer)) return;
  const url = new URL(String(path), "https://cluster.test");
  const [, name] = /\/([^/]+)(?:\/status|\/finalize)?$/.exec(url.pathname) ?? [];
  const [contentType, userAgent] = ["Content-Type", "User-Agent"].map((key) =>
    isJsonObject(headers ?? null) ? String((headers as JsonObject)[key] ?? "") : "",
  );
  const isWhole = answer["kind"] !== "Status" && answer["apiVersion"] !== "meta.k8s.io/v1";
  const isObject = isWhole && isJsonObject(answer["metadata"]);
  // Objects in responses are complete.
  const object = isObject ? (answer as KubeObject) : undefined;
  const key = `${url.pathname.replace(/\/(?:status|finalize)$/, "").replace(method === "POST" ? /$/ : /\/[^/]+$/, "")} ${object?.metadata.name ?? name}`;
  writes.push({
    n: Number(exchange["n"]),
    title: `${exchange["n"]} ${exchange["note"]}`,
    method: String(method),
    url,
    isApply: contentType === "application/apply-patch+yaml",
    userAgent: userAgent ?? "",
    body: typeof body === "string" ? parseBody(body) : body,
    status: Number(status),
    answer,
    live: objects.get(key),
  });
  if (object !== undefined && method !== "DELETE" && !url.searchParams.has("dryRun"))
    objects.set(key, object);
}

/** Returns other bodies, such as YAML, as text. */
function parseBody(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof DecodeError) return body;
    throw error;
  }
}

/** The latest time in a response, which is the time of the response. */
function timeOf(answer: JsonObject): number {
  const times = encodeJson(answer).match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g) ?? [];
  return Math.max(0, ...times.map((time) => Date.parse(time)));
}

function fieldsOf({ answer, url, live }: Write): FieldManager | undefined {
  const { apiVersion, kind } = answer["kind"] === "Status" ? (live ?? {}) : answer;
  const gv = parseGroupVersion(String(apiVersion));
  const schema = gv && catalog.kind({ ...gv, kind: String(kind) });
  if (gv === undefined || schema === undefined) return undefined;
  const gvk = { ...gv, kind: String(kind) };
  const resource = catalog.resources(gv).find((candidate) => candidate.kind === kind)?.resource ?? "";
  const [, subresource = ""] = /\/(status|finalize)$/.exec(url.pathname) ?? [];
  const reset =
    catalog.facts({ ...gv, resource })?.resetFields.get(subresource === "" ? "main" : subresource) ?? [];
  const known = applyKind(builtInSchema(schema), gvk);
  return fieldManager({
    tracksCreations: true,
    gvk,
    subresource,
    filter: allBut(reset),
    kindOf: (version) => (version === formatGroupVersion(gv) ? known : undefined),
    convert: () => undefined,
    // Merged configurations are complete.
    complete: (object) => decodeInto(schema, object).object as MutableKubeObject,
    now: () => timeOf(answer),
  });
}

/** The object of the response with the entries that the client sent. */
function withoutEntries({ answer, body }: Write): MutableKubeObject {
  const object = jsonCopy(answer) as MutableKubeObject;
  delete object.metadata["managedFields"];
  const sent = structAt(isJsonObject(body) ? body : {}, "metadata")["managedFields"];
  if (sent !== undefined && sent !== null) object.metadata["managedFields"] = sent;
  return object;
}

const managerOf = ({ url, userAgent }: Write): string =>
  managerName(url.searchParams.get("fieldManager") ?? "", userAgent);

const entriesOf = (object: JsonObject): JsonValue => structAt(object, "metadata")["managedFields"] ?? null;

describe.each(["apply", "crud", "patch", "kinds"])("in the transcript of %s", (area) => {
  test("every set of fields is in canonical form", () => {
    let sets = 0;
    for (const { answer } of writesOf(area)) {
      const entries = entriesOf(answer);
      for (const entry of Array.isArray(entries) ? entries : []) {
        const fields = structAt(entry, "fieldsV1");
        expect(fieldSetOfFieldsV1(fields)).toBe(fields);
        expect(fieldSetOfFieldsV1(jsonCopy(fields))).toEqual(fields);
        expect(encodeJson(fieldSetOfFieldsV1(reversed(fields)))).toBe(encodeJson(fields));
        sets++;
      }
    }
    expect(sets).toBeGreaterThan(0);
  });
});

/** The same object with its keys in reverse order. */
function reversed(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

const applies = writesOf("apply").filter(
  ({ isApply, body, answer, status }) =>
    isApply && isJsonObject(body) && answer["kind"] !== "Scale" && status !== 403,
);

describe("a recorded apply", () => {
  /** Refusals that field management does not decide: names, permissions, validation. */
  const elsewhere =
    /fieldManager|name of the object|namespace of the provided|modified; please|uid mismatch|is invalid/;
  /** Strategies restore fields that the endpoint resets, and the target port of a service defaults to its port. */
  const valuesElsewhere = [76, 78, 85];
  const cases = applies.filter(
    ({ answer, live }) =>
      !elsewhere.test(String(answer["message"])) && (live !== undefined || answer["kind"] !== "Status"),
  );

  test.each(cases.map((write) => [write.title, write] as const))(
    "%s has the recorded result",
    (_title, write) => {
      const { answer, live, url, body } = write;
      const force = url.searchParams.get("force") === "true" ? "forced" : "careful";
      const config = isJsonObject(body) ? body : {};
      const apply = (): KubeObject | undefined =>
        fieldsOf(write)?.apply(live, config, managerOf(write), force);
      if (answer["kind"] === "Status") {
        expect(apply).toThrow(expect.objectContaining({ status: answer }));
        return;
      }
      const applied = apply() ?? {};
      // The Namespace was created before the recording began.
      if (live === undefined && write.status === 200) return;
      expect(entriesOf(applied)).toEqual(entriesOf(answer));
      // Defaults and fields that the server sets come later.
      if (!valuesElsewhere.includes(write.n))
        expect(answer).toMatchObject({ ...stored(applied), metadata: {} });
    },
  );

  test("occurs often enough", () => {
    expect(cases.length).toBeGreaterThan(45);
  });
});

function stored(object: JsonObject): JsonObject {
  const gv = parseGroupVersion(String(object["apiVersion"]));
  const schema = gv && catalog.kind({ ...gv, kind: String(object["kind"]) });
  return schema === undefined ? object : canonicalizeStored(schema, object);
}

describe.each<[string, readonly number[]]>([
  ["apply", []],
  // The server itself removes the finalizer and sets the phase.
  ["crud", [105, 124]],
  ["patch", []],
  // Node ports and policies that depend on a service's type; labels and finalizers of namespaces.
  ["kinds", [109, 110, 111, 114, 231, 232, 233]],
])("in the transcript of %s", (area, serverWrites) => {
  const updates = writesOf(area).filter(
    ({ isApply, status, live, answer, method }) =>
      !isApply &&
      status === 200 &&
      live !== undefined &&
      answer["kind"] !== "Scale" &&
      /^(?:PUT|PATCH)$/.test(method),
  );

  test("every other write results in the recorded entries", () => {
    for (const write of updates) {
      if (serverWrites.includes(write.n)) continue;
      const object = fieldsOf(write)?.update(write.live, withoutEntries(write), managerOf(write));
      expect([write.title, entriesOf(object ?? {})]).toEqual([write.title, entriesOf(write.answer)]);
    }
  });
});

describe.each<[string, number]>([
  ["apply", 1],
  ["crud", 0.85],
  ["patch", 1],
  // Cluster addresses, service accounts and tolerations of pods, finalizers.
  ["kinds", 0.48],
])("in the transcript of %s", (area, share) => {
  const creations = writesOf(area).filter(
    ({ method, status, answer }) => method === "POST" && status === 201 && entriesOf(answer) !== null,
  );

  test("the creator of an object owns the fields that it sent, and only existing fields", () => {
    for (const write of creations) {
      const body = isJsonObject(write.body) ? write.body : {};
      const { apiVersion = null, kind = null } = write.answer;
      const recorded = onlySet(write.answer);
      const sent = fieldsOf(write)?.update(undefined, decoded(write, { ...body, apiVersion, kind }), "m");
      const answered = fieldsOf(write)?.update(undefined, withoutEntries(write), "m");
      expect([write.title, isSubset(onlySet(sent ?? {}), recorded)]).toEqual([write.title, true]);
      // The server drops the config source of a node after its ownership was recorded.
      const isDropped = area === "kinds" && write.n === 257;
      if (!isDropped)
        expect([write.title, isSubset(recorded, onlySet(answered ?? {}))]).toEqual([write.title, true]);
    }
  });

  test("most new objects have exactly the recorded entry", () => {
    const same = creations.filter((write) => {
      const object = fieldsOf(write)?.update(undefined, withoutEntries(write), managerOf(write));
      return encodeJson(entriesOf(object ?? {})) === encodeJson(entriesOf(write.answer));
    });
    expect(same.length / creations.length).toBeGreaterThanOrEqual(share);
  });
});

function decoded({ answer }: Write, body: JsonObject): MutableKubeObject {
  const gv = parseGroupVersion(String(answer["apiVersion"]));
  const schema = gv && catalog.kind({ ...gv, kind: String(answer["kind"]) });
  // The server converts this to `data` before it tracks fields.
  const { stringData: _written, ...others } = body;
  const object = schema === undefined ? others : decodeInto(schema, others).object;
  // Bodies may omit metadata.
  return { metadata: {}, ...object } as unknown as MutableKubeObject;
}

/** The set of the only entry. */
function onlySet(object: JsonObject): FieldSet {
  const entries = entriesOf(object);
  const [entry] = Array.isArray(entries) ? entries : [];
  return fieldSetOfFieldsV1(structAt(isJsonObject(entry) ? entry : {}, "fieldsV1"));
}

test("a refusal is a StatusError", () => {
  const [write] = applies.filter(({ status }) => status === 409);
  if (write === undefined) throw new Error("no conflict was recorded");
  const config = isJsonObject(write.body) ? write.body : {};
  expect(() => fieldsOf(write)?.apply(write.live, config, managerOf(write), "careful")).toThrow(StatusError);
});

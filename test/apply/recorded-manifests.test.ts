import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { structAt } from "../../src/apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/index.ts";
import { entriesOf } from "../arbitraries/owned-object.ts";
import { ApplyServer } from "./apply-server.ts";

// Each manifest needs its own clusters.
vi.setConfig({ testTimeout: 60_000 });

interface Manifest {
  readonly title: string;
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly object: JsonObject;
}

/** The objects posted in a transcript, as a client would apply them. */
function manifestsOf(area: string): readonly Manifest[] {
  const lines = readFileSync(`test/conformance/golden/${area}.jsonl`, "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line): Manifest[] => {
    const { n, note, req, res } = JSON.parse(line);
    const [collection, query] = req.path.split("?");
    const isObject = res.status === 201 && res.body?.metadata?.resourceVersion !== undefined;
    if (req.method !== "POST" || query !== undefined || !isObject) return [];
    const body = jsonOf(req.body);
    if (body === undefined) return [];
    const { apiVersion, kind, metadata } = res.body;
    const { labels, annotations, finalizers, ownerReferences } = structAt(body, "metadata");
    const kept = Object.entries({ labels, annotations, finalizers, ownerReferences });
    const object = {
      apiVersion,
      kind,
      ...body,
      metadata: {
        name: metadata.name,
        ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
      },
    };
    const namespace = /\/namespaces\/([^/]+)\//.exec(collection)?.[1];
    return [{ title: `${area} ${n}: ${note}`, collection, namespace, object }];
  });
}

/** Bodies are recorded as objects or as text; some are not JSON. */
function jsonOf(body: unknown): JsonObject | undefined {
  try {
    const value: JsonValue = typeof body === "string" ? JSON.parse(body) : body;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const manifests = ["kinds", "crud", "patch"].flatMap(manifestsOf);

let original: ApplyServer;
beforeAll(async () => {
  original = new ApplyServer({ seed: 1 });
  for (const namespace of new Set(manifests.map((manifest) => manifest.namespace ?? "default"))) {
    if (namespace !== "default") {
      await original.send("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    }
    const account = { metadata: { name: "default" } };
    await original.send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, account);
  }
});
afterAll(() => original.cluster.close());

/** An object without values that differ between clusters, and without managedFields. */
function comparable({ metadata, ...others }: KubeObject): JsonObject {
  const { uid: _uid, resourceVersion: _version, managedFields: _entries, ...kept } = metadata;
  return JSON.parse(
    JSON.stringify({ ...others, metadata: kept })
      .replace(/"2026-11-20T00:[^"]*"/g, '"now"')
      .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access")
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uid"),
  );
}

test("the transcripts contain manifests of many kinds", () => {
  expect(new Set(manifests.map(({ object }) => object["kind"])).size).toBeGreaterThan(20);
});

test.each(manifests.map((manifest) => [manifest.title, manifest] as const))(
  "%s creates the same object when it is applied, and changes nothing when it is applied again",
  async (_title, { collection, object }) => {
    const at = `${collection}/${(object["metadata"] as JsonObject)["name"]}`;
    await using one = original.fork();
    await using other = original.fork();
    const created = await one.send("POST", collection, object, { manager: "m" });
    if (created.code === 409) return;
    const applied = await other.apply(at, object, "m");
    expect([applied.code, applied.message]).toEqual([201, ""]);
    expect(withoutAllocations(applied.object)).toEqual(withoutAllocations(created.object));
    // If an object has no managedFields, the next apply first records the existing fields.
    if (entriesOf(applied.object).length === 0) return;
    expect((await other.apply(at, object, "m")).object).toEqual(applied.object);
  },
);

/** Addresses and ports are assigned randomly. */
function withoutAllocations(object: KubeObject): JsonObject {
  const text = JSON.stringify(comparable(object));
  if (object.kind !== "Service") return JSON.parse(text);
  return JSON.parse(
    text.replace(/"10\.\d+\.\d+\.\d+"/g, '"ip"').replace(/"nodePort":3\d{4}/g, '"nodePort":0'),
  );
}

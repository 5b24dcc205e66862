import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { parseJson } from "../codec/json/json.ts";
import { canonicalize } from "../schema/canonical.ts";
import { fromUnstructured } from "../schema/from-unstructured.ts";
import { applyStrategicMergePatch, parseStrategicMergePatch } from "./strategic-merge-patch.ts";

interface Recorded {
  readonly n: number;
  readonly note: string;
  readonly live: JsonObject;
  readonly patch: string;
  readonly status: number;
  readonly body: JsonObject;
}

/** The recorded strategic merge patches of a Deployment on a real server, with the object before and after. */
function recordedPatches(): Recorded[] {
  const lines = readFileSync("test/conformance/golden/patch.jsonl", "utf8").trim().split("\n");
  const patches: Recorded[] = [];
  let live: JsonObject = {};
  for (const { n, note, req, res } of lines.map((line) => parseJson(line) as unknown as Line)) {
    const isStrategic = req.headers?.["Content-Type"] === "application/strategic-merge-patch+json";
    if (isStrategic)
      patches.push({ n, note, live, patch: String(req.body), status: res.status, body: res.body });
    if (res.body.kind === "Deployment" && !req.path.includes("dryRun")) live = res.body;
  }
  return patches;
}

interface Line {
  readonly n: number;
  readonly note: string;
  readonly req: { readonly path: string; readonly body: JsonValue; readonly headers?: JsonObject };
  readonly res: { readonly status: number; readonly body: JsonObject };
}

const schema = catalogOf({ release: "1.32" }).kind({ group: "apps", version: "v1", kind: "Deployment" });

/** Fields that defaulting and storage add after the patch. */
const added: ReadonlySet<string> = new Set([
  ..."resourceVersion generation managedFields imagePullPolicy terminationMessagePath".split(" "),
  ..."terminationMessagePolicy defaultMode".split(" "),
]);

function withoutAdded(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutAdded);
  if (!isJsonObject(value)) return value;
  const kept: MutableJsonObject = {};
  for (const [key, item] of Object.entries(value)) if (!added.has(key)) kept[key] = withoutAdded(item);
  return kept;
}

function patched(live: JsonObject, body: string): JsonObject {
  if (schema === undefined) throw new Error("no Deployment");
  const { patch } = parseStrategicMergePatch(body, "Warn");
  const { document } = applyStrategicMergePatch(live, patch, schema);
  return canonicalize(schema, fromUnstructured(schema, document).object);
}

const recorded = recordedPatches();

describe("a real server", () => {
  const successes = recorded.filter(({ status }) => status === 200);
  const refusals = recorded.filter(
    ({ status, body }) => status === 500 || getKey(body, "reason") === "BadRequest",
  );
  const aboutTheResult = /undeterminable/;

  for (const { n, note, live, patch, body } of successes) {
    test(`${n}: ${note}`, () => {
      expect(withoutAdded(patched(live, patch))).toEqual(withoutAdded(body));
    });
  }

  for (const { n, note, live, patch, body, status } of refusals) {
    if (aboutTheResult.test(String(body.message))) continue;
    test(`refuses ${n}: ${note}`, () => {
      const kind = status === 500 ? "internal" : "badRequest";
      const refusal = expect.objectContaining({ kind, message: String(body.message) });
      expect(() => patched(live, patch)).toThrow(refusal);
    });
  }
});

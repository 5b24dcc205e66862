import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { type Catalog, catalogOf } from "../catalog/catalog.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import { canonicalize } from "./canonical.ts";
import { decodeInto } from "./typed-decode.ts";

const folder = "test/conformance/golden";
const catalog: Catalog = catalogOf({ release: "1.32" });

/** Every distinct object in the responses of a real server. */
function recordedObjects(file: string): ReadonlyMap<string, JsonObject> {
  const objects = new Map<string, JsonObject>();
  for (const line of readFileSync(`${folder}/${file}`, "utf8").split("\n")) {
    if (line === "") continue;
    const recorded = parseJson(line);
    const response = isJsonObject(recorded) ? recorded.res : undefined;
    const body = isJsonObject(response) ? response.body : undefined;
    if (isJsonObject(body)) objects.set(encodeJson(body), body);
    // The lines of a watch.
    if (typeof body === "string" && body.startsWith('{"type":')) {
      for (const event of body.trim().split("\n")) addObject(objects, parseJson(event));
    }
  }
  return objects;
}

function addObject(objects: Map<string, JsonObject>, event: JsonValue): void {
  const object = isJsonObject(event) ? event.object : undefined;
  if (isJsonObject(object)) objects.set(encodeJson(object), object);
}

describe.each(readdirSync(folder).filter((name) => name.endsWith(".jsonl")))("%s", (file) => {
  test("contains only objects in canonical form", () => {
    let held = 0;
    for (const [text, object] of recordedObjects(file)) {
      const gv = parseGroupVersion(String(object.apiVersion));
      const schema = gv && catalog.kind({ ...gv, kind: String(object.kind) });
      if (schema === undefined) continue;
      const { object: decoded, strictErrors } = decodeInto(schema, object);
      expect(strictErrors).toEqual([]);
      expect(encodeJson(canonicalize(schema, decoded))).toBe(text);
      held++;
    }
    expect(held).toBeGreaterThan(0);
  });
});

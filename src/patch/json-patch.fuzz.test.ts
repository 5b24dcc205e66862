import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, unlessRefused } from "../../test/arbitraries/nearly.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { applyJsonPatch, parseJsonPatch } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

const document: JsonObject = deepFreeze({
  metadata: { name: "a", labels: { "a/b": "1", "~": "2", __proto: "3" } },
  list: [1, [2], { a: null }],
});
const pointer = fc.constantFrom(
  "",
  "/",
  "/metadata",
  "/metadata/labels/a~1b",
  "/metadata/labels/~0",
  "/list/-",
  "/list/1/0",
  "/list/-1",
  "/list/99",
  "/x/y",
  "/__proto__/x",
);
const operation = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "merge"),
    path: pointer,
    from: pointer,
    value: fc.oneof(fc.constantFrom(null, 1, "x", {}, []), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ["op"] },
);
const patch = nearly(
  fc.array(operation, { maxLength: 5 }).map((operations) => JSON.stringify(operations)),
  '{}[]:,"\\/~-019enul',
);

test("any patch is refused with a PatchError, at the latest when it is applied, or yields a document that can be sent", () => {
  fc.assert(
    fc.property(patch, fc.constantFrom("Ignore", "Warn", "Strict"), (text, validation) => {
      const parsed = unlessRefused(() => parseJsonPatch(text, validation), PatchError);
      if (parsed === undefined) return;
      const before = encodeJson(document);
      const patched = unlessRefused(() => applyJsonPatch(document, parsed.operations), PatchError);
      expect(encodeJson(document)).toBe(before);
      expect(patched).not.toBe(document);
      expect(Reflect.get({}, "x")).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
});

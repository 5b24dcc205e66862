import { expect, test } from "vitest";
import { parseJsonPatch, patchJsonText } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

/** The texts of github.com/evanphx/json-patch, which a mutating webhook sees. */
test.each([
  [
    { op: "remove", path: "/b" },
    "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value",
  ],
  [
    { op: "remove", path: "/b/c" },
    'remove operation does not apply: doc is missing path: "/b/c": missing value',
  ],
  [{ op: "remove", path: "" }, 'remove operation does not apply: doc is missing path: "": missing value'],
  [
    { op: "remove", path: "/l/2" },
    "error in remove for path: '/l/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [
    { op: "remove", path: "/l/x" },
    `error in remove for path: '/l/x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [{ op: "remove" }, "remove operation failed to decode path: missing value"],
  [
    { op: "add", path: "/b/c", value: 1 },
    'add operation does not apply: doc is missing path: "/b/c": missing value',
  ],
  [
    { op: "add", path: "/l/3", value: 1 },
    "error in add for path: '/l/3': Unable to access invalid index: 3: invalid index referenced",
  ],
  [
    { op: "add", path: "/l/x", value: 1 },
    `error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    { op: "replace", path: "/b/c", value: 1 },
    "replace operation does not apply: doc is missing path: /b/c: missing value",
  ],
  [
    { op: "replace", path: "/l/2", value: 1 },
    "replace operation does not apply: doc is missing key: /l/2: missing value",
  ],
  [{ op: "replace" }, "replace operation failed to decode path: operation missing path field: missing value"],
  [
    { op: "move", from: "/b/c", path: "/a" },
    "move operation does not apply: doc is missing from path: /b/c: missing value",
  ],
  [
    { op: "move", from: "/b", path: "/a" },
    "error in move for path: 'b': Unable to remove nonexistent key: b: missing value",
  ],
  [
    { op: "move", from: "/a", path: "/b/c" },
    "move operation does not apply: doc is missing destination path: /b/c: missing value",
  ],
  [
    { op: "move", path: "/b/c" },
    "move operation failed to decode from: operation, missing from field: missing value",
  ],
  [
    { op: "copy", from: "/b/c", path: "/a" },
    "copy operation does not apply: doc is missing from path: /b/c: missing value",
  ],
  [
    { op: "copy", from: "/l/2", path: "/a" },
    "error in copy for from: '/l/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [
    { op: "copy", from: "/a", path: "/b/c" },
    "copy operation does not apply: doc is missing destination path: /b/c: missing value",
  ],
  [
    { op: "copy", from: "/a", path: "/l/9" },
    "error while adding value during copy: Unable to access invalid index: 9: invalid index referenced",
  ],
  [{ op: "test", path: "/a", value: 2 }, "testing value /a failed: test failed"],
  [{ op: "test", path: "/b", value: 2 }, "testing value /b failed: test failed"],
  [
    { op: "test", path: "/b/c", value: 2 },
    "test operation does not apply: is missing path: /b/c: missing value",
  ],
  [
    { op: "test", path: "/l/2", value: 2 },
    "error in test for path: '/l/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [{ op: "zed", path: "/a" }, "Unexpected kind: zed"],
  [{ path: "/a" }, "Unexpected kind: unknown"],
  [
    { op: "add", path: "b", value: 1 },
    'add operation does not apply: doc is missing path: "b": missing value',
  ],
  [{ op: "add", path: null }, "add operation failed to decode path: missing value"],
  [{ op: "test", path: "", value: {} }, "testing value  failed: test failed"],
])("%j does not apply: %s", (operation, message) => {
  const parsed = parseJsonPatch(JSON.stringify([operation]), "Warn").operations;
  const attempt = () => patchJsonText('{"a":1,"l":[0,1]}', parsed);
  expect(attempt).toThrow(new PatchError("unprocessable", message));
});

import { configMaps, type Statement, send } from "./statement.ts";

const json = "application/json-patch+json";
const unprocessable = "the server rejected our request due to an error in our request";

/** A JSON patch of the config map h, whose labels are foo=bar and baz=blah. */
function jsonPatch(
  says: string,
  operations: object | string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const request = send("PATCH", `${configMaps}/h?dryRun=All`, operations, json);
  return {
    source: "API reference, patch, section 1",
    says,
    request,
    code,
    ...(answer !== undefined && { answer }),
  };
}

const labels = "/metadata/labels";
const labeledAs = (expected: object) => ({ metadata: { labels: expected } });

export const jsonPatchStatements: readonly Statement[] = [
  jsonPatch("an empty patch changes nothing", [], 200, labeledAs({ foo: "bar" })),
  jsonPatch("null is an empty patch", "null", 200, labeledAs({ foo: "bar" })),
  jsonPatch(
    "a patch is a list",
    {},
    400,
    /^error decoding patch: json: cannot unmarshal object into Go value of type \[\]handlers\.jsonPatchOp$/,
  ),
  jsonPatch("half a patch is no JSON", "[", 400, "error decoding patch: unexpected end of JSON input"),
  jsonPatch(
    "add creates a member",
    [{ op: "add", path: `${labels}/n`, value: "1" }],
    200,
    labeledAs({ n: "1", foo: "bar" }),
  ),
  jsonPatch(
    "add replaces a member",
    [{ op: "add", path: `${labels}/foo`, value: "1" }],
    200,
    labeledAs({ foo: "1" }),
  ),
  jsonPatch("add needs a parent", [{ op: "add", path: "/data/a", value: "1" }], 422, unprocessable),
  jsonPatch(
    "replace creates a missing member",
    [{ op: "replace", path: `${labels}/n`, value: "1" }],
    200,
    labeledAs({ n: "1" }),
  ),
  jsonPatch("replace needs a parent", [{ op: "replace", path: "/data/a", value: "1" }], 422, unprocessable),
  jsonPatch("remove needs the member", [{ op: "remove", path: `${labels}/n` }], 422, unprocessable),
  jsonPatch("test compares a value", [{ op: "test", path: `${labels}/foo`, value: "bar" }], 200),
  jsonPatch(
    "test fails for another value",
    [{ op: "test", path: `${labels}/foo`, value: "x" }],
    422,
    unprocessable,
  ),
  jsonPatch("test finds that a member is missing", [{ op: "test", path: `${labels}/n`, value: null }], 200),
  jsonPatch(
    "move takes a value away",
    [{ op: "move", from: `${labels}/foo`, path: `${labels}/n` }],
    200,
    /"labels":\{"baz":"blah","n":"bar"\}/,
  ),
  jsonPatch(
    "copy keeps a value",
    [{ op: "copy", from: `${labels}/foo`, path: `${labels}/n` }],
    200,
    labeledAs({ foo: "bar", n: "bar" }),
  ),
  jsonPatch(
    "copy needs a source",
    [{ op: "copy", from: "/data/a", path: `${labels}/n` }],
    422,
    unprocessable,
  ),
  jsonPatch("an unknown operation is refused", [{ op: "merge", path: "/x" }], 422, unprocessable),
  jsonPatch("an operation has a path", [{ op: "add", value: 1 }], 422, unprocessable),
  jsonPatch(
    "a pointer unescapes ~1",
    [{ op: "add", path: `${labels}/example.com~1x`, value: "1" }],
    200,
    labeledAs({ "example.com/x": "1" }),
  ),
  jsonPatch(
    "a pointer does not decode %2F",
    [{ op: "add", path: `${labels}/example.com%2Fx`, value: "1" }],
    422,
    /metadata\.labels: Invalid value: "example\.com%2Fx"/,
  ),
  jsonPatch(
    "a list may be appended to",
    [
      { op: "add", path: "/metadata/finalizers", value: [] },
      { op: "add", path: "/metadata/finalizers/-", value: "example.com/a" },
    ],
    200,
    { metadata: { finalizers: ["example.com/a"] } },
  ),
  jsonPatch(
    "an index beyond the end is refused",
    [
      { op: "add", path: "/metadata/finalizers", value: [] },
      { op: "add", path: "/metadata/finalizers/1", value: "example.com/a" },
    ],
    422,
    unprocessable,
  ),
  jsonPatch(
    "-1 is the last element",
    [
      { op: "add", path: "/metadata/finalizers", value: ["example.com/a", "example.com/b"] },
      { op: "remove", path: "/metadata/finalizers/-1" },
    ],
    200,
    { metadata: { finalizers: ["example.com/a"] } },
  ),
  jsonPatch(
    "the name does not change",
    [{ op: "replace", path: "/metadata/name", value: "other" }],
    400,
    "the name of the object (other) does not match the name on the URL (h)",
  ),
  jsonPatch(
    "10,001 operations are too many",
    Array.from({ length: 10_001 }, () => ({ op: "test", path: "/x", value: null })),
    413,
    "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  ),
];

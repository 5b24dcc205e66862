import { configMaps, type Statement, send } from "./statement.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

const labeledAs = (expected: object) => ({ metadata: { labels: expected } });

function patched(
  type: string,
  says: string,
  patch: object | string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const request = send("PATCH", `${configMaps}/h?dryRun=All`, patch, type);
  return {
    source: `API reference, patch, section ${type === merge ? 2 : 3}`,
    says,
    request,
    code,
    ...(answer !== undefined && { answer }),
  };
}

const documents: readonly Statement[] = [
  patched(merge, "an empty merge patch changes nothing", {}, 200, labeledAs({ foo: "bar", baz: "blah" })),
  patched(
    merge,
    "null deletes a label",
    { metadata: { labels: { foo: null } } },
    200,
    /"labels":\{"baz":"blah"\}/,
  ),
  patched(merge, "null deletes all labels", { metadata: { labels: null } }, 200, /^(?!.*"labels")/s),
  patched(
    merge,
    "nulls in a new object are dropped",
    { data: { a: "1", b: null } },
    200,
    /"data":\{"a":"1"\}/,
  ),
  patched(
    merge,
    "a merge patch is an object",
    [],
    400,
    "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ),
  patched(
    merge,
    "a text is no merge patch",
    '"x"',
    400,
    "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}",
  ),
  patched(merge, "null is no merge patch", "null", 400, "Invalid JSON Patch"),
  patched(
    merge,
    "an empty body is no merge patch",
    "",
    400,
    "error decoding patch: unexpected end of JSON input",
  ),
  patched(
    merge,
    "garbage is no merge patch",
    "zzz",
    400,
    "error decoding patch: invalid character 'z' looking for beginning of value",
  ),
  patched(
    merge,
    "the uid does not change",
    { metadata: { uid: "x" } },
    422,
    /metadata\.uid: Invalid value: "x": field is immutable/,
  ),
  patched(
    merge,
    "an old resourceVersion is a conflict",
    { metadata: { resourceVersion: "1" } },
    409,
    'Operation cannot be fulfilled on configmaps "h": the object has been modified; please apply your changes to the latest version and try again',
  ),
  patched(merge, "a patch may remove the resourceVersion", { metadata: { resourceVersion: null } }, 200),
  patched(
    strategic,
    "an empty strategic patch changes nothing",
    {},
    200,
    labeledAs({ foo: "bar", baz: "blah" }),
  ),
  patched(strategic, "null is an empty strategic patch", "null", 200, labeledAs({ foo: "bar" })),
  patched(
    strategic,
    "null deletes one label",
    { metadata: { labels: { foo: null } } },
    200,
    /"labels":\{"baz":"blah"\}/,
  ),
  patched(
    strategic,
    "$patch: replace replaces a map",
    { metadata: { labels: { $patch: "replace", n: "1" } } },
    200,
    /"labels":\{"n":"1"\}/,
  ),
  patched(
    strategic,
    "$patch: delete empties a map",
    { metadata: { labels: { $patch: "delete" } } },
    200,
    /^(?!.*"foo")/s,
  ),
  patched(
    strategic,
    "an unknown directive is an error",
    { metadata: { labels: { $patch: "zork" } } },
    500,
    "unknown patch type: zork in map: map[$patch:zork]",
  ),
  patched(strategic, "finalizers are merged", { metadata: { finalizers: ["example.com/a"] } }, 200, {
    metadata: { finalizers: ["example.com/a"] },
  }),
  patched(
    strategic,
    "a strategic patch is an object",
    [],
    400,
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  ),
  patched(
    strategic,
    "garbage is no strategic patch",
    "zzz",
    400,
    "invalid character 'z' looking for beginning of value",
  ),
  patched(
    strategic,
    "$retainKeys names the keys of the patch",
    { metadata: { labels: { $retainKeys: ["x"], foo: "1" } } },
    400,
    "invalid patch format of retainKeys",
  ),
  ...[json, merge, strategic].map((type) => ({
    source: "API reference, patch",
    says: `${type} finds no missing object`,
    request: send("PATCH", `${configMaps}/missing`, type === json ? [] : {}, type),
    code: 404,
    answer: 'configmaps "missing" not found',
  })),
];

function applied(
  says: string,
  config: object | string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const target = `${configMaps}/h?dryRun=All&fieldManager=m`;
  const request = send("PATCH", target, config, "application/apply-patch+yaml");
  return {
    source: "API reference, apply, section 1",
    says,
    request,
    code,
    ...(answer !== undefined && { answer }),
  };
}

const type = { apiVersion: "v1", kind: "ConfigMap" };
const untyped = "failed to create typed patch object (/; /v1, Kind=ConfigMap): ";

const applies: readonly Statement[] = [
  applied("a configuration needs only its type", type, 200),
  applied("a configuration has a kind", { apiVersion: "v1" }, 400, /invalid object type: \/v1, Kind=/),
  applied(
    "a configuration has a version",
    { kind: "ConfigMap" },
    400,
    /invalid object type: \/, Kind=ConfigMap/,
  ),
  applied(
    "the kind is that of the path",
    { ...type, kind: "Secret" },
    400,
    "invalid object type: /v1, Kind=Secret",
  ),
  applied(
    "managedFields are not applied",
    { ...type, metadata: { managedFields: [] } },
    400,
    "metadata.managedFields must be nil",
  ),
  applied(
    "an unknown field is not declared",
    { ...type, zork: 1 },
    500,
    `${untyped}.zork: field not declared in schema`,
  ),
  applied("data is a map", { ...type, data: "x" }, 500, `${untyped}.data: expected map, got &{x}`),
  applied(
    "data has texts",
    { ...type, data: { a: 1 } },
    500,
    `${untyped}.data.a: expected string, got &value.valueUnstructured{Value:1}`,
  ),
  applied(
    "a list is no configuration",
    "- a",
    400,
    /^error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
  ),
  applied(
    "another name is refused",
    { ...type, metadata: { name: "x" } },
    400,
    "the name of the object (x) does not match the name on the URL (h)",
  ),
  applied(
    "a label of another manager is a conflict",
    { ...type, metadata: { labels: { foo: "x" } } },
    409,
    /^Apply failed with 1 conflict: conflict with "unknown" using v1: \.metadata\.labels\.foo$/,
  ),
  applied(
    "an equal label is shared",
    { ...type, metadata: { labels: { foo: "bar" } } },
    200,
    /"manager":"m","operation":"Apply"/,
  ),
  applied(
    "an old resourceVersion is a conflict",
    { ...type, metadata: { resourceVersion: "1" } },
    409,
    'Operation cannot be fulfilled on configmaps "h": the object has been modified; please apply your changes to the latest version and try again',
  ),
  applied(
    "YAML is read",
    "apiVersion: v1\nkind: ConfigMap\ndata: {m: on}\n",
    500,
    /\.data\.m: expected string, got &value\.valueUnstructured\{Value:true\}/,
  ),
];

export const patchStatements: readonly Statement[] = [...documents, ...applies];

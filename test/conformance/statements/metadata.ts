import { configMaps, literally, type Statement, send, tryCreate } from "./statement.ts";

const source = "apimachinery, pkg/api/validation/objectmeta_test.go";

function created(says: string, fields: object, code: number, answer?: Statement["answer"]): Statement {
  const request = tryCreate(configMaps, { metadata: { name: "m", ...fields } });
  return { source, says, request, code, ...(answer !== undefined && { answer }) };
}

interface Owner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

function owners(says: string, references: readonly Owner[], code: number, answer?: RegExp): Statement {
  const ownerReferences = references.map((owner) => ({
    apiVersion: "v1",
    kind: "Pod",
    name: "name",
    uid: "1",
    ...owner,
  }));
  return created(says, { ownerReferences }, code, answer);
}

const atOwner = "metadata.ownerReferences";

const ownerStatements: readonly Statement[] = [
  owners("an owner may be of any group", [{ apiVersion: "customresourceVersion", kind: "K" }], 201),
  owners("an owner may be of the core group", [{}], 201),
  owners("an Event owns nothing", [{ kind: "Event" }], 422, /is disallowed from being an owner/),
  owners(
    "an apiVersion has one slash",
    [{ apiVersion: "a/b/c" }],
    422,
    /apiVersion: Invalid value: "a\/b\/c": version must not be empty/,
  ),
  owners(
    "an apiVersion has a version",
    [{ apiVersion: "foo/" }],
    422,
    /version must not be empty|must be <group>\/<version> or <version>/,
  ),
  owners("an owner has a kind", [{ kind: "" }], 422, /kind: Invalid value: "": (kind )?must not be empty/),
  owners("an owner has a name", [{ name: "" }], 422, /name: Invalid value: "": (name )?must not be empty/),
  owners("an owner has a uid", [{ uid: "" }], 422, /uid: Invalid value: "": (uid )?must not be empty/),
  owners("an owner has an apiVersion", [{ apiVersion: "" }], 422, /version must not be empty/),
  owners(
    "one of several owners is the controller",
    [{ controller: false }, { uid: "2", controller: true }, { uid: "3", controller: false }, { uid: "4" }],
    201,
  ),
  owners(
    "two owners are no controllers at once",
    [
      { kind: "A", uid: "2", controller: true },
      { kind: "B", uid: "3", controller: true },
    ],
    422,
    literally(`${atOwner}: Invalid value: `),
  ),
  owners(
    "the error of two controllers names both",
    [
      { kind: "A", uid: "2", controller: true },
      { kind: "B", uid: "3", controller: true },
    ],
    422,
    /Only one reference can have Controller set to true\. Found "true" in references for A\/name and B\/name/,
  ),
];

const finalizerStatements: readonly Statement[] = [
  created("a finalizer has a domain", { finalizers: ["example.com/a"] }, 201),
  created("upstream's finalizers have no domain", { finalizers: ["orphan"] }, 201),
  created("kubernetes is a finalizer", { finalizers: ["kubernetes"] }, 201),
  created(
    "dependents are not both orphaned and deleted",
    { finalizers: ["orphan", "foregroundDeletion"] },
    422,
    /metadata\.finalizers: Invalid value: .*: finalizer orphan and foregroundDeletion cannot be both set/,
  ),
  created(
    "a finalizer without a domain is refused",
    { finalizers: ["a"] },
    422,
    /metadata\.finalizers(\[0\])?: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified/,
  ),
  created(
    "a finalizer is a qualified name",
    { finalizers: ["a b/c"] },
    422,
    /metadata\.finalizers(\[0\])?: Invalid value: "a b\/c": /,
  ),
  created(
    "a finalizer is not empty",
    { finalizers: [""] },
    422,
    /metadata\.finalizers(\[0\])?: Invalid value: ""/,
  ),
];

const systemStatements: readonly Statement[] = [
  created("a create sets its own uid", { uid: "mine" }, 201, /^(?!.*"uid":"mine")/s),
  created(
    "a create sets its own creation time",
    { creationTimestamp: "2001-01-01T00:00:00Z" },
    201,
    /^(?!.*2001-01-01)/s,
  ),
  created(
    "a create has no deletion time",
    { deletionTimestamp: "2001-01-01T00:00:00Z" },
    201,
    /^(?!.*deletionTimestamp)/s,
  ),
  created(
    "a create has no grace period",
    { deletionGracePeriodSeconds: 5 },
    201,
    /^(?!.*deletionGracePeriodSeconds)/s,
  ),
  created("a create drops selfLink", { selfLink: "/x" }, 201, /^(?!.*selfLink)/s),
  created("a create keeps generateName", { generateName: "g-" }, 201, {
    metadata: { name: "m", generateName: "g-" },
  }),
  created("the generation of a ConfigMap is the client's", { generation: 7 }, 201, {
    metadata: { generation: 7 },
  }),
  created(
    "a generation is not negative",
    { generation: -1 },
    422,
    /metadata\.generation: Invalid value: -1: must be greater than or equal to 0/,
  ),
  {
    source,
    says: "a create has no resourceVersion",
    request: send("POST", configMaps, { metadata: { name: "m", resourceVersion: "5" } }),
    code: 500,
    answer: "resourceVersion should not be set on objects to be created",
  },
  created("a dry run may have a resourceVersion", { resourceVersion: "5" }, 201),
  created(
    "the namespace is that of the path",
    { namespace: "other" },
    400,
    "the namespace of the provided object does not match the namespace sent on the request",
  ),
  created("the namespace may be that of the path", { namespace: "default" }, 201, {
    metadata: { namespace: "default" },
  }),
  created(
    "an object has a name",
    { name: "" },
    422,
    /metadata\.name: Required value: name or generateName is required/,
  ),
  created(
    "null is no name",
    { name: null },
    422,
    /metadata\.name: Required value: name or generateName is required/,
  ),
  created(
    "a generated name begins with its prefix",
    { name: "", generateName: "g-" },
    201,
    /"name":"g-[bcdfghjklmnpqrstvwxz2456789]{5}"/,
  ),
  created(
    "a prefix is cut after 58 characters",
    { name: "", generateName: "g".repeat(70) },
    201,
    /"name":"g{58}[bcdfghjklmnpqrstvwxz2456789]{5}"/,
  ),
  created("a prefix may end in a dash", { name: "", generateName: "g--" }, 201),
  created(
    "a prefix is valid itself",
    { name: "", generateName: "G" },
    422,
    /metadata\.generateName: Invalid value: "G"/,
  ),
  created(
    "both name and prefix are validated",
    { name: "N", generateName: "G" },
    422,
    /metadata\.generateName: Invalid value: .*metadata\.name: Invalid value: /s,
  ),
  created("annotations have at most 256 KiB", { annotations: { a: "x".repeat(262_143) } }, 201),
  created(
    "annotations beyond 256 KiB are refused",
    { annotations: { a: "x".repeat(262_144) } },
    422,
    /metadata\.annotations: Too long: (must have at most 262144 bytes|may not be more than 262144 bytes)/,
  ),
  created("null labels are no labels", { labels: null }, 201, /^(?!.*"labels")/s),
  created("a null label is empty", { labels: { a: null } }, 201, { metadata: { labels: { a: "" } } }),
  created(
    "managedFields with an unknown operation are replaced",
    { labels: { a: "b" }, managedFields: [{ operation: "X" }] },
    201,
    { metadata: { managedFields: [{ operation: "Update" }] } },
  ),
];

const type = (says: string, body: object | string, code: number, answer: Statement["answer"]): Statement => ({
  source: "API reference, errors, section 2.1",
  says,
  request: tryCreate(configMaps, body),
  code,
  ...(answer !== undefined && { answer }),
});

const cannot = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
const bodyStatements: readonly Statement[] = [
  type(
    "an empty body is not recognized",
    "",
    400,
    /^the object provided is unrecognized \(must be of type ConfigMap\): .* \(<empty>\)$|^the object provided is unrecognized/,
  ),
  type("a kind may be omitted", { metadata: { name: "m" } }, 201, { kind: "ConfigMap" }),
  type(
    "another known kind cannot be converted",
    { kind: "Pod", apiVersion: "v1", metadata: { name: "m" } },
    400,
    'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
  ),
  type(
    "an unknown kind is not registered",
    { kind: "Foo", apiVersion: "v1" },
    400,
    /^Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme/,
  ),
  type(
    "another version is not that of the path",
    { kind: "ConfigMap", apiVersion: "v2", metadata: { name: "m" } },
    400,
    /no kind "ConfigMap" is registered for version "v2"|the API version in the data \(v2\) does not match/,
  ),
  type(
    "data is a map",
    { data: [] },
    400,
    `${cannot}json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string`,
  ),
  type(
    "data has texts",
    { data: { a: 1 } },
    400,
    `${cannot}json: cannot unmarshal number into Go struct field ConfigMap.data of type string`,
  ),
  type(
    "metadata is an object",
    { metadata: "m" },
    400,
    `${cannot}json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta`,
  ),
  type(
    "a name is a text",
    { metadata: { name: 5 } },
    400,
    `${cannot}json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string`,
  ),
  type(
    "immutable is a boolean",
    { metadata: { name: "m" }, immutable: "yes" },
    400,
    `${cannot}json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool`,
  ),
  type(
    "binaryData is base64",
    { metadata: { name: "m" }, binaryData: { a: "*" } },
    400,
    /illegal base64 data at input byte 0/,
  ),
  type(
    "finalizers are a list",
    { metadata: { name: "m", finalizers: "a" } },
    400,
    `${cannot}json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string`,
  ),
  type(
    "a time is a time",
    { metadata: { name: "m", creationTimestamp: "yesterday" } },
    400,
    `${cannot}parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
  ),
  type("a text in data may be null", { metadata: { name: "m" }, data: { a: null } }, 201, {
    data: { a: "" },
  }),
  type("a list is no object", "[]", 400, /^couldn't get version\/kind; json parse error|unrecognized/),
  type(
    "what follows the object is an error",
    '{"metadata":{"name":"m"}} x',
    400,
    /invalid character 'x' after top-level value/,
  ),
  type("the last of two equal keys counts", '{"metadata":{"name":"m"},"data":{"a":"1","a":"2"}}', 201, {
    data: { a: "2" },
  }),
  type(
    "keys of data cannot be in both maps",
    { metadata: { name: "m" }, data: { a: "1" }, binaryData: { a: "" } },
    422,
    /data\[a\]: Invalid value: "a": duplicate of key present in binaryData|binaryData\[a\]: Invalid value: .*duplicate of key present in data/,
  ),
  type(
    "data has at most 1 MiB",
    { metadata: { name: "m" }, data: { a: "x".repeat(1_048_577) } },
    422,
    /Too long: (must have at most 1048576 bytes|may not be more than 1048576 bytes)/,
  ),
];

const updated = (says: string, change: object, code: number, answer?: Statement["answer"]): Statement => ({
  source: "API reference, requests, section 12",
  says,
  request: send("PUT", `${configMaps}/a?dryRun=All`, { metadata: { name: "a", ...change } }),
  code,
  ...(answer !== undefined && { answer }),
});

const updateStatements: readonly Statement[] = [
  updated("an update needs no resourceVersion", {}, 200),
  updated(
    "a name in the body is that of the path",
    { name: "b" },
    400,
    "the name of the object (b) does not match the name on the URL (a)",
  ),
  updated(
    "the body has a name",
    { name: "" },
    400,
    "the name of the object (a based on URL) was undeterminable: name must be provided",
  ),
  updated(
    "another namespace is refused",
    { namespace: "b" },
    400,
    "the namespace of the provided object does not match the namespace sent on the request",
  ),
  updated(
    "another uid is a conflict",
    { uid: "x" },
    409,
    /^Operation cannot be fulfilled on configmaps "a": (StorageError: invalid object|Precondition failed: UID in precondition: x, UID in object meta: )/,
  ),
  updated(
    "another resourceVersion is a conflict",
    { resourceVersion: "1" },
    409,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  ),
  updated(
    "a resourceVersion is a number",
    { resourceVersion: "abc" },
    500,
    'strconv.ParseUint: parsing "abc": invalid syntax',
  ),
  updated(
    "the creation time does not change",
    { creationTimestamp: "2001-01-01T00:00:00Z" },
    200,
    /^(?!.*2001-01-01)/s,
  ),
  updated(
    "the deletion time cannot be set",
    { deletionTimestamp: "2001-01-01T00:00:00Z" },
    422,
    /metadata\.deletionTimestamp: Invalid value: .*: field is immutable/,
  ),
  updated(
    "the grace period cannot be set",
    { deletionGracePeriodSeconds: 5 },
    422,
    /metadata\.deletionGracePeriodSeconds: Invalid value: .*: field is immutable/,
  ),
  updated("the generation of a ConfigMap is restored", { generation: 9 }, 200, /^(?!.*"generation":9)/s),
  updated("finalizers may be added", { finalizers: ["example.com/a"] }, 200, {
    metadata: { finalizers: ["example.com/a"] },
  }),
  updated("labels may be replaced", { labels: { n: "1" } }, 200, { metadata: { labels: { n: "1" } } }),
  updated("selfLink is dropped", { selfLink: "/x" }, 200, /^(?!.*selfLink)/s),
];

export const metadataStatements: readonly Statement[] = [
  ...ownerStatements,
  ...finalizerStatements,
  ...systemStatements,
  ...bodyStatements,
  ...updateStatements,
];

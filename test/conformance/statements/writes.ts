import { configMaps, get, type Statement, send, tryCreate } from "./statement.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

const unprocessable = "the server rejected our request due to an error in our request";

/** A JSON patch of the config map h, whose labels are foo=bar and baz=blah. */
function jsonPatch(
  says: string,
  operations: object | string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const request = send("PATCH", `${configMaps}/h?dryRun=All`, operations, json);
  return { source: "patch.md, section 1", says, request, code, ...(answer !== undefined && { answer }) };
}

const labels = "/metadata/labels";
const labeledAs = (expected: object) => ({ metadata: { labels: expected } });

const jsonPatches: readonly Statement[] = [
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

function patched(
  type: string,
  says: string,
  patch: object | string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const request = send("PATCH", `${configMaps}/h?dryRun=All`, patch, type);
  return {
    source: `patch.md, section ${type === merge ? 2 : 3}`,
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
    source: "patch.md",
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
  return { source: "apply.md, section 1", says, request, code, ...(answer !== undefined && { answer }) };
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

function removed(
  says: string,
  options: object | undefined,
  parameters: string,
  code: number,
  answer?: Statement["answer"],
): Statement {
  const target = `${configMaps}/a?dryRun=All${parameters}`;
  const body = options === undefined ? "" : { dryRun: ["All"], ...options };
  return {
    source: "requests.md, section 13",
    says,
    request: send("DELETE", target, body),
    code,
    ...(answer !== undefined && { answer }),
  };
}

const removals: readonly Statement[] = [
  removed("a delete is answered with a Status", undefined, "", 200, {
    kind: "Status",
    status: "Success",
    details: { name: "a", kind: "configmaps" },
  }),
  removed("the Status of a delete has no code", undefined, "", 200, /^(?!.*"code")/s),
  removed("orphaned dependents need a finalizer", { propagationPolicy: "Orphan" }, "", 200, {
    kind: "ConfigMap",
    metadata: { finalizers: ["orphan"] },
  }),
  removed("a foreground delete needs a finalizer", { propagationPolicy: "Foreground" }, "", 200, {
    metadata: { finalizers: ["foregroundDeletion"] },
  }),
  removed("a background delete removes the object", { propagationPolicy: "Background" }, "", 200, {
    kind: "Status",
  }),
  removed("orphanDependents orphans", { orphanDependents: true }, "", 200, {
    metadata: { finalizers: ["orphan"] },
  }),
  removed("the query may have the policy", undefined, "&propagationPolicy=Foreground", 200, {
    metadata: { finalizers: ["foregroundDeletion"] },
  }),
  removed(
    "an unknown policy is refused",
    { propagationPolicy: "Zork" },
    "",
    422,
    /propagationPolicy: Unsupported value: "Zork": supported values: "Foreground", "Background", "Orphan", "nil"/,
  ),
  removed(
    "a policy excludes orphanDependents",
    { propagationPolicy: "Orphan", orphanDependents: true },
    "",
    422,
    /propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set/,
  ),
  removed(
    "another uid is a conflict",
    { preconditions: { uid: "x" } },
    "",
    409,
    /^Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition \(x\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated$/,
  ),
  removed(
    "another resourceVersion is a conflict",
    { preconditions: { resourceVersion: "1" } },
    "",
    409,
    /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
  ),
  removed(
    "a grace period is a number",
    undefined,
    "&gracePeriodSeconds=abc",
    400,
    'strconv.ParseInt: parsing "abc": invalid syntax',
  ),
  {
    source: "requests.md, section 13",
    says: "a missing object is not found",
    request: { method: "DELETE", target: `${configMaps}/missing` },
    code: 404,
    answer: 'configmaps "missing" not found',
  },
];

const forbidden: readonly Statement[] = [
  ["POST", `${configMaps}/a`, 405],
  ["PUT", configMaps, 405],
  ["PATCH", configMaps, 405],
  ["POST", "/api/v1/configmaps", 405],
  ["DELETE", "/api/v1/configmaps", 405],
  ["POST", "/api/v1/namespaces/default", 405],
  ["DELETE", "/api/v1/namespaces/default/status", 405],
  ["PUT", "/api/v1/namespaces/default/pods/a/log", 405],
  ["GET", "/api/v1/namespaces/default/pods/a/eviction", 405],
  ["GET", "/api/v1/namespaces/default/foos", 404],
  ["GET", "/apis/apps/v1/foos", 404],
  ["GET", "/api/v1/namespaces/default/configmaps/a/foo", 404],
  ["GET", "/api/v1/namespaces/default/configmaps/a/status", 404],
  ["GET", "/api/v1/namespaces/default/nodes", 404],
  ["GET", "/api/v1/namespaces/default/pods/a/resize", 404],
].map(([method, target, code]) => ({
  source: "errors.md, sections 5 and 6",
  says: `${method} ${target} is ${code}`,
  request: { method: String(method), target: String(target) },
  code: Number(code),
  answer:
    code === 405
      ? "the server does not allow this method on the requested resource"
      : "the server could not find the requested resource",
}));

const services = "/api/v1/namespaces/default/services";
const service = (spec: object) => tryCreate(services, { metadata: { name: "s" }, spec });

const kinds: readonly Statement[] = [
  {
    source: "kinds.md, section 3",
    says: "a service has a cluster address",
    request: service({ ports: [{ port: 80 }] }),
    code: 201,
    answer: {
      spec: {
        type: "ClusterIP",
        sessionAffinity: "None",
        internalTrafficPolicy: "Cluster",
        ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      },
    },
  },
  {
    source: "kinds.md, section 3",
    says: "an external name has no address",
    request: service({ type: "ExternalName", externalName: "example.com" }),
    code: 201,
    answer: /^(?!.*clusterIP)/s,
  },
  {
    source: "kinds.md, section 3",
    says: "an affinity by client lasts three hours",
    request: service({ sessionAffinity: "ClientIP", ports: [{ port: 80 }] }),
    code: 201,
    answer: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } } },
  },
  {
    source: "kinds.md, section 3",
    says: "a service has ports",
    request: service({}),
    code: 422,
    answer: /spec\.ports: Required value/,
  },
  {
    source: "kinds.md, section 6",
    says: "default is never deleted",
    request: { method: "DELETE", target: "/api/v1/namespaces/default" },
    code: 403,
    answer: 'namespaces "default" is forbidden: this namespace may not be deleted',
  },
  {
    source: "kinds.md, section 6",
    says: "a missing namespace has no objects",
    request: send("POST", "/api/v1/namespaces/missing/configmaps", { metadata: { name: "m" } }),
    code: 404,
    answer: 'namespaces "missing" not found',
  },
  {
    source: "kinds.md, section 6",
    says: "a priority of a user has a limit",
    request: tryCreate("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "p" },
      value: 1_000_000_001,
    }),
    code: 422,
    answer: /value: Forbidden: maximum allowed value of a user defined priority is 1000000000/,
  },
  {
    source: "kinds.md, section 6",
    says: "a name of the system is reserved",
    request: tryCreate("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "system-x" },
      value: 1,
    }),
    code: 422,
    answer: /priority class names with 'system-' prefix are reserved for system use only/,
  },
  {
    source: "kinds.md, section 6",
    says: "a lease lasts longer than nothing",
    request: tryCreate("/apis/coordination.k8s.io/v1/namespaces/default/leases", {
      metadata: { name: "l" },
      spec: { leaseDurationSeconds: 0 },
    }),
    code: 422,
    answer: /spec\.leaseDurationSeconds: Invalid value: 0: must be greater than 0/,
  },
  {
    source: "kinds.md, section 7",
    says: "a policy for ingress is the default",
    request: tryCreate("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
      metadata: { name: "n" },
      spec: { podSelector: {} },
    }),
    code: 201,
    answer: { spec: { policyTypes: ["Ingress"] } },
  },
  {
    source: "kinds.md, section 7",
    says: "rules for egress add a policy",
    request: tryCreate("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
      metadata: { name: "n" },
      spec: { podSelector: {}, egress: [{}] },
    }),
    code: 201,
    answer: { spec: { policyTypes: ["Ingress", "Egress"] } },
  },
  {
    source: "kinds.md, section 7",
    says: "a class has a controller in a domain",
    request: tryCreate("/apis/networking.k8s.io/v1/ingressclasses", {
      metadata: { name: "i" },
      spec: { controller: "foo" },
    }),
    code: 422,
    answer:
      /spec\.controller: Invalid value: "foo": must be a domain-prefixed path \(such as "acme\.io\/foo"\)/,
  },
  {
    source: "kinds.md, section 7",
    says: "an autoscaler has at least one replica",
    request: tryCreate("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
      metadata: { name: "h" },
      spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, maxReplicas: 2 },
    }),
    code: 201,
    answer: {
      spec: {
        minReplicas: 1,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
          },
        ],
      },
    },
  },
  {
    source: "kinds.md, section 7",
    says: "a role has verbs",
    request: tryCreate("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods"] }],
    }),
    code: 422,
    answer: /rules\[0\]\.verbs: Required value: verbs must contain at least one value/,
  },
  {
    source: "kinds.md, section 7",
    says: "a namespaced rule has no paths",
    request: tryCreate("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "r" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
    }),
    code: 422,
    answer:
      /rules\[0\]\.nonResourceURLs: Invalid value: \[\]string\{"\/x"\}: namespaced rules cannot apply to non-resource URLs/,
  },
  {
    source: "kinds.md, section 7",
    says: "a name of a role may be anything but a path",
    request: tryCreate("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "A:b_c" },
    }),
    code: 201,
  },
  {
    source: "requests.md, section 12",
    says: "an update creates a Lease",
    request: send("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/new?dryRun=All", {
      metadata: { name: "new" },
    }),
    code: 201,
  },
  {
    source: "requests.md, section 12",
    says: "an update does not create a ConfigMap",
    request: send("PUT", `${configMaps}/new`, { metadata: { name: "new" } }),
    code: 404,
    answer: 'configmaps "new" not found',
  },
  {
    source: "requests.md, section 5",
    says: "a get of a revision to come times out",
    request: get(`${configMaps}/a?resourceVersion=999999`),
    code: 504,
    answer: /^Timeout: Too large resource version: 999999, current: \d+$/,
  },
  {
    source: "requests.md, section 5",
    says: "a get of revision 0 is served",
    request: get(`${configMaps}/a?resourceVersion=0`),
    code: 200,
  },
  {
    source: "requests.md, section 5",
    says: "a get ignores resourceVersionMatch",
    request: get(`${configMaps}/a?resourceVersionMatch=zork`),
    code: 200,
  },
];

export const writeStatements: readonly Statement[] = [
  ...jsonPatches,
  ...documents,
  ...applies,
  ...removals,
  ...forbidden,
  ...kinds,
];

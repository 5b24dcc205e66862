import { configMaps, get, type Statement, send, tryCreate } from "./statement.ts";

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
    source: "API reference, requests, section 13",
    says,
    request: send("DELETE", target, body),
    code,
    ...(answer !== undefined && { answer }),
  };
}

/** Which of several members names the kind of a body. Upstream: apimachinery, serializer/json/meta.go. */
const kindMembers: readonly Statement[] = [
  ['{"Kind":"Pod","metadata":{"name":"k"}}', 400, "its kind in another case"],
  ['{"kind":"ConfigMap","KIND":"Pod","metadata":{"name":"k"}}', 400, "the last of two kinds"],
  ['{"KIND":"Pod","kind":"ConfigMap","metadata":{"name":"k"}}', 201, "the last of two kinds, the right one"],
  ['{"apiversion":"v2","metadata":{"name":"k"}}', 400, "its version in another case"],
].map(([body, code, what]) => ({
  source: "apimachinery, pkg/runtime/serializer/json/meta.go",
  says: `the server reads of a body ${what}`,
  request: tryCreate(configMaps, String(body)),
  code: Number(code),
}));

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
    source: "API reference, requests, section 13",
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
  source: "API reference, errors, sections 5 and 6",
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
    source: "API reference, kinds, section 3",
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
    source: "API reference, kinds, section 3",
    says: "an external name has no address",
    request: service({ type: "ExternalName", externalName: "example.com" }),
    code: 201,
    answer: /^(?!.*clusterIP)/s,
  },
  {
    source: "API reference, kinds, section 3",
    says: "an affinity by client lasts three hours",
    request: service({ sessionAffinity: "ClientIP", ports: [{ port: 80 }] }),
    code: 201,
    answer: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } } },
  },
  {
    source: "API reference, kinds, section 3",
    says: "a service has ports",
    request: service({}),
    code: 422,
    answer: /spec\.ports: Required value/,
  },
  {
    source: "API reference, kinds, section 6",
    says: "default is never deleted",
    request: { method: "DELETE", target: "/api/v1/namespaces/default" },
    code: 403,
    answer: 'namespaces "default" is forbidden: this namespace may not be deleted',
  },
  {
    source: "API reference, kinds, section 6",
    says: "a missing namespace has no objects",
    request: send("POST", "/api/v1/namespaces/missing/configmaps", { metadata: { name: "m" } }),
    code: 404,
    answer: 'namespaces "missing" not found',
  },
  {
    source: "API reference, kinds, section 6",
    says: "a priority of a user has a limit",
    request: tryCreate("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "p" },
      value: 1_000_000_001,
    }),
    code: 422,
    answer: /value: Forbidden: maximum allowed value of a user defined priority is 1000000000/,
  },
  {
    source: "API reference, kinds, section 6",
    says: "a name of the system is reserved",
    request: tryCreate("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "system-x" },
      value: 1,
    }),
    code: 422,
    answer: /priority class names with 'system-' prefix are reserved for system use only/,
  },
  {
    source: "API reference, kinds, section 6",
    says: "a lease lasts longer than nothing",
    request: tryCreate("/apis/coordination.k8s.io/v1/namespaces/default/leases", {
      metadata: { name: "l" },
      spec: { leaseDurationSeconds: 0 },
    }),
    code: 422,
    answer: /spec\.leaseDurationSeconds: Invalid value: 0: must be greater than 0/,
  },
  {
    source: "API reference, kinds, section 7",
    says: "a policy for ingress is the default",
    request: tryCreate("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
      metadata: { name: "n" },
      spec: { podSelector: {} },
    }),
    code: 201,
    answer: { spec: { policyTypes: ["Ingress"] } },
  },
  {
    source: "API reference, kinds, section 7",
    says: "rules for egress add a policy",
    request: tryCreate("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
      metadata: { name: "n" },
      spec: { podSelector: {}, egress: [{}] },
    }),
    code: 201,
    answer: { spec: { policyTypes: ["Ingress", "Egress"] } },
  },
  {
    source: "API reference, kinds, section 7",
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
    source: "API reference, kinds, section 7",
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
    source: "API reference, kinds, section 7",
    says: "a role has verbs",
    request: tryCreate("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods"] }],
    }),
    code: 422,
    answer: /rules\[0\]\.verbs: Required value: verbs must contain at least one value/,
  },
  {
    source: "API reference, kinds, section 7",
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
    source: "API reference, kinds, section 7",
    says: "a name of a role may be anything but a path",
    request: tryCreate("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "A:b_c" },
    }),
    code: 201,
  },
  {
    source: "API reference, requests, section 12",
    says: "an update creates a Lease",
    request: send("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/new?dryRun=All", {
      metadata: { name: "new" },
    }),
    code: 201,
  },
  {
    source: "API reference, requests, section 12",
    says: "an update does not create a ConfigMap",
    request: send("PUT", `${configMaps}/new`, { metadata: { name: "new" } }),
    code: 404,
    answer: 'configmaps "new" not found',
  },
  {
    source: "API reference, requests, section 5",
    says: "a get of a revision to come times out",
    request: get(`${configMaps}/a?resourceVersion=999999`),
    code: 504,
    answer: /^Timeout: Too large resource version: 999999, current: \d+$/,
  },
  {
    source: "API reference, requests, section 5",
    says: "a get of revision 0 is served",
    request: get(`${configMaps}/a?resourceVersion=0`),
    code: 200,
  },
  {
    source: "API reference, requests, section 5",
    says: "a get ignores resourceVersionMatch",
    request: get(`${configMaps}/a?resourceVersionMatch=zork`),
    code: 200,
  },
];

export const writeStatements: readonly Statement[] = [...removals, ...forbidden, ...kinds, ...kindMembers];

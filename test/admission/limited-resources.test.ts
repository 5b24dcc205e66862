import { expect, test } from "vitest";
import { createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";

/** A cluster in which only quotas allow the use of these resources. */
function clusterWith(limitedResources: readonly JsonObject[], objects: readonly KubeObject[] = []) {
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "ResourceQuotaConfiguration",
    limitedResources,
  };
  return createCluster({
    objects: [...priorityClasses, ...objects],
    disableAdmissionPlugins: ["ServiceAccount"],
    admissionControlConfigFile: {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AdmissionConfiguration",
      plugins: [{ name: "ResourceQuota", configuration }],
    },
  });
}

const priorityClasses = ["cheap", "dear"].map((name) => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  value: 10,
}));

const pod = (spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "default" },
  spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }], ...spec },
});
const quota = (hard: JsonObject, more: JsonObject = {}) => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "q", namespace: "default" },
  spec: { hard, ...more },
});
const dear = { scopeName: "PriorityClass", operator: "In", values: ["dear"] };
const limitedScope = [{ resource: "pods", matchScopes: [dear] }];
const scoped = { scopeSelector: { matchExpressions: [dear] } };
const limitedCpu = [{ resource: "pods", matchContains: ["cpu"] }];
const insufficient = 'pods "p" is forbidden: insufficient quota to consume: ';
const unmatched = "insufficient quota to match these scopes: [{PriorityClass In [dear]}]";

test.each<
  readonly [
    title: string,
    limits: readonly JsonObject[],
    quotas: readonly KubeObject[],
    spec: object,
    answer: string,
  ]
>([
  ["a resource without a quota", limitedCpu, [], {}, `${insufficient}cpu,requests.cpu`],
  ["a quota of something else", limitedCpu, [quota({ pods: "5" })], {}, `${insufficient}cpu,requests.cpu`],
  ["a quota of one name", limitedCpu, [quota({ "requests.cpu": "5" })], {}, `${insufficient}cpu`],
  ["a quota of all names", limitedCpu, [quota({ cpu: "5", "requests.cpu": "5" })], {}, "created"],
  [
    "a covering quota that is exceeded",
    limitedCpu,
    [quota({ cpu: "5m", "requests.cpu": "5" })],
    {},
    'pods "p" is forbidden: exceeded quota: q, requested: cpu=1, used: cpu=0, limited: cpu=5m',
  ],
  ["a limit of another resource", [{ resource: "services", matchContains: ["cpu"] }], [], {}, "created"],
  [
    "a limit of another group",
    [{ apiGroup: "apps", resource: "pods", matchContains: ["cpu"] }],
    [],
    {},
    "created",
  ],
  ["a scope without a quota", limitedScope, [], { priorityClassName: "dear" }, unmatched],
  ["another scope", limitedScope, [], { priorityClassName: "cheap" }, "created"],
  [
    "a quota with the scope",
    limitedScope,
    [quota({ pods: "5" }, scoped)],
    { priorityClassName: "dear" },
    "created",
  ],
])("limited resources: %s", async (_title, limits, quotas, spec, answer) => {
  const cluster = clusterWith(limits, quotas);
  await cluster.settle();
  const answered = await cluster.create(pod(spec)).then(
    () => "created",
    (error: Error) => error.message,
  );
  expect(answered).toBe(answer);
});

test("objects of other kinds need a quota of their number, and updates that use no more need none", async () => {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" } };
  const cluster = clusterWith([{ resource: "configmaps", matchContains: ["count/"] }], [configMap]);
  await cluster.settle();
  await expect(cluster.create({ ...configMap, metadata: { name: "d" } })).rejects.toThrow(
    'configmaps "d" is forbidden: insufficient quota to consume: count/configmaps',
  );
  await cluster.update({ ...configMap, data: { a: "b" } });
});

test("a limited resource without a name ends the start", async () => {
  await expect(clusterWith([{}]).settle()).rejects.toThrow(
    `couldn't init admission plugin "ResourceQuota": limitedResources[0].resource: Required value`,
  );
});

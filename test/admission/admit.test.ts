import { beforeAll, expect, test } from "vitest";
import { type AdmissionReport, type Cluster, createCluster, type KubeObject } from "../../src/index.ts";
import { binding, configMap, policy, ruleFor } from "./policy-objects.ts";

const hookRule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };

function configuration(type: "Mutating" | "Validating", name: string, more: object = {}): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.x.io`,
        clientConfig: { url: "https://127.0.0.1:1/x" },
        rules: [hookRule],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...more,
      },
    ],
  };
}

const podRules = { resourceRules: [ruleFor("pods")] };

const objects = [
  configuration("Mutating", "adds"),
  configuration("Validating", "checks"),
  configuration("Validating", "broken", { failurePolicy: "Ignore" }),
  policy("Validating", {
    validations: [
      { expression: "object.metadata.name != 'bad'", message: "a bad name" },
      { expression: "has(object.metadata.labels)" },
    ],
    auditAnnotations: [{ key: "who", valueExpression: "request.userInfo.username" }],
  }),
  binding("Validating"),
  policy("Validating", { validations: [{ expression: "false", message: "think again" }] }, "warns"),
  binding("Validating", { policyName: "warns", validationActions: ["Warn"] }, "warns"),
  policy(
    "Validating",
    {
      validations: [{ expression: "false" }],
      matchConditions: [{ name: "never", expression: "request.name == 'never'" }],
    },
    "conditional",
  ),
  binding("Validating", { policyName: "conditional" }, "conditional"),
  policy(
    "Validating",
    {
      matchConstraints: podRules,
      validations: [{ expression: "!has(object.spec.hostNetwork) || !object.spec.hostNetwork" }],
    },
    "pods",
  ),
  binding("Validating", { policyName: "pods" }, "pods"),
  {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "l", namespace: "default" },
    spec: { limits: [{ type: "Container", defaultRequest: { cpu: "1" } }] },
  },
];

const pod: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { containers: [{ name: "c", image: "x" }] },
};

let prepared: Cluster;
beforeAll(async () => {
  prepared = createCluster({ objects });
  prepared.webhook("adds.x.io", ({ request }) => {
    const { operation } = request as { readonly operation: string };
    const patch = [{ op: "add", path: "/metadata/labels", value: { added: "yes" } }];
    return { allowed: true, ...(operation !== "DELETE" && { patch }) };
  });
  prepared.webhook("checks.x.io", ({ request }) => {
    const { name } = request as { readonly name: string };
    return { allowed: name !== "denied", warnings: ["checked"], status: { message: "not this one" } };
  });
  prepared.webhook("broken.x.io", () => {
    throw new Error("broken");
  });
  await prepared.settle();
});

/** The steps of webhooks and policies: who, and what came of it. */
function verdicts({ steps }: AdmissionReport): readonly string[] {
  return steps
    .filter(({ name }) => name !== "")
    .map(({ name, source, outcome }) => `${name} ${source} ${outcome}`);
}

test("a report has every plugin, webhook and policy in order, and stores nothing", async () => {
  const cluster = prepared.fork();
  const report = await cluster.admit(configMap("a"), { user: { name: "alice", groups: ["dev"] } });
  expect(report.admitted).toBe(true);
  expect(report.request).toEqual({
    operation: "CREATE",
    group: "",
    version: "v1",
    resource: "configmaps",
    subresource: "",
    namespace: "default",
    name: "a",
    user: "alice",
  });
  expect(verdicts(report)).toEqual([
    "adds.x.io adds mutated",
    "conditional conditional skipped",
    "p b allowed",
    "warns warns warned",
    "broken.x.io broken failedOpen",
    "checks.x.io checks allowed",
  ]);
  expect(report.steps.map(({ plugin, phase }) => `${phase} ${plugin}`)).toEqual(
    expect.arrayContaining(["admit NamespaceLifecycle", "validate PodSecurity", "validate ResourceQuota"]),
  );
  expect(report.changes).toEqual([{ op: "add", path: "/metadata/labels", value: { added: "yes" } }]);
  expect(report.object).toMatchObject({ metadata: { name: "a", labels: { added: "yes" } } });
  expect(report.warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'warns' with binding 'warns': think again",
    "checked",
  ]);
  expect(report.auditAnnotations).toMatchObject({ "p/who": "alice" });
  const [mutation] = report.steps.filter(({ outcome }) => outcome === "mutated");
  expect(mutation).toMatchObject({
    round: 0,
    patch: [{ op: "add", path: "/metadata/labels", value: { added: "yes" } }],
  });
  await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
  expect(cluster.requests.all).toEqual([]);
});

test("a denial names the policy, its binding, and the expression with its cost", async () => {
  const report = await prepared.fork().admit(configMap("bad"));
  expect(report).toMatchObject({
    admitted: false,
    object: undefined,
    refusal: { code: 422, reason: "Invalid" },
    deniedBy: {
      plugin: "ValidatingAdmissionPolicy",
      name: "p",
      source: "b",
      outcome: "denied",
      message: "a bad name",
    },
  });
  const [denied, held] = report.deniedBy?.expressions ?? [];
  expect(denied).toMatchObject({
    expression: "object.metadata.name != 'bad'",
    outcome: "false",
    message: "a bad name",
  });
  expect(held).toMatchObject({ expression: "has(object.metadata.labels)", outcome: "true", message: "" });
  const costs = (denied?.cost ?? 0) + (held?.cost ?? 0);
  expect(denied?.cost).toBeGreaterThan(0);
  // The audit annotation has its own.
  expect(report.deniedBy?.cost).toBeGreaterThan(costs);
  // The denial does not end the review: all policies say what they would do, but webhooks come later.
  expect(verdicts(report)).toEqual([
    "adds.x.io adds mutated",
    "conditional conditional skipped",
    "p b denied",
    "warns warns warned",
  ]);
  expect(report.steps.find(({ name }) => name === "conditional")?.expressions).toMatchObject([
    { expression: "request.name == 'never'", outcome: "false" },
  ]);
});

test("a denial names the webhook and its configuration", async () => {
  const report = await prepared.fork().admit(configMap("denied"));
  expect(report.refusal?.message).toBe('admission webhook "checks.x.io" denied the request: not this one');
  expect(report.deniedBy).toMatchObject({ name: "checks.x.io", source: "checks", outcome: "denied" });
});

test("plugins say what they change, and why they deny", async () => {
  const cluster = prepared.fork();
  const report = await cluster.admit(pod);
  expect(report.admitted).toBe(true);
  const paths = (plugin: string) =>
    report.steps
      .find((step) => step.plugin === plugin && step.phase === "admit")
      ?.patch?.map(({ path }) => path);
  expect(paths("LimitRanger")).toEqual(["/spec/containers/0/resources", "/metadata/annotations"]);
  expect(paths("TaintNodesByCondition")).toBeUndefined();
  await cluster.create({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "strict", labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  });
  await cluster.settle();
  const refused = await cluster.admit(pod, { namespace: "strict" });
  expect(refused.deniedBy).toMatchObject({
    plugin: "PodSecurity",
    phase: "validate",
    name: "",
    outcome: "denied",
  });
});

test("an object that exists is updated, or deleted if the test asks for it", async () => {
  const cluster = prepared.fork();
  await cluster.create(configMap("a", { data: { x: "1" } }));
  const updated = await cluster.admit(configMap("a", { data: { x: "2" } }));
  expect(updated).toMatchObject({
    admitted: true,
    request: { operation: "UPDATE" },
    object: { data: { x: "2" } },
  });
  const created = await cluster.admit(configMap("a"), { operation: "CREATE" });
  expect(created).toMatchObject({
    admitted: false,
    deniedBy: undefined,
    refusal: { reason: "AlreadyExists" },
  });
  const deleted = await cluster.admit(configMap("a"), { operation: "DELETE" });
  expect(deleted).toMatchObject({
    admitted: true,
    request: { operation: "DELETE" },
    object: undefined,
    changes: [],
  });
  expect(verdicts(deleted)).toContain("checks.x.io checks allowed");
  expect(await cluster.get("v1", "ConfigMap", "a")).toMatchObject({ data: { x: "1" } });
});

test("a subresource is updated or created", async () => {
  const cluster = prepared.fork();
  await cluster.create(pod);
  const status = await cluster.admit({ ...pod, status: { message: "m" } }, { subresource: "status" });
  expect(status).toMatchObject({ admitted: true, request: { operation: "UPDATE", subresource: "status" } });
  const eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "p", namespace: "default" },
  };
  const evicted = await cluster.admit(eviction, { subresource: "eviction" });
  expect(evicted).toMatchObject({
    admitted: true,
    request: { operation: "CREATE", resource: "pods", subresource: "eviction" },
  });
});

test("a refusal by authorization or validation is not one by admission", async () => {
  const cluster = createCluster({ authorizationMode: "RBAC", controllers: [] });
  const forbidden = await cluster.admit(configMap("a"), { user: "alice" });
  expect(forbidden).toMatchObject({
    admitted: false,
    deniedBy: undefined,
    refusal: { code: 403 },
    steps: [],
  });
  const invalid = await cluster.admit(configMap("A_b"));
  expect(invalid).toMatchObject({ admitted: false, deniedBy: undefined, refusal: { code: 422 } });
  expect(invalid.text).toContain(
    "CREATE configmaps default/A_b as kubernetes-admin: refused, but not by admission",
  );
});

test("a service account has its groups", async () => {
  const cluster = createCluster({
    controllers: [],
    objects: [
      policy("Validating", {
        validations: [{ expression: "!('system:serviceaccounts:ci' in request.userInfo.groups)" }],
      }),
      binding("Validating"),
    ],
  });
  const report = await cluster.admit(configMap("a"), { user: "system:serviceaccount:ci:robot" });
  expect(report.deniedBy).toMatchObject({ name: "p" });
});

test.each<readonly [title: string, object: object, options: object, message: string]>([
  [
    "another option",
    configMap("a"),
    { opperation: "CREATE" },
    'admit: unknown option "opperation"; did you mean "operation"?',
  ],
  ["another operation", configMap("a"), { operation: "CREATED" }, 'did you mean "CREATE"?'],
  ["a kind that is not served", { apiVersion: "v1", kind: "ConfigMp" }, {}, "did you mean ConfigMap?"],
  [
    "a list",
    { apiVersion: "v1", kind: "List", items: [configMap("a"), configMap("b")] },
    {},
    "admit takes one object, not a list",
  ],
  ["no manifest", {}, {}, "admit: apiVersion not set"],
  [
    "another subresource",
    pod,
    { subresource: "statuss" },
    'admit: Pod has no subresource "statuss"; did you mean "status"?',
  ],
  [
    "a subresource that connects",
    pod,
    { subresource: "exec" },
    "admit: the subresource exec connects, and a connection has no dry run",
  ],
  ["a user without a name", pod, { user: { groups: ["a"] } }, "admit: the name of the user must be text"],
])("%s is an error that helps", async (_title, object, options, message) => {
  await expect(prepared.admit(object, options)).rejects.toThrow(message);
});

test("the log of requests has the same steps, without those of plugins that let the request pass", async () => {
  const cluster = prepared.fork();
  await cluster.as("alice").create(configMap("a"));
  await cluster
    .as("alice")
    .create(configMap("bad"))
    .catch(() => {});
  await cluster
    .as("alice")
    .create({ ...configMap("a"), metadata: { name: "x", namespace: "gone" } })
    .catch(() => {});
  const [created, denied, homeless] = cluster.requests.all.map(({ admission }) => admission ?? []);
  expect(created?.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    "adds.x.io mutated",
    "conditional skipped",
    "p allowed",
    "warns warned",
    "broken.x.io failedOpen",
    "checks.x.io allowed",
  ]);
  expect(denied?.find(({ name }) => name === "p")).toMatchObject({
    outcome: "denied",
    expressions: [{ outcome: "false", message: "a bad name" }, { outcome: "true" }],
  });
  expect(homeless).toMatchObject([
    {
      plugin: "NamespaceLifecycle",
      phase: "admit",
      name: "",
      outcome: "denied",
      message: 'namespaces "gone" not found',
    },
  ]);
});

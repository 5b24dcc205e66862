import { expect, test } from "vitest";
import {
  type Cluster,
  createCluster,
  type JsonObject,
  type KubeObject,
  StatusError,
} from "../../src/index.ts";
import { binding, configMap, policy, ruleFor } from "./policy-objects.ts";

/** A cluster with these objects and no controllers. */
function clusterWith(...objects: readonly KubeObject[]): Cluster {
  return createCluster({ controllers: [], objects });
}

/** "admitted", or the message of the refusal after its subject. */
async function verdict(cluster: Cluster, object: KubeObject): Promise<string> {
  try {
    await cluster.create(object);
    return "admitted";
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message.replace(/^\S+ "\S+" is forbidden: /, "");
  }
}

const denied = (text: string) => `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${text}`;
const group = "admissionregistration.k8s.io/v1";
const never = [{ expression: "false", message: "no" }];

test.each<readonly [title: string, spec: JsonObject, bound: JsonObject, verdict: string]>([
  ["a validation that holds", { validations: [{ expression: "object.data.a == 'x'" }] }, {}, "admitted"],
  [
    "a computed message",
    { validations: [{ expression: "false", messageExpression: "' got ' + object.data.a", message: "no" }] },
    {},
    denied("got x"),
  ],
  [
    "a computed message of two lines",
    { validations: [{ expression: "false", messageExpression: "'a\\nb'", message: " no " }] },
    {},
    denied("no"),
  ],
  [
    "a computed message that fails",
    { validations: [{ expression: " false ", messageExpression: "object.data.b" + " + 'a'" }] },
    {},
    denied("failed expression: false"),
  ],
  [
    "a rule for another resource",
    { matchConstraints: { resourceRules: [ruleFor("secrets")] }, validations: never },
    {},
    "admitted",
  ],
  [
    "an excluded resource",
    {
      matchConstraints: {
        resourceRules: [ruleFor("*")],
        excludeResourceRules: [{ ...ruleFor("configmaps"), resourceNames: ["a"] }],
      },
      validations: never,
    },
    {},
    "admitted",
  ],
  [
    "names of objects",
    { matchConstraints: { resourceRules: [{ ...ruleFor("*"), resourceNames: ["a"] }] }, validations: never },
    {},
    denied("no"),
  ],
  [
    "a binding with another rule",
    { validations: never },
    { matchResources: { resourceRules: [ruleFor("pods")] } },
    "admitted",
  ],
  [
    "a binding with a selector only",
    { validations: never },
    { matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } } },
    denied("no"),
  ],
  [
    "a binding for another namespace",
    { validations: never },
    { matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "x" } } } },
    "admitted",
  ],
  ["a binding of another policy", { validations: never }, { policyName: "q" }, "admitted"],
  [
    "a condition that fails",
    { matchConditions: [{ name: "c", expression: "object.data.b == 'x'" }], validations: never },
    {},
    denied("expression 'object.data.b == 'x'' resulted in error: no such key: b"),
  ],
  [
    "a condition that fails and a policy that ignores failures",
    {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "c", expression: "object.data.b == 'x'" }],
      validations: never,
    },
    {},
    "admitted",
  ],
  [
    "variables that refer to earlier ones, and one that fails but is not used",
    {
      variables: [
        { name: "fails", expression: "object.data.b" },
        { name: "a", expression: "string(object.data.a)" },
        { name: "both", expression: "variables.a + variables.a" },
      ],
      validations: [{ expression: "variables.both == 'xx'" }, { expression: "variables.both.size() > 2" }],
    },
    {},
    denied("failed expression: variables.both.size() > 2"),
  ],
  [
    "a variable that fails",
    {
      variables: [{ name: "b", expression: "object.data.b" }],
      validations: [{ expression: "variables.b == 'x'" }],
    },
    {},
    denied(
      "expression 'variables.b == 'x'' resulted in error: composited variable \"b\" fails to evaluate: no such key: b",
    ),
  ],
  [
    "parameters by name",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [
        { expression: "params.data.max == object.data.a", messageExpression: "string(params.metadata.name)" },
      ],
    },
    { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    denied("limits"),
  ],
  [
    "parameters by selector, each of which decides",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "params.data.max == '1'", messageExpression: "string(params.data.max)" }],
    },
    { paramRef: { selector: { matchLabels: { role: "limits" } }, parameterNotFoundAction: "Deny" } },
    denied("2"),
  ],
  [
    "parameters that may be missing",
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: never },
    { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    "admitted",
  ],
  [
    "a kind of parameters without a reference",
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "params != null" }] },
    {},
    denied("failed expression: params != null"),
  ],
  [
    "a namespace of parameters of the cluster",
    { paramKind: { apiVersion: "v1", kind: "Namespace" }, validations: never },
    { paramRef: { name: "default", namespace: "default", parameterNotFoundAction: "Deny" } },
    denied(
      "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
    ),
  ],
  [
    "an audit annotation that fails",
    { auditAnnotations: [{ key: "k", valueExpression: "'a' + object.data.b" }] },
    {},
    denied("expression ''a' + object.data.b' resulted in error: no such key: b"),
  ],
  [
    "an expression that costs too much",
    {
      validations: [
        {
          expression: `[${"1,".repeat(60)}1].all(a, ${"[".repeat(1)}${"1,".repeat(60)}1].all(b, [${"1,".repeat(60)}1].all(c, [${"1,".repeat(9)}1].all(d, a < 9))))`,
        },
      ],
    },
    {},
    "operation cancelled: actual cost limit exceeded",
  ],
])("a policy with %s", async (_title, spec, bound, expected) => {
  const limits = (name: string, max: string) =>
    configMap(name, { metadata: { name, namespace: "default", labels: { role: "limits" } }, data: { max } });
  const objects = [limits("limits", "1"), limits("more", "2")];
  const cluster = clusterWith(...objects, policy("Validating", spec), binding("Validating", bound));
  expect(await verdict(cluster, configMap("a", { data: { a: "x" } }))).toContain(expected);
});

test("the expressions of a policy share a budget of cost", async () => {
  const list = `[${Array.from({ length: 60 }, (_, i) => i).join(",")}]`;
  const expression = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  const validations = Array.from({ length: 12 }, () => ({ expression }));
  const cluster = clusterWith(policy("Validating", { validations }), binding("Validating"));
  expect(await verdict(cluster, configMap("a"))).toBe(
    denied("validation failed due to running out of cost budget, no further validation rules will be run"),
  );
  expect(await verdict(cluster, { ...configMap("a"), kind: "Secret" })).toBe("admitted");
});

test("actions warn, write to the audit log and count, and the policies stay writable", async () => {
  const cluster = clusterWith(
    policy("Validating", {
      matchConstraints: {
        resourceRules: [ruleFor("configmaps"), ruleFor("*", "admissionregistration.k8s.io")],
      },
      validations: [{ expression: "false", message: "no" }],
      auditAnnotations: [{ key: "who", valueExpression: "request.userInfo.username" }],
    }),
    binding("Validating", { validationActions: ["Warn", "Audit"] }),
  );
  const response = await cluster.fetch("https://cluster.test/api/v1/namespaces/default/configmaps", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${cluster.token("admin", { groups: ["system:masters"] })}`,
    },
    body: JSON.stringify(configMap("a")),
  });
  expect(response.headers.get("Warning")).toBe(
    "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no\"",
  );
  const failure = {
    message: "no",
    policy: "p",
    binding: "b",
    expressionIndex: 0,
    validationActions: ["Warn", "Audit"],
  };
  expect(cluster.requests.matching({ resource: "configmaps" })).toMatchObject([
    {
      annotations: {
        "p/who": "admin",
        "validation.policy.admission.k8s.io/validation_failure": JSON.stringify([failure]),
      },
      admission: [
        { plugin: "ValidatingAdmissionPolicy", name: "p", source: "b", outcome: "warned", message: "no" },
      ],
    },
  ]);
  const metrics = await (await cluster.fetch("https://cluster.test/metrics")).text();
  const labels = (action: string) =>
    `{enforcement_action="${action}",error_type="invalid_error",policy="p",policy_binding="b"} 1`;
  for (const action of ["warn", "audit"]) {
    expect(metrics).toContain(`apiserver_validating_admission_policy_check_total${labels(action)}`);
  }
  await cluster.delete(group, "ValidatingAdmissionPolicyBinding", "b");
});

test("a policy sees the object in the version that its rule names, and a kind of custom resources has parameters", async () => {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const names = { plural: "rules", singular: "rule", kind: "Rule" };
  const cluster = createCluster({ controllers: [] });
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "rules.x.io" },
    spec: {
      group: "x.io",
      names,
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const rules = [{ ...ruleFor("horizontalpodautoscalers", "autoscaling"), apiVersions: ["v1"] }];
  await cluster.create(
    policy("Validating", {
      matchConstraints: { resourceRules: rules },
      paramKind: { apiVersion: "x.io/v1", kind: "Rule" },
      validations: [
        {
          expression:
            "object.apiVersion == params.version && request.requestKind.version == 'v2' && params.kind == 'Rule'",
          messageExpression: "string(object.apiVersion)",
        },
      ],
    }),
  );
  await cluster.create(binding("Validating", { paramRef: { name: "r", parameterNotFoundAction: "Deny" } }));
  const scaler: KubeObject = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "a", namespace: "default" },
    spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } },
  };
  expect(await verdict(cluster, scaler)).toBe(
    denied(
      "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    ),
  );
  const rule: KubeObject = {
    apiVersion: "x.io/v1",
    kind: "Rule",
    metadata: { name: "r" },
    version: "apps/v1",
  };
  await cluster.create(rule);
  expect(await verdict(cluster, scaler)).toBe(denied("autoscaling/v1"));
  await cluster.apply({ ...rule, version: "autoscaling/v1" }, { fieldManager: "test", force: true });
  expect(await verdict(cluster, scaler)).toBe("admitted");
});

test("a change of a policy counts with the next request, and an update and a delete are decided with the old object", async () => {
  const rule = { ...ruleFor("configmaps"), operations: ["UPDATE", "DELETE"] };
  const cluster = clusterWith(
    configMap("a", { data: { locked: "true" } }),
    policy("Validating", {
      matchConstraints: { resourceRules: [rule] },
      validations: [
        { expression: "oldObject.data.locked != 'true'", messageExpression: "request.operation" },
      ],
    }),
    binding("Validating"),
  );
  const message = async (run: Promise<unknown>) => run.then(String, (error: Error) => error.message);
  expect(await message(cluster.delete("v1", "ConfigMap", "a"))).toContain(denied("DELETE"));
  const changed = configMap("a", { data: { locked: "false" } });
  expect(await message(cluster.apply(changed, { fieldManager: "test", force: true }))).toContain(
    denied("UPDATE"),
  );
  await cluster.delete(group, "ValidatingAdmissionPolicy", "p");
  await cluster.delete("v1", "ConfigMap", "a");
  await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
});

test("policies decide from 1.30 on, before that if their gate is on", async () => {
  const runtimeConfig = new Map([["admissionregistration.k8s.io/v1beta1", true]]);
  const objects = [
    policy("Validating", { validations: never }, "p", "v1beta1"),
    binding("Validating", {}, "b", "v1beta1"),
  ];
  const off = createCluster({ release: "1.29", controllers: [], runtimeConfig, objects });
  expect(await verdict(off, configMap("a"))).toBe("admitted");
  const featureGates = new Map([["ValidatingAdmissionPolicy", true]]);
  const on = createCluster({ release: "1.29", controllers: [], runtimeConfig, featureGates, objects });
  expect(await verdict(on, configMap("a"))).toBe(denied("no"));
});

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
  return createCluster({ release: "1.36", controllers: [], objects });
}

/** The object as it was created, or the message of the refusal. */
async function created(cluster: Cluster, object: KubeObject): Promise<KubeObject | string> {
  try {
    return await cluster.create(object);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  }
}

const deployments = { matchConstraints: { resourceRules: [ruleFor("deployments", "apps")] } };

/** A Deployment with this spec besides what it needs. */
function deployment(spec: JsonObject = {}, container: JsonObject = {}, ...more: JsonObject[]): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a", namespace: "default", labels: { x: "1" } },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" } },
        spec: { containers: [{ name: "a", image: "a", ...container }, ...more] },
      },
      ...spec,
    },
  };
}

function applying(expression: string): JsonObject {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

function patching(expression: string): JsonObject {
  return { patchType: "JSONPatch", jsonPatch: { expression } };
}

const denied = (text: string) => `policy 'p' with binding 'b' denied request: ${text}`;

/** The Deployment as a policy with this mutation leaves it, or the message of the refusal. */
async function mutated(
  mutation: JsonObject,
  object: KubeObject = deployment(),
): Promise<KubeObject | string> {
  const spec = { ...deployments, reinvocationPolicy: "Never", mutations: [mutation] };
  return created(clusterWith(policy("Mutating", spec), binding("Mutating")), object);
}

const podSpec = "Object.spec.template.spec";
const template = (fields: string) =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: ${podSpec}{${fields}}}}}`;
const ofPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

test.each<readonly [title: string, expression: string, expected: JsonObject]>([
  [
    "adds to a list of items with keys",
    template(`containers: [${podSpec}.containers{name: "b", image: "b"}]`),
    ofPod({ containers: [{ name: "a" }, { name: "b", image: "b", imagePullPolicy: "Always" }] }),
  ],
  [
    "changes an item with the same key",
    template(
      `containers: [${podSpec}.containers{name: "a", env: [${podSpec}.containers.env{name: "E", value: "2"}]}]`,
    ),
    ofPod({ containers: [{ name: "a", image: "a", env: [{ name: "D" }, { name: "E", value: "2" }] }] }),
  ],
  [
    "computes with the object",
    "Object{spec: Object.spec{replicas: object.spec.replicas % 2 == 0 ? object.spec.replicas + 1 : 0}}",
    { spec: { replicas: 3 } },
  ],
  [
    "merges maps",
    'Object{metadata: Object.metadata{labels: {"y": "2"}, ?annotations: optional.none()}}',
    { metadata: { labels: { x: "1", y: "2" } } },
  ],
  [
    "keeps quantities and takes integers",
    template(`terminationGracePeriodSeconds: 5, containers: [${podSpec}.containers{name: "a",
      resources: ${podSpec}.containers.resources{limits: {"cpu": "128M"}}}]`),
    ofPod({ terminationGracePeriodSeconds: 5, containers: [{ resources: { limits: { cpu: "128M" } } }] }),
  ],
  [
    "loops over containers",
    template(
      `containers: object.spec.template.spec.containers.map(c, ${podSpec}.containers{name: c.name, imagePullPolicy: "Never"})`,
    ),
    ofPod({ containers: [{ name: "a", image: "a", imagePullPolicy: "Never" }] }),
  ],
  ["sets nothing", "Object{}", { metadata: { labels: { x: "1" } }, spec: { replicas: 2 } }],
])("a configuration %s", async (_title, expression, expected) => {
  const env = [
    { name: "D", value: "1" },
    { name: "E", value: "1" },
  ];
  expect(await mutated(applying(expression), deployment({ replicas: 2 }, { env }))).toMatchObject(expected);
});

const atomic =
  "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs:";
const unexpectedType = (name: string, expected: string) =>
  `type mismatch: unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`;

test.each([
  [
    "an atomic structure",
    'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"l": "v"}}}}',
    `${atomic} .spec.selector`,
  ],
  [
    "atomic lists, with all paths",
    template(`containers: [${podSpec}.containers{name: "a", command: ["x"], args: ["y"]}]`),
    `${atomic} .spec.template.spec.containers[0].command, .spec.template.spec.containers[0].args`,
  ],
  [
    "a type that is not named after its field",
    "Object{spec: Object.specx{replicas: 1}}",
    unexpectedType("Object.specx", "Object.spec"),
  ],
  [
    "a field that the type does not have",
    "Object{spec: Object.spec{replicasx: 1}}",
    "error applying patch: failed to convert patch object to typed object: .spec.replicasx: field not declared in schema",
  ],
  [
    "a value of another type",
    'Object{spec: Object.spec{replicas: "1"}}',
    "error applying patch: failed to convert patch object to typed object: .spec.replicas: expected numeric (int or float), got string",
  ],
  [
    "a map in a list, which upstream does not convert",
    template('containers: [{"name": "a"}]'),
    "error applying patch: failed to convert patch object to typed object: .spec.template.spec.containers: element 0: associative list with keys may not have non-map elements",
  ],
  [
    "a map with keys that are not texts",
    'Object{metadata: Object.metadata{labels: {1: "a"}}}',
    "invalid return type: *dynamic.ObjectVal",
  ],
  [
    "an expression that fails",
    "Object{spec: Object.spec{replicas: object.spec.none}}",
    "expression 'Object{spec: Object.spec{replicas: object.spec.none}}' resulted in error: no such key: none",
  ],
])("a configuration may not have %s", async (_title, expression, expected) => {
  expect(await mutated(applying(expression))).toBe(denied(expected));
});

const containers = (...names: string[]) => ofPod({ containers: names.map((name) => ({ name })) });
const list = "/spec/template/spec/containers";

test.each<readonly [title: string, expression: string, expected: JsonObject]>([
  [
    "add an item",
    `[JSONPatch{op: "add", path: "${list}/0", value: {"name": "x", "image": "x"}}]`,
    containers("x", "a", "b"),
  ],
  [
    "append an item",
    `[JSONPatch{op: "add", path: "${list}/-", value: {"name": "x", "image": "x"}}]`,
    containers("a", "b", "x"),
  ],
  ["remove an item", `[JSONPatch{op: "remove", path: "${list}/0"}]`, containers("b")],
  ["move an item", `[JSONPatch{op: "move", from: "${list}/0", path: "${list}/-"}]`, containers("b", "a")],
  [
    "copy and replace a label",
    '[JSONPatch{op: "copy", from: "/metadata/labels/x", path: "/metadata/labels/y"}, JSONPatch{op: "replace", path: "/metadata/labels/x", value: "2"}]',
    { metadata: { labels: { x: "2", y: "1" } } },
  ],
  [
    "construct objects",
    `[JSONPatch{op: "add", path: "${list}/-", value: ${podSpec}.containers{name: "x", image: "x", ports: [${podSpec}.containers.ports{containerPort: 8080}]}}]`,
    ofPod({ containers: [{}, {}, { name: "x", ports: [{ containerPort: 8080, protocol: "TCP" }] }] }),
  ],
  [
    "escape keys and read fields of operations",
    '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("k8s.io/xy"), value: JSONPatch{path: "p"}.path}].filter(p, has(p.value))',
    { metadata: { labels: { "k8s.io/xy": "p" } } },
  ],
  [
    "go on after a test that holds",
    '[JSONPatch{op: "test", path: "/spec/replicas", value: 2}, JSONPatch{op: "replace", path: "/spec/replicas", value: 3}]',
    { spec: { replicas: 3 } },
  ],
  [
    "stop without an error at a test that does not hold",
    '[JSONPatch{op: "replace", path: "/spec/replicas", value: 3}, JSONPatch{op: "test", path: "/spec/paused", value: true}]',
    { spec: { replicas: 2 } },
  ],
  [
    "remove a field, which then has its default",
    '[JSONPatch{op: "remove", path: "/spec/replicas"}]',
    { spec: { replicas: 1 } },
  ],
  ["do nothing", '[JSONPatch{op: "remove", path: "/a"}].filter(p, false)', { spec: { replicas: 2 } }],
])("operations %s", async (_title, expression, expected) => {
  const object = deployment({ replicas: 2 }, {}, { name: "b", image: "b" });
  expect(await mutated(patching(expression), object)).toMatchObject(expected);
});

test.each([
  [
    "replace the end of a list",
    `[JSONPatch{op: "replace", path: "${list}/-", value: 1}]`,
    denied(`JSON Patch: replace operation does not apply: doc is missing key: ${list}/-: missing value`),
  ],
  [
    "remove what is not there",
    '[JSONPatch{op: "remove", path: "/metadata/labels/none"}]',
    denied(
      "JSON Patch: error in remove for path: '/metadata/labels/none': Unable to remove nonexistent key: none: missing value",
    ),
  ],
  ["have another kind", '[JSONPatch{op: "zap", path: "/a"}]', denied("JSON Patch: Unexpected kind: zap")],
  [
    "have a path that is no text",
    '[JSONPatch{op: "add", path: dyn(1), value: 1}]',
    denied(
      "expression '[JSONPatch{op: \"add\", path: dyn(1), value: 1}]' resulted in error: unexpected type int64 for JSONPatchType 'path' field",
    ),
  ],
  [
    "construct a type that is not named after its field",
    `[JSONPatch{op: "add", path: "${list}/-", value: ${podSpec}.containers{name: "x", ports: [${podSpec}.containers.portsZ{containerPort: 1}]}}]`,
    denied(unexpectedType(`${podSpec}.containers.portsZ`, `${podSpec}.containers.ports`)),
  ],
  [
    "set an unknown field",
    `[JSONPatch{op: "add", path: "${list}/0/nameZ", value: "x"}]`,
    'Internal error occurred: strict decoding error: unknown field "spec.template.spec.containers[0].nameZ"',
  ],
])("operations may not %s", async (_title, expression, expected) => {
  expect(await mutated(patching(expression))).toBe(expected);
});

test("a failure is forbidden for an invalid request, and names every policy that failed", async () => {
  const fails = applying("Object{metadata: Object.metadata{labels: object.metadata.none}}");
  const labels = applying('Object{metadata: Object.metadata{labels: {"y": "1"}}}');
  const spec = { reinvocationPolicy: "Never", mutations: [fails, labels] };
  const ignoring = { ...spec, failurePolicy: "Ignore" };
  const all = [policy("Mutating", ignoring, "p"), policy("Mutating", ignoring, "q")];
  const bound = [binding("Mutating"), binding("Mutating", { policyName: "q" }, "c")];
  // What does not fail is kept.
  expect(
    await created(
      clusterWith(...all, ...bound),
      configMap("a", { metadata: { name: "a", namespace: "default", labels: { x: "1" } } }),
    ),
  ).toMatchObject({
    metadata: { labels: { x: "1", y: "1" } },
  });
  const strict = clusterWith(policy("Mutating", spec), policy("Mutating", spec, "q"), ...bound);
  const error = await strict.create(configMap("a")).catch((refusal: unknown) => refusal);
  const problem =
    "expression 'Object{metadata: Object.metadata{labels: object.metadata.none}}' resulted in error: no such key: none";
  const messages = [denied(problem), `policy 'q' with binding 'c' denied request: ${problem}`];
  expect(error).toMatchObject({
    status: {
      code: 403,
      reason: "Invalid",
      message: messages[0],
      details: { name: "a", kind: "configmaps", causes: messages.map((message) => ({ message })) },
    },
  });
  await expect(strict.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
});

const mutating = (expression: string, more: JsonObject = {}) =>
  policy("Mutating", { reinvocationPolicy: "Never", mutations: [applying(expression)], ...more });
const label = (value: string) => `Object{metadata: Object.metadata{labels: {"l": ${value}}}}`;
const params = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const badConfiguration = (text: string) => denied(`failed to configure binding: ${text}`);

test.each<readonly [title: string, spec: JsonObject, bound: JsonObject, value: string, expected: string]>([
  [
    "variables, in their order",
    {
      variables: [
        { name: "fails", expression: "object.none" },
        { name: "a", expression: "object.metadata.name" },
        { name: "both", expression: "variables.a + string(variables.a)" },
      ],
    },
    {},
    "variables.both",
    "aa",
  ],
  ["the namespace", {}, {}, "namespaceObject.metadata.name", "default"],
  ["the request", {}, {}, "request.resource.resource + string(request.dryRun)", "configmapsfalse"],
  ["the authorizer", {}, {}, "string(authorizer.requestResource.check('create').allowed())", "true"],
  [
    "parameters by name",
    params,
    { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    "params.data.max",
    "1",
  ],
  [
    "parameters by selector, one after the other",
    params,
    { paramRef: { selector: { matchLabels: { role: "limits" } }, parameterNotFoundAction: "Deny" } },
    "object.metadata.?labels.l.orValue('') + params.data.max",
    "12",
  ],
  [
    "missing parameters that are allowed",
    params,
    { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    "'x'",
    "none",
  ],
  [
    "missing parameters",
    params,
    { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
    "'x'",
    badConfiguration("no params found for policy binding with `Deny` parameterNotFoundAction"),
  ],
  [
    "a kind of parameters that is not served",
    { paramKind: { apiVersion: "x.io/v1", kind: "X" } },
    {},
    "'x'",
    "policy \"p\" denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=X'",
  ],
  [
    "a condition that holds",
    { matchConditions: [{ name: "c", expression: "object.metadata.name == 'a'" }] },
    {},
    "'x'",
    "x",
  ],
  [
    "a condition that does not hold",
    { matchConditions: [{ name: "c", expression: "false" }] },
    {},
    "'x'",
    "none",
  ],
  [
    "a condition that fails",
    { matchConditions: [{ name: "c", expression: "object.none == 1" }] },
    {},
    "'x'",
    denied("expression 'object.none == 1' resulted in error: no such key: none"),
  ],
  [
    "a binding for other resources",
    {},
    { matchResources: { resourceRules: [ruleFor("pods")] } },
    "'x'",
    "none",
  ],
  ["a binding of another policy", {}, { policyName: "q" }, "'x'", "none"],
])("a mutation with %s", async (_title, spec, bound, value, expected) => {
  const limits = (name: string, max: string) =>
    configMap(name, { metadata: { name, namespace: "default", labels: { role: "limits" } }, data: { max } });
  const cluster = clusterWith(
    limits("limits", "1"),
    limits("more", "2"),
    mutating(label(value), spec),
    binding("Mutating", bound),
  );
  const result = await created(cluster, configMap("a"));
  expect(typeof result === "string" ? result : (result.metadata.labels?.["l"] ?? "none")).toBe(expected);
});

/** A policy that appends its name to an annotation, for the order of calls. */
function noting(name: string, reinvocationPolicy: "IfNeeded" | "Never"): readonly KubeObject[] {
  const expression = `Object{metadata: Object.metadata{annotations: {"calls": object.metadata.?annotations.calls.orValue("") + "${name}"}}}`;
  return [
    policy("Mutating", { reinvocationPolicy, mutations: [applying(expression)] }, name),
    binding("Mutating", { policyName: name }, name),
  ];
}

test.each<readonly [title: string, policies: readonly (readonly KubeObject[])[], calls: string]>([
  ["in the order of their names", [noting("b", "Never"), noting("a", "Never")], "ab"],
  ["once more after a mutation, if they may", [noting("a", "IfNeeded"), noting("b", "Never")], "aba"],
  ["once more after their own mutation, as upstream", [noting("a", "IfNeeded")], "aa"],
])("policies are called %s", async (_title, policies, calls) => {
  const object = await created(clusterWith(...policies.flat()), configMap("a"));
  expect(object).toMatchObject({ metadata: { annotations: { calls } } });
});

test("policies see a change by a webhook once more, and a webhook sees theirs", async () => {
  const cluster = clusterWith(...noting("p", "IfNeeded"), ...noting("q", "Never"), {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "w" },
    webhooks: [
      {
        name: "w.example.com",
        clientConfig: { url: "https://w.example.com" },
        rules: [ruleFor("configmaps")],
        reinvocationPolicy: "IfNeeded",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  cluster.webhook("w.example.com", ({ request }) => {
    const { object } = request as { object: KubeObject };
    const value = `${object.metadata.annotations?.["calls"]}w`;
    const patch = JSON.stringify([{ op: "add", path: "/metadata/annotations/calls", value }]);
    return { allowed: true, patchType: "JSONPatch", patch: btoa(patch) };
  });
  expect(await created(cluster, configMap("a"))).toMatchObject({
    metadata: { annotations: { calls: "pqwpw" } },
  });
});

test("a policy changes an object in the version that its rule names, and dry runs, and counts", async () => {
  const rules = [{ ...ruleFor("horizontalpodautoscalers", "autoscaling"), apiVersions: ["v1"] }];
  const cluster = clusterWith(
    mutating("Object{spec: Object.spec{minReplicas: 2, targetCPUUtilizationPercentage: 7}}", {
      matchConstraints: { resourceRules: rules },
    }),
    binding("Mutating"),
  );
  const scaler: KubeObject = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "a", namespace: "default" },
    spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } },
  };
  const expected = {
    apiVersion: "autoscaling/v2",
    spec: { minReplicas: 2, metrics: [{ resource: { name: "cpu", target: { averageUtilization: 7 } } }] },
  };
  expect(await cluster.create(scaler, { dryRun: true })).toMatchObject(expected);
  expect(await created(cluster, scaler)).toMatchObject(expected);
  const metrics = await (await cluster.fetch("https://cluster.test/metrics")).text();
  const labels = '{error_type="no_error",policy="p",policy_binding="b"} 2';
  expect(metrics).toContain(`apiserver_mutating_admission_policy_check_total${labels}`);
});

test("policies change updates, subresources and custom resources, and see the old object", async () => {
  const cluster = createCluster({ release: "1.36", controllers: [] });
  const schema = {
    type: "object",
    properties: { spec: { type: "object", properties: { size: { type: "integer", default: 1 } } } },
  };
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.x.io" },
    spec: {
      group: "x.io",
      names: { plural: "things", kind: "Thing" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const rules = [
    ruleFor("things", "x.io"),
    { ...ruleFor("deployments/scale", "apps"), operations: ["UPDATE"] },
    { ...ruleFor("configmaps"), operations: ["UPDATE"] },
  ];
  const expression =
    "Object{metadata: Object.metadata{annotations: {'seen': request.?subResource.orValue('') + (oldObject == null ? 'new' : 'old')}}}";
  await cluster.create(mutating(expression, { matchConstraints: { resourceRules: rules } }));
  await cluster.create(binding("Mutating"));
  const thing = {
    apiVersion: "x.io/v1",
    kind: "Thing",
    metadata: { name: "a", namespace: "default" },
    spec: {},
  };
  expect(await created(cluster, thing)).toMatchObject({
    metadata: { annotations: { seen: "new" } },
    spec: { size: 1 },
  });
  await cluster.create(configMap("a"));
  const patched = await cluster.apply(configMap("a", { data: { b: "c" } }), {
    fieldManager: "t",
    force: true,
  });
  expect(patched).toMatchObject({ metadata: { annotations: { seen: "old" } } });
  await cluster.create(deployment());
  const scale = cluster.patch(
    "apps/v1",
    "Deployment",
    "a",
    { spec: { replicas: 3 } },
    { subresource: "scale" },
  );
  // Only the documents of other groups describe a Scale (upstream's rule).
  await expect(scale).rejects.toThrow(
    denied(
      "error applying patch: failed to convert patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale",
    ),
  );
});

test("policies change objects from 1.36 on, before that if their gate is on", async () => {
  const of = (release: "1.32" | "1.34", version: string, gate: boolean) =>
    createCluster({
      release,
      controllers: [],
      featureGates: new Map([["MutatingAdmissionPolicy", gate]]),
      runtimeConfig: new Map([[`admissionregistration.k8s.io/${version}`, true]]),
      objects: [
        policy(
          "Mutating",
          { reinvocationPolicy: "Never", mutations: [applying(label("'x'"))] },
          "p",
          version,
        ),
        binding("Mutating", {}, "b", version),
      ],
    });
  const labelled = { metadata: { labels: { l: "x" } } };
  expect(await created(of("1.32", "v1alpha1", true), configMap("a"))).toMatchObject(labelled);
  expect(await created(of("1.34", "v1beta1", true), configMap("a"))).toMatchObject(labelled);
  expect(await created(of("1.34", "v1beta1", false), configMap("a"))).not.toMatchObject(labelled);
});

const managedFields = "/metadata/managedFields";

test.each([
  [
    "an entry without an operation",
    `[JSONPatch{op: "add", path: "${managedFields}", value: [{"apiVersion": "v1", "fieldsType": "FieldsV1"}]}]`,
    "operation must be `Apply` or `Update`",
  ],
  [
    "an unknown type of fields",
    `[JSONPatch{op: "replace", path: "${managedFields}/0/fieldsType", value: "F2"}]`,
    'invalid fieldsType "F2" in managed fields entry 0',
  ],
])(
  "managedFields that a policy breaks with %s are undone with a warning",
  async (_title, expression, problem) => {
    const spec = { reinvocationPolicy: "Never", mutations: [patching(expression)] };
    const cluster = clusterWith(policy("Mutating", spec), binding("Mutating"));
    const response = await cluster.fetch(
      "https://cluster.test/api/v1/namespaces/default/configmaps?fieldManager=me",
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${cluster.token("admin", { groups: ["system:masters"] })}`,
        },
        body: JSON.stringify(configMap("a", { data: { a: "b" } })),
      },
    );
    const text =
      ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ";
    expect(response.headers.get("Warning")).toBe(`299 - ${JSON.stringify(text + problem)}`);
    expect(await response.json()).toMatchObject({
      metadata: { managedFields: [{ manager: "me", operation: "Update", fieldsV1: { "f:data": {} } }] },
    });
  },
);

test("an expression has a limit of cost, and the expressions of a mutation a budget", async () => {
  const numbers = `[${Array.from({ length: 60 }, (_, i) => i).join(",")}]`;
  const costly = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c >= 0)))`;
  const cluster = (spec: JsonObject, value: string) =>
    clusterWith(mutating(label(value), spec), binding("Mutating"));
  const tooMuch = `${numbers}.all(z, ${costly}) ? 'a' : 'b'`;
  expect(await created(cluster({}, tooMuch), configMap("a"))).toBe(
    denied(
      `expression '${label(tooMuch)}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ),
  );
  const variables = Array.from({ length: 12 }, (_, i) => ({ name: `v${i}`, expression: costly }));
  const all = variables.map(({ name }) => `variables.${name}`).join(" && ");
  expect(await created(cluster({ variables }, `${all} ? 'a' : 'b'`), configMap("a"))).toBe(
    denied("validation failed due to running out of cost budget, no further validation rules will be run"),
  );
});

test("no policy changes the configuration of admission", async () => {
  const everything = [{ ...ruleFor("*", "*"), apiVersions: ["*"] }];
  const spec = { matchConstraints: { resourceRules: everything } };
  const cluster = clusterWith(mutating(label("'x'"), spec), binding("Mutating"));
  expect((await cluster.create(binding("Mutating", {}, "c"))).metadata.labels).toBeUndefined();
  expect((await cluster.create(configMap("a"))).metadata.labels).toEqual({ l: "x" });
});

import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { policy, ruleFor } from "../admission/policy-objects.ts";

const v1 = "admissionregistration.k8s.io/v1";
const kind = "ValidatingAdmissionPolicy";
const ofDeployments = { matchConstraints: { resourceRules: [ruleFor("deployments", "apps")] } };

const things: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.x.io" },
  spec: {
    group: "x.io",
    names: { plural: "things", kind: "Thing" },
    scope: "Cluster",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};

/** What the controller writes to the status of a policy once it is idle. */
async function statusOf(cluster: Cluster, name = "p"): Promise<unknown> {
  await cluster.settle();
  return (await cluster.get(v1, kind, name))["status"];
}

const validating = (expression: string, more: JsonObject = {}): JsonObject => ({
  ...ofDeployments,
  validations: [{ expression }],
  ...more,
});

const undefinedField = (subject: string, expression: string, column: number, field: string) =>
  `${subject}: ERROR: <input>:1:${column + 1}: undefined field '${field}'\n | ${expression}\n | ${".".repeat(column)}^\n`;
const deployment = "apps/v1, Kind=Deployment";
const pod = "/v1, Kind=Pod";
const first = "spec.validations[0].expression";

/** Each policy, and the field and the text of its warnings. */
const checks: readonly (readonly [
  title: string,
  spec: JsonObject,
  warnings: readonly (readonly [field: string, warning: string])[],
])[] = [
  ["fields that exist", validating("object.spec.replicas > 1 && object.metadata.labels['a'] == 'b'"), []],
  [
    "an unknown field",
    validating("object.spec.foo == 1"),
    [[first, undefinedField(deployment, "object.spec.foo == 1", 11, "foo")]],
  ],
  [
    "another type",
    validating("object.spec.replicas == 'x'"),
    [
      [
        first,
        `${deployment}: ERROR: <input>:1:22: found no matching overload for '_==_' applied to '(int, string)'\n | object.spec.replicas == 'x'\n | .....................^\n`,
      ],
    ],
  ],
  [
    "several kinds, sorted",
    validating("oldObject.spec.replicas > 1", {
      matchConstraints: { resourceRules: [ruleFor("deployments", "apps"), ruleFor("pods")] },
    }),
    [[first, undefinedField(pod, "oldObject.spec.replicas > 1", 14, "replicas")]],
  ],
  [
    "a computed message and a variable",
    {
      ...ofDeployments,
      variables: [
        { name: "spec", expression: "object.spec" },
        { name: "count", expression: "object.spec.replicas" },
      ],
      validations: [
        { expression: "variables.spec.anything > 1" },
        { expression: "variables.count == 'x'", messageExpression: "string(object.none)" },
      ],
    },
    [
      [
        "spec.validations[1].expression",
        `${deployment}: ERROR: <input>:1:17: found no matching overload for '_==_' applied to '(int, string)'\n | variables.count == 'x'\n | ................^\n`,
      ],
      [
        "spec.validations[1].messageExpression",
        undefinedField(deployment, "string(object.none)", 13, "none"),
      ],
    ],
  ],
  [
    "typed parameters",
    validating("params.data.x == 'y' && params.data == 1", {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    }),
    [
      [
        first,
        `${deployment}: ERROR: <input>:1:37: found no matching overload for '_==_' applied to '(map(string, string), int)'\n | params.data.x == 'y' && params.data == 1\n | ....................................^\n`,
      ],
    ],
  ],
  [
    "a custom resource",
    validating("object.spec.size > 1 && object.metadata.name == object.spec.none", {
      matchConstraints: { resourceRules: [ruleFor("things", "x.io")] },
    }),
    [
      [
        first,
        undefinedField(
          "x.io/v1, Kind=Thing",
          "object.spec.size > 1 && object.metadata.name == object.spec.none",
          59,
          "none",
        ),
      ],
    ],
  ],
  [
    "wildcards, which are not checked",
    validating("object.none == 1", {
      matchConstraints: { resourceRules: [{ ...ruleFor("*", "*"), apiVersions: ["*"] }] },
    }),
    [],
  ],
  [
    "quantities, which have no published type",
    validating("object.spec.containers.all(c, has(c.resources.limits))", {
      matchConstraints: { resourceRules: [ruleFor("pods")] },
    }),
    [[first, undefinedField(pod, "object.spec.containers.all(c, has(c.resources.limits))", 33, "limits")]],
  ],
];

test("the status of a policy has a warning for each expression that does not fit the types it selects", async () => {
  await using cluster = createCluster();
  await cluster.create(things);
  await cluster.settle();
  for (const [i, [, spec]] of checks.entries()) await cluster.create(policy("Validating", spec, `p${i}`));
  for (const [i, [title, , warnings]] of checks.entries()) {
    const expressionWarnings = warnings.map(([fieldRef, warning]) => ({ fieldRef, warning }));
    expect(await statusOf(cluster, `p${i}`), title).toEqual({
      observedGeneration: 1,
      typeChecking: warnings.length === 0 ? {} : { expressionWarnings },
    });
  }
});

test("a change of the expressions is checked, and other changes are not", async () => {
  await using cluster = createCluster();
  await cluster.create(policy("Validating", validating("object.none == 1")));
  expect(await statusOf(cluster)).toMatchObject({ observedGeneration: 1 });
  await cluster.patch(v1, kind, "p", { metadata: { labels: { a: "b" } } });
  expect(await statusOf(cluster)).toMatchObject({ observedGeneration: 1 });
  await cluster.patch(v1, kind, "p", { spec: { validations: [{ expression: "true" }] } });
  // An apply that no longer has the warnings leaves nothing of `typeChecking`.
  expect(await statusOf(cluster)).toEqual({ observedGeneration: 2 });
  const { managedFields } = (await cluster.get(v1, kind, "p")).metadata;
  expect(managedFields).toContainEqual(
    expect.objectContaining({
      manager: "validatingadmissionpolicy-status",
      operation: "Apply",
      subresource: "status",
    }),
  );
});

test("a cluster without the controller writes no status, and neither does one before 1.28", async () => {
  await using off = createCluster({ controllers: ["*", "-validatingadmissionpolicy-status-controller"] });
  await off.create(policy("Validating", validating("object.none == 1")));
  expect(await statusOf(off)).toEqual({});
  const runtimeConfig = new Map([["admissionregistration.k8s.io/v1alpha1", true]]);
  await using old = createCluster({ release: "1.27", runtimeConfig });
  await old.create(policy("Validating", validating("object.none == 1"), "p", "v1alpha1"));
  await old.settle();
  const stored = await old.get("admissionregistration.k8s.io/v1alpha1", kind, "p");
  expect(stored["status"]).toEqual({});
});

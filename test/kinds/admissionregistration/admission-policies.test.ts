import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/admissionregistration.k8s.io";
const policies = `${root}/v1/validatingadmissionpolicies`;
const bindings = `${root}/v1/validatingadmissionpolicybindings`;
const mutatingPolicies = `${root}/v1alpha1/mutatingadmissionpolicies`;
const mutatingBindings = `${root}/v1alpha1/mutatingadmissionpolicybindings`;
const alpha = { runtimeConfig: new Map([["admissionregistration.k8s.io/v1alpha1", true]]) };

const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const matchConstraints = { resourceRules: [rule] };
const validations = [{ expression: "true" }];
const good = { matchConstraints, validations };
const mutation = {
  patchType: "JSONPatch",
  jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/data"}]' },
};
const goodMutating = { matchConstraints, mutations: [mutation], reinvocationPolicy: "Never" };

type Case = readonly [title: string, spec: object, findings: readonly unknown[]];

// Errors of both kinds of policies.
const common: readonly Case[] = [
  ["no resources", { matchConstraints: null }, ["spec.matchConstraints: Required value"]],
  [
    "resources without a rule",
    { matchConstraints: { resourceRules: null } },
    ["spec.matchConstraints.resourceRules: Required value"],
  ],
  [
    "an invalid failure policy",
    { failurePolicy: "Q" },
    ['spec.failurePolicy: Unsupported value: "Q": supported values: "Fail", "Ignore"'],
  ],
  [
    "an invalid match policy and invalid selectors",
    {
      matchConstraints: {
        ...matchConstraints,
        matchPolicy: "Q",
        namespaceSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
        objectSelector: { matchExpressions: [{ key: "a", operator: "Q" }] },
      },
    },
    [
      'spec.matchConstraints.matchPolicy: Unsupported value: "Q": supported values: "Equivalent", "Exact"',
      "spec.matchConstraints.namespaceSelector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.matchConstraints.objectSelector.matchExpressions[0].operator: Invalid value: "Q": not a valid selector operator',
    ],
  ],
  [
    "rules without resources, and with invalid names",
    {
      matchConstraints: {
        resourceRules: [{ ...rule, resourceNames: ["a/b", "c", "c"] }],
        excludeResourceRules: [{ operations: ["CREATE"] }],
      },
    },
    [
      "spec.matchConstraints.resourceRules[0].resourceNames[0]: Invalid value: \"a/b\": may not contain '/'",
      'spec.matchConstraints.resourceRules[0].resourceNames[2]: Duplicate value: "c"',
      ...["apiGroups", "apiVersions", "resources"].map(
        (name) => `spec.matchConstraints.excludeResourceRules[0].${name}: Required value`,
      ),
    ],
  ],
  [
    "parameters of no kind",
    { paramKind: {} },
    ["spec.paramKind.apiVersion: Required value", "spec.paramKind.kind: Required value"],
  ],
  [
    "parameters of a version without a number",
    { paramKind: { apiVersion: "x.io/", kind: "K" } },
    ['spec.paramKind.apiVersion: Invalid value: "x.io/": version must be specified'],
  ],
  [
    "parameters of three parts",
    { paramKind: { apiVersion: "a/b/c", kind: "K" } },
    ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  ],
  [
    "parameters with invalid names",
    { paramKind: { apiVersion: "X_/1v", kind: "1K" } },
    [
      expect.stringContaining(
        'spec.paramKind.apiVersion: Invalid value: "X_": a lowercase RFC 1123 subdomain',
      ),
      expect.stringContaining('spec.paramKind.apiVersion: Invalid value: "1v": a DNS-1035 label must'),
      expect.stringContaining(
        'spec.paramKind.kind: Invalid value: "1K": may have mixed case, but should otherwise match: a DNS-1035 label',
      ),
    ],
  ],
  [
    "conditions",
    {
      matchConditions: [
        { name: "", expression: " " },
        { name: "a b", expression: "true" },
        { name: "c", expression: "true" },
        { name: "c", expression: "true" },
      ],
    },
    [
      "spec.matchConditions[0].expression: Required value",
      "spec.matchConditions[0].name: Required value",
      expect.stringContaining('spec.matchConditions[1].name: Invalid value: "a b": name part must'),
      'spec.matchConditions[3].name: Duplicate value: "c"',
    ],
  ],
  [
    "variables without a name, or with a reserved name",
    {
      variables: [
        { name: " ", expression: "" },
        { name: "in", expression: "1" },
        { name: "a-b", expression: "1" },
      ],
    },
    [
      "spec.variables[0].name: Required value: name is not specified",
      "spec.variables[0].expression: Required value: expression is not specified",
      'spec.variables[1].name: Invalid value: "in": name is not a valid CEL identifier',
      'spec.variables[2].name: Invalid value: "a-b": name is not a valid CEL identifier',
    ],
  ],
];

describe("a ValidatingAdmissionPolicy is refused for", () => {
  test.each<Case>([
    ...common,
    [
      "no validations and no audit annotations",
      { validations: [] },
      ["validations", "auditAnnotations"].map(
        (name) =>
          `spec.${name}: Required value: validations or auditAnnotations must contain at least one item`,
      ),
    ],
    [
      "validations",
      {
        validations: [
          { expression: " ", messageExpression: " ", message: " ", reason: "Unauthorized" },
          { expression: "true", message: "a\nb" },
        ],
      },
      [
        "spec.validations[0].expression: Required value: expression is not specified",
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: " ": message must be non-empty if specified',
        'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
        'spec.validations[1].message: Invalid value: "a\\nb": message must not contain line breaks',
      ],
    ],
    [
      "annotations",
      {
        auditAnnotations: [
          { key: "a b", valueExpression: " " },
          { key: "c", valueExpression: "x".repeat(5121) },
          { key: "c", valueExpression: "'x'" },
        ],
      },
      [
        expect.stringContaining(
          'spec.auditAnnotations[0].key: Invalid value: "p/a b": name part must consist',
        ),
        "spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified",
        "spec.auditAnnotations[1].valueExpression: Required value: must not exceed 5120 bytes in length",
        'spec.auditAnnotations[2].key: Duplicate value: "c"',
      ],
    ],
    [
      "too many annotations",
      { auditAnnotations: Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, valueExpression: "'x'" })) },
      [
        expect.stringMatching(
          /^spec\.auditAnnotations: Invalid value: \[\]admissionregistration\.AuditAnnotation\{admissionregistration\.AuditAnnotation\{Key:"k0", ValueExpression:"'x'"\}, .*: must not have more than 20 auditAnnotations$/,
        ),
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "p" }, spec: { ...good, ...change } };
    expect((await send("POST", policies, body)).findings).toEqual(findings);
    await send("POST", policies, { metadata: { name: "p" }, spec: good });
    expect((await send("PATCH", `${policies}/p`, { spec: change })).findings).toEqual(findings);
  });
});

describe("a MutatingAdmissionPolicy is refused for", () => {
  test.each<Case>([
    ...common,
    [
      "operations that cannot be mutated",
      { matchConstraints: { resourceRules: [{ ...rule, operations: ["CREATE", "DELETE"] }] } },
      [
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [
      "no mutation",
      { mutations: [] },
      ["spec.mutations: Required value: mutations must contain at least one item"],
    ],
    [
      "mutations",
      {
        mutations: [
          {},
          { patchType: "Q" },
          { patchType: "JSONPatch", applyConfiguration: { expression: "x" } },
          { patchType: "ApplyConfiguration", jsonPatch: { expression: "x" } },
          { patchType: "ApplyConfiguration", applyConfiguration: { expression: " " } },
        ],
      },
      [
        "spec.mutations[0].patchType: Required value",
        'spec.mutations[1].patchType: Unsupported value: "Q": supported values: "ApplyConfiguration", "JSONPatch"',
        "spec.mutations[2].jsonPatch: Required value: must be specified when patchType is JSONPatch",
        'spec.mutations[2].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
        "spec.mutations[3].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration",
        'spec.mutations[3].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
        "spec.mutations[4].applyConfiguration.expression: Required value",
      ],
    ],
    ["no reinvocation policy", { reinvocationPolicy: "" }, ["spec.reinvocationPolicy: Required value"]],
    [
      "an unknown reinvocation policy",
      { reinvocationPolicy: "Q" },
      ['spec.reinvocationPolicy: Unsupported value: "Q": supported values: "IfNeeded", "Never"'],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster(alpha));
    const body = { metadata: { name: "p" }, spec: { ...goodMutating, ...change } };
    expect((await send("POST", mutatingPolicies, body)).findings).toEqual(findings);
    await send("POST", mutatingPolicies, { metadata: { name: "p" }, spec: goodMutating });
    expect((await send("PATCH", `${mutatingPolicies}/p`, { spec: change })).findings).toEqual(findings);
  });
});

// Errors of both kinds of bindings.
const commonOfBindings: readonly Case[] = [
  ["no policy", { policyName: "" }, ["spec.policyName: Required value"]],
  [
    "an invalid policy",
    { policyName: "P_" },
    [expect.stringContaining('spec.policyName: Invalid value: "P_": a lowercase RFC 1123 subdomain')],
  ],
  [
    "parameters without a name or selector",
    { paramRef: { parameterNotFoundAction: "" } },
    [
      "spec.paramRef: Required value: one of name or selector must be specified",
      "spec.paramRef.parameterNotFoundAction: Required value",
    ],
  ],
  [
    "parameters with both a name and a selector",
    {
      paramRef: {
        name: "a/b",
        selector: { matchExpressions: [{ key: "a", operator: "Q" }] },
        parameterNotFoundAction: "Q",
      },
    },
    [
      "spec.paramRef.name: Invalid value: \"a/b\": may not contain '/'",
      "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
      'spec.paramRef.selector.matchExpressions[0].operator: Invalid value: "Q": not a valid selector operator',
      "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
      'spec.paramRef.parameterNotFoundAction: Unsupported value: "Q": supported values: "Deny", "Allow"',
    ],
  ],
  [
    "resources, with upstream's misspelled field",
    { matchResources: { matchPolicy: "Q" } },
    ['spec.matchResouces.matchPolicy: Unsupported value: "Q": supported values: "Equivalent", "Exact"'],
  ],
];

describe("a ValidatingAdmissionPolicyBinding is refused for", () => {
  const goodBinding = { policyName: "p", validationActions: ["Deny"] };

  test.each<Case>([
    ...commonOfBindings,
    [
      "no action",
      { validationActions: [] },
      ["spec.validationActions: Required value: at least one validation action is required"],
    ],
    [
      "unknown and duplicate actions",
      { validationActions: ["Deny", "Deny", "Zed"] },
      [
        'spec.validationActions[1]: Duplicate value: "Deny"',
        'spec.validationActions[2]: Unsupported value: "Zed": supported values: "Audit", "Deny", "Warn"',
      ],
    ],
    [
      "both Deny and Warn",
      { validationActions: ["Deny", "Warn"] },
      [
        'spec.validationActions: Invalid value: []admissionregistration.ValidationAction{"Deny", "Warn"}: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "b" }, spec: { ...goodBinding, ...change } };
    expect((await send("POST", bindings, body)).findings).toEqual(findings);
    await send("POST", bindings, { metadata: { name: "b" }, spec: goodBinding });
    expect((await send("PATCH", `${bindings}/b`, { spec: change })).findings).toEqual(findings);
  });
});

describe("a MutatingAdmissionPolicyBinding is refused for", () => {
  test.each<Case>([
    ...commonOfBindings.filter(([title]) => title !== "parameters without a name or selector"),
    [
      "operations that cannot be mutated",
      { matchResources: { resourceRules: [{ ...rule, operations: ["*"] }] } },
      [
        'spec.matchResouces.resourceRules.operations: Unsupported value: "*": supported values: "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster(alpha));
    const body = { metadata: { name: "b" }, spec: { policyName: "p", ...change } };
    expect((await send("POST", mutatingBindings, body)).findings).toEqual(findings);
  });
});

describe("an admission policy", () => {
  test("counts its changes, and does not change its status", async () => {
    const send = testClient(quietCluster());
    const status = { observedGeneration: 7 };
    const made = await send("POST", policies, { metadata: { name: "p" }, spec: good, status });
    expect(made.object).toMatchObject({ metadata: { generation: 1 }, status: {} });
    expect(made.object.status).toEqual({});
    const changed = await send("PATCH", `${policies}/p`, { spec: { failurePolicy: "Ignore" }, status });
    expect(changed.object).toMatchObject({ metadata: { generation: 2 }, status: {} });
    const reported = await send("PATCH", `${policies}/p/status`, {
      metadata: { labels: { a: "b" } },
      spec: { failurePolicy: "Fail" },
      status,
    });
    expect(reported.object).toMatchObject({ spec: { failurePolicy: "Ignore" }, status });
    expect(reported.object.metadata.labels).toBeUndefined();
  });

  test("has type checking warnings with field references, and conditions, in its status", async () => {
    const send = testClient(quietCluster());
    await send("POST", policies, { metadata: { name: "p" }, spec: good });
    const status = {
      typeChecking: { expressionWarnings: [{ fieldRef: "", warning: "" }] },
      conditions: [{ type: "a b", status: "True", reason: "R", lastTransitionTime: "2020-01-01T00:00:00Z" }],
    };
    expect((await send("PATCH", `${policies}/p/status`, { status })).findings).toEqual([
      "status.typeChecking.expressionWarnings[0].warning: Required value",
      "status.typeChecking.expressionWarnings[0].fieldRef: Required value",
      expect.stringContaining('status.conditions[0].type: Invalid value: "a b": name part must consist'),
    ]);
  });
});

test("expressions that do not compile are refused", async () => {
  const send = testClient(quietCluster(alpha));
  const param = { apiVersion: "v1", kind: "ConfigMap" };
  const undeclared = (name: string, column = 1) =>
    `compilation failed: ERROR: <input>:1:${column}: undeclared reference to '${name}' (in container '')`;
  const table: readonly (readonly [spec: object, findings: readonly string[]])[] = [
    [{ validations: [{ expression: "zork" }] }, [`expression: Invalid value: "zork": ${undeclared("zork")}`]],
    [
      { validations: [{ expression: "1" }] },
      ['expression: Invalid value: "1": must evaluate to bool but got int'],
    ],
    [
      { validations: [{ expression: "params.a == 1" }] },
      [`expression: Invalid value: "params.a == 1": ${undeclared("params")}`],
    ],
    [{ paramKind: param, validations: [{ expression: "params.a == 1" }] }, []],
    [
      { validations: [{ expression: "true", messageExpression: "string(authorizer)" }] },
      [`messageExpression: Invalid value: "string(authorizer)": ${undeclared("authorizer", 8)}`],
    ],
    [
      { validations: [{ expression: "true", messageExpression: "1" }] },
      ['messageExpression: Invalid value: "1": must evaluate to string but got int'],
    ],
    [
      { auditAnnotations: [{ key: "k", valueExpression: "1" }] },
      ['valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int'],
    ],
    [
      { validations: [{ expression: "variables.a == 1" }] },
      [`expression: Invalid value: "variables.a == 1": ${undeclared("variables")}`],
    ],
    [
      {
        variables: [
          { name: "a", expression: "variables.b" },
          { name: "b", expression: "'text'" },
        ],
        validations: [{ expression: "variables.b" }],
      },
      [
        "expression: Invalid value: \"variables.b\": compilation failed: ERROR: <input>:1:10: undefined field 'b'",
        'expression: Invalid value: "variables.b": must evaluate to bool but got string',
      ],
    ],
    [
      { matchConditions: [{ name: "c", expression: " 'a' " }] },
      ["expression: Invalid value: \"'a'\": must evaluate to bool but got string"],
    ],
  ];
  for (const [i, [spec, expected]] of table.entries()) {
    const body = { metadata: { name: `p${i}` }, spec: { ...good, ...spec } };
    const findings = (await send("POST", policies, body)).findings ?? [];
    const shown = findings.map((finding) => String(finding).split("\\n")[0]?.split("\n")[0]);
    expect(shown.map((text) => text?.replace(/^.*\.(?=\w+: )/, ""))).toEqual(expected);
  }
  const refused = async (mutation: object) => {
    const body = { metadata: { name: "m" }, spec: { ...goodMutating, mutations: [mutation] } };
    return (await send("POST", mutatingPolicies, body)).findings;
  };
  expect(await refused({ patchType: "JSONPatch", jsonPatch: { expression: "[1]" } })).toEqual([
    'spec.mutations[0].jsonPatch.expression: Invalid value: "[1]": must evaluate to list(JSONPatch) but got list(int)',
  ]);
  const expression = "Object.spec{}";
  expect(await refused({ patchType: "ApplyConfiguration", applyConfiguration: { expression } })).toEqual([
    'spec.mutations[0].applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got Object.spec',
  ]);
});

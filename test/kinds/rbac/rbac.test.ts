import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { addClusterRoleErrors } from "../../../src/kinds/rbac/cluster-role/cluster-role-validation.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${root}/namespaces/default/roles`;
const bindings = `${root}/namespaces/default/rolebindings`;

describe("a rule is refused", () => {
  test.each<[string, string, object, readonly string[]]>([
    [
      "that is empty",
      roles,
      {},
      [
        "rules[0].verbs: Required value: verbs must contain at least one value",
        "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
        "rules[0].resources: Required value: resource rules must supply at least one resource",
      ],
    ],
    [
      "about paths in a namespace",
      roles,
      { verbs: ["get"], nonResourceURLs: ["/x"] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
    [
      "about paths and resources",
      `${root}/clusterroles`,
      { verbs: ["get"], nonResourceURLs: ["/x"], resources: ["a"], apiGroups: [""] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
  ])("%s", async (_title, path, rule, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "r" }, rules: [rule] };
    expect((await send("POST", path, body)).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "r" }, rules: [] });
    expect((await send("PUT", `${path}/r`, body)).findings).toEqual([...findings, ...findings]);
  });
});

test("a Role may have any name that fits into a path", async () => {
  const send = testClient(quietCluster());
  expect((await send("POST", roles, { metadata: { name: "system:A_b" } })).code).toBe(201);
  expect((await send("POST", roles, { metadata: { name: "a/b" } })).findings).toEqual([
    "metadata.name: Invalid value: \"a/b\": may not contain '/'",
  ]);
});

test("a ClusterRole may aggregate others", async () => {
  const send = testClient(quietCluster());
  const refused = async (aggregationRule: object) =>
    (await send("POST", `${root}/clusterroles`, { metadata: { name: "r" }, aggregationRule })).findings;
  expect(await refused({})).toEqual([
    "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
  ]);
});

/** Upstream: pkg/apis/rbac/validation/validation.go, ValidateClusterRole. */
test.each<[string, object]>([
  ["an unknown operator", { key: "a", operator: "Z" }],
  ["no values", { key: "a", operator: "In" }],
  ["too many values", { key: "a", operator: "Exists", values: ["b"] }],
])("a bad selector of an aggregation has a second cause, for %s", async (_title, expression) => {
  const send = testClient(quietCluster({ release: "1.32" }));
  const aggregationRule = { clusterRoleSelectors: [{ matchExpressions: [expression] }] };
  const { findings } = await send("POST", `${root}/clusterroles`, {
    metadata: { name: "r" },
    aggregationRule,
  });
  expect(findings).toEqual([
    expect.stringMatching(/^aggregationRule\.clusterRoleSelectors\[0\]\.matchExpressions\[0\]\./),
    'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
  ]);
});

describe("a binding is refused for", () => {
  const group = "rbac.authorization.k8s.io";
  test.each<[string, string, object, readonly unknown[]]>([
    [
      "its role",
      bindings,
      { roleRef: { apiGroup: "x", kind: "Zed", name: "" } },
      [
        `roleRef.apiGroup: Unsupported value: "x": supported values: "${group}"`,
        'roleRef.kind: Unsupported value: "Zed": supported values: "Role", "ClusterRole"',
        "roleRef.name: Required value",
      ],
    ],
    [
      "a role name that is not a path segment",
      bindings,
      { roleRef: { kind: "Role", name: "a/b" } },
      ["roleRef.name: Invalid value: \"a/b\": may not contain '/'"],
    ],
    [
      "its subjects",
      bindings,
      {
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "Q", name: "x" },
          { kind: "ServiceAccount", name: "A_b", apiGroup: "g" },
          { kind: "User", name: "" },
          { kind: "Group", name: "x", apiGroup: "zz" },
        ],
      },
      [
        'subjects[0].kind: Unsupported value: "Q": supported values: "ServiceAccount", "User", "Group"',
        expect.stringContaining('subjects[1].name: Invalid value: "A_b": a lowercase RFC 1123 subdomain'),
        'subjects[1].apiGroup: Unsupported value: "g": supported values: ""',
        "subjects[2].name: Required value",
        `subjects[3].apiGroup: Unsupported value: "zz": supported values: "${group}"`,
      ],
    ],
    [
      "a namespaced role, and a service account without a namespace, in a cluster role binding",
      `${root}/clusterrolebindings`,
      { roleRef: { kind: "Role", name: "x" }, subjects: [{ kind: "ServiceAccount", name: "a" }] },
      [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        "subjects[0].namespace: Required value",
      ],
    ],
  ])("%s", async (_title, path, body, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, { metadata: { name: "b" }, ...body })).findings).toEqual(findings);
  });

  test("invalid subjects, reported twice on updates", async () => {
    const send = testClient(quietCluster());
    const roleRef = { kind: "ClusterRole", name: "view" };
    await send("POST", bindings, { metadata: { name: "b" }, roleRef });
    const { findings } = await send("PATCH", `${bindings}/b`, { subjects: [{ kind: "User", name: "" }] });
    expect(findings).toEqual(["subjects[0].name: Required value", "subjects[0].name: Required value"]);
  });
});

test("a binding may change its subjects, and may repeat its role", async () => {
  const send = testClient(quietCluster());
  const roleRef = { kind: "ClusterRole", name: "view" };
  await send("POST", bindings, { metadata: { name: "b" }, roleRef });
  const subjects = [
    { kind: "User", name: "u" },
    { kind: "ServiceAccount", name: "a" },
  ];
  const { object } = await send("PUT", `${bindings}/b`, { metadata: { name: "b" }, roleRef, subjects });
  expect(object).toMatchObject({
    roleRef: { apiGroup: "rbac.authorization.k8s.io" },
    subjects: [
      { apiGroup: "rbac.authorization.k8s.io", name: "u" },
      { kind: "ServiceAccount", name: "a" },
    ],
  });
  expect(object.subjects[1]).not.toHaveProperty("apiGroup");
});

test("invalid labels of a ClusterRole have one cause if its selectors had some, and two if not", () => {
  const expression = { key: "a", operator: "In", values: ["b c"] };
  const role = (...matchExpressions: readonly object[]) =>
    ({
      metadata: { name: "r" },
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions }] },
    }) as unknown as KubeObject;
  expect(
    collectErrors((errors) => addClusterRoleErrors(errors, role(expression), role(expression))),
  ).toMatchObject([{ field: "aggregationRule.clusterRoleSelectors[0]" }]);
  expect(collectErrors((errors) => addClusterRoleErrors(errors, role(expression), role()))).toHaveLength(2);
  expect(collectErrors((errors) => addClusterRoleErrors(errors, role(expression)))).toHaveLength(2);
});

describe("RBAC objects can be created by PUT", () => {
  const roleRef = { kind: "ClusterRole", name: "view" };
  test.each([
    [roles, { rules: [] }],
    [`${root}/clusterroles`, { rules: [] }],
    [bindings, { roleRef }],
    [`${root}/clusterrolebindings`, { roleRef }],
  ])("%s", async (path, body) => {
    const send = testClient(quietCluster());
    expect((await send("PUT", `${path}/x`, { metadata: { name: "x" }, ...body })).code).toBe(201);
  });
});

test("a binding cannot change its role", async () => {
  const send = testClient(quietCluster());
  await send("POST", bindings, { metadata: { name: "b" }, roleRef: { kind: "ClusterRole", name: "view" } });
  expect((await send("PATCH", `${bindings}/b`, { roleRef: { name: "edit" } })).findings).toEqual([
    'roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"ClusterRole", Name:"edit"}: cannot change roleRef',
  ]);
});

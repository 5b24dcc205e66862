import { beforeAll, describe, expect, test } from "vitest";
import { quietCluster, type TestResponse, testClient } from "../../registry/test-client.ts";

const reviews = "/apis/authorization.k8s.io/v1";
const cluster = quietCluster({ authorizationMode: "RBAC" });
const nodes = quietCluster({ authorizationMode: "Node" });
const asMaster = testClient(cluster);
const asAlice = testClient(cluster, "alice", ["dev"]);
const getPods = { verb: "get", resource: "pods", namespace: "default" };

beforeAll(async () => {
  await cluster.load([
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "reader", namespace: "default" },
      rules: [{ apiGroups: [""], resources: ["pods"], resourceNames: ["one"], verbs: ["get"] }],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "readers", namespace: "default" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "dangling", namespace: "default" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "missing" },
      subjects: [{ kind: "User", name: "bob", apiGroup: "rbac.authorization.k8s.io" }],
    },
  ]);
});

const self = (spec: object, send = asMaster): Promise<TestResponse> =>
  send("POST", `${reviews}/selfsubjectaccessreviews`, { spec });
const subject = (spec: object): Promise<TestResponse> =>
  asMaster("POST", `${reviews}/subjectaccessreviews`, { spec });
const local = (spec: object, namespace = "default"): Promise<TestResponse> =>
  asMaster("POST", `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`, { spec });

const allowedByRole = {
  allowed: true,
  reason: 'RBAC: allowed by RoleBinding "readers/default" of Role "reader" to User "alice"',
};

describe("an access review", () => {
  test("returns the sent object with managedFields and the verdict, and is not stored", async () => {
    const { code, object } = await self({ resourceAttributes: getPods });
    expect(code).toBe(201);
    expect(object).toMatchObject({
      kind: "SelfSubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {
        creationTimestamp: null,
        managedFields: [{ operation: "Update", fieldsV1: { "f:spec": { "f:resourceAttributes": {} } } }],
      },
      spec: { resourceAttributes: getPods },
    });
    expect(object.status).toEqual({ allowed: true });
    expect(object.metadata).not.toHaveProperty("uid");
    expect((await asMaster("GET", `${reviews}/selfsubjectaccessreviews`)).code).toBe(405);
  });

  test.each<[title: string, answer: () => Promise<TestResponse>, status: object]>([
    [
      "of the user itself, allowed by a role",
      () => self({ resourceAttributes: { ...getPods, name: "one" } }, asAlice),
      allowedByRole,
    ],
    [
      "of the user itself, without a role",
      () => self({ resourceAttributes: getPods }, asAlice),
      { allowed: false },
    ],
    [
      "of the user itself, for another subresource",
      () => self({ resourceAttributes: { ...getPods, name: "one", subresource: "log" } }, asAlice),
      { allowed: false },
    ],
    [
      "of the user itself, for a path",
      () => self({ nonResourceAttributes: { verb: "get", path: "/apis" } }, asAlice),
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      },
    ],
    [
      "of another user",
      () => subject({ user: "alice", resourceAttributes: { ...getPods, name: "one" } }),
      allowedByRole,
    ],
    [
      "of a group",
      () => subject({ groups: ["system:masters"], resourceAttributes: { verb: "*", resource: "*" } }),
      { allowed: true },
    ],
    [
      "of a user with a missing role",
      () => subject({ user: "bob", resourceAttributes: getPods }),
      { allowed: false, reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found' },
    ],
    [
      "in a missing namespace",
      () => local({ user: "alice", resourceAttributes: { ...getPods, namespace: "nowhere" } }, "nowhere"),
      { allowed: false },
    ],
    [
      "in a namespace",
      () => local({ user: "alice", resourceAttributes: { ...getPods, name: "one" } }),
      allowedByRole,
    ],
    [
      "with selectors that cannot be parsed",
      () =>
        self({
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            fieldSelector: { rawSelector: "x" },
            labelSelector: {
              requirements: [
                { key: "a", operator: "Exists" },
                { key: "b", operator: "Newer" },
              ],
            },
          },
        }),
      {
        allowed: true,
        evaluationError:
          "spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector partially ignored due to parse error",
      },
    ],
  ])("%s", async (_title, answer, status) => {
    const { code, object } = await answer();
    expect({ code, status: object.status }).toEqual({ code: 201, status });
  });

  const both = { nonResourceAttributes: { verb: "get", path: "/x" }, resourceAttributes: { verb: "get" } };
  const nonResource = 'Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}';

  test.each<[title: string, answer: () => Promise<TestResponse>, findings: readonly string[]]>([
    [
      "a resource and a path",
      () => self(both),
      [
        `spec.nonResourceAttributes: ${nonResource}: cannot be specified in combination with resourceAttributes`,
      ],
    ],
    [
      "neither",
      () => self({}),
      [
        'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
    ],
    [
      "no user and no groups",
      () => subject({ resourceAttributes: { verb: "get" } }),
      ['spec.user: Invalid value: "": at least one of user or group must be specified'],
    ],
    [
      "another namespace",
      () => local({ user: "alice", resourceAttributes: { ...getPods, namespace: "other" } }),
      ['spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace'],
    ],
    [
      "a path in a namespace",
      () => local({ user: "alice", nonResourceAttributes: { verb: "get", path: "/x" } }),
      [`spec.nonResourceAttributes: ${nonResource}: disallowed on this kind of request`],
    ],
    [
      "empty or duplicate selectors",
      () =>
        self({
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            fieldSelector: { rawSelector: "x", requirements: [{ key: "", operator: "Zork" }] },
            labelSelector: {},
          },
        }),
      [
        'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "x": may not specified at the same time as requirements',
        "spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified",
        "spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required",
      ],
    ],
    [
      "requirements without values, or with forbidden ones",
      () =>
        self({
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            fieldSelector: { requirements: [{ key: "a", operator: "In" }] },
            labelSelector: { requirements: [{ key: "a", operator: "Exists", values: ["b"] }] },
          },
        }),
      [
        "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.resourceAttributes.labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
  ])("is refused for %s", async (_title, answer, findings) => {
    const { code, object, findings: found } = await answer();
    expect({ code, found }).toEqual({ code: 422, found: findings });
    expect(object.message).toMatch(/^\.authorization\.k8s\.io "" is invalid: /);
  });

  test("is refused for a name", async () => {
    const named = { metadata: { name: "x" }, spec: { resourceAttributes: getPods } };
    const { findings } = await asMaster("POST", `${reviews}/selfsubjectaccessreviews`, named);
    expect(findings).toEqual([
      expect.stringMatching(/^metadata: Invalid value: v1\.ObjectMeta\{Name:"x", .*: must be empty$/),
    ]);
  });

  test("is refused for a name, but not for a namespace", async () => {
    const path = `${reviews}/namespaces/default/localsubjectaccessreviews`;
    const spec = { user: "u", resourceAttributes: { ...getPods, namespace: "default" } };
    const { code } = await asMaster("POST", path, { metadata: { namespace: "default" }, spec });
    const { findings } = await asMaster("POST", path, { metadata: { name: "x" }, spec });
    expect([code, findings]).toEqual([
      201,
      [
        expect.stringMatching(
          /^metadata: Invalid value: v1\.ObjectMeta\{Name:"x", .*: must be empty except for namespace$/,
        ),
      ],
    ]);
  });

  const toNode = (operator: string, ...values: readonly string[]) => ({
    requirements: [{ key: "spec.nodeName", operator, values }],
  });

  test.each<[string, object | undefined, boolean]>([
    ["the own name", toNode("In", "n1"), true],
    ["the own name as text", { rawSelector: "spec.nodeName=n1" }, true],
    ["another name", toNode("In", "n2"), false],
    ["every other name", toNode("NotIn", "n1"), false],
    ["two names, which are ignored", toNode("In", "n1", "n1"), false],
    ["nothing", undefined, false],
  ])(
    "tells the authorizer of selectors: a node may list the pods of %s",
    async (_title, selector, allowed) => {
      const admin = testClient(nodes);
      const spec = {
        user: "system:node:n1",
        groups: ["system:nodes"],
        resourceAttributes: { verb: "list", resource: "pods", ...(selector && { fieldSelector: selector }) },
      };
      const { object } = await admin("POST", `${reviews}/subjectaccessreviews`, { spec });
      expect(object.status.allowed).toBe(allowed);
      if (!allowed)
        expect(object.status.reason).toMatch(/^can only list\/watch pods with spec.nodeName field selector/);
    },
  );

  test("tells the authorizer all of the user", async () => {
    const asked: unknown[] = [];
    const asking = testClient(
      quietCluster({
        authorizationMode: "Webhook",
        authorizationWebhookVersion: "v1",
        authorizationWebhookConfig: (review) => {
          asked.push(review["spec"]);
          return { ...review, status: { denied: true, reason: "never" } };
        },
      }),
    );
    const spec = {
      user: "carl",
      uid: "u-1",
      groups: ["dev"],
      extra: { scopes: ["a", "b"] },
      nonResourceAttributes: { verb: "get", path: "/x" },
    };
    const { object } = await asking("POST", `${reviews}/subjectaccessreviews`, { spec });
    expect(asked).toEqual([spec]);
    expect(object.status).toEqual({ allowed: false, denied: true, reason: "never" });
  });

  test("of v1beta1 has the field group, and its answer is of its version", async () => {
    const old = testClient(quietCluster({ release: "1.21", authorizationMode: "RBAC" }));
    const post = (path: string, spec: object) => old("POST", path.replace("^", `${reviews}beta1`), { spec });
    const attributes = { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } };
    const member = { user: "u", group: ["system:masters"], ...attributes };
    const namespaced = "^/namespaces/default/localsubjectaccessreviews";
    const answers = [
      await post("^/subjectaccessreviews", member),
      await post("^/subjectaccessreviews", { user: "u", ...attributes }),
      await post(namespaced, member),
      await post("^/selfsubjectaccessreviews", attributes),
    ];
    expect(answers.map(({ code, object }) => [code, object.apiVersion, object.status.allowed])).toEqual(
      [true, false, true, true].map((allowed) => [201, "authorization.k8s.io/v1beta1", allowed]),
    );
    const { object } = await post("^/selfsubjectrulesreviews", { namespace: "default" });
    expect(object).toMatchObject({
      apiVersion: "authorization.k8s.io/v1beta1",
      status: { incomplete: false },
    });
  });

  test("ignores selectors in older releases", async () => {
    const send = testClient(quietCluster({ release: "1.31" }));
    const attributes = { verb: "list", resource: "pods", fieldSelector: { rawSelector: "x" } };
    const spec = { resourceAttributes: attributes };
    const { object } = await send("POST", `${reviews}/selfsubjectaccessreviews`, { spec });
    expect(object.spec).toEqual({ resourceAttributes: { verb: "list", resource: "pods" } });
    expect(object.status).toEqual({ allowed: true });
  });
});

describe("a rules review", () => {
  const rules = (namespace: string, send = asAlice): Promise<TestResponse> =>
    send("POST", `${reviews}/selfsubjectrulesreviews`, { spec: { namespace } });

  test("lists the rules of every role, without the sent spec", async () => {
    const { code, object } = await rules("default");
    expect(code).toBe(201);
    expect(object).toMatchObject({ metadata: { creationTimestamp: null }, spec: {} });
    expect(object.metadata).not.toHaveProperty("managedFields");
    expect(object.status).toMatchObject({ incomplete: false });
    expect(object.status.resourceRules).toEqual([
      {
        verbs: ["create"],
        apiGroups: ["authorization.k8s.io"],
        resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
      },
      { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
      { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["one"] },
    ]);
    expect(object.status.nonResourceRules).toContainEqual({
      verbs: ["get"],
      nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"],
    });
  });

  test("reports missing roles", async () => {
    const { object } = await rules("default", testClient(cluster, "bob", []));
    expect(object.status.evaluationError).toBe('clusterrole.rbac.authorization.k8s.io "missing" not found');
  });

  test("is refused without a namespace", async () => {
    expect(await rules("")).toMatchObject({ code: 400, findings: ["no namespace on request"] });
  });

  test.each([
    ["AlwaysAllow", [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]],
    ["AlwaysDeny", []],
  ] as const)("of %s", async (authorizationMode, resourceRules) => {
    const send = testClient(quietCluster({ authorizationMode }));
    const { object } = await rules("default", send);
    expect(object.status.resourceRules).toEqual(resourceRules);
  });
});

test("a self subject review returns the user", async () => {
  const send = testClient(cluster, "alice", ["dev"]);
  const { code, object } = await send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
  expect(code).toBe(201);
  expect(object).toEqual({
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: expect.stringMatching(/^2.*Z$/) },
    status: { userInfo: { username: "alice", groups: ["dev", "system:authenticated"] } },
  });
});

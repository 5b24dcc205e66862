import { afterAll, describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type JsonObject } from "../../src/index.ts";
import { createWorld, methods } from "./methods.ts";

const clusters: Cluster[] = [];
afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.close()));
});

function clusterWith(options: ClusterOptions = {}): Cluster {
  const cluster = createCluster({ controllers: [], authorizationMode: "RBAC", ...options });
  clusters.push(cluster);
  return cluster;
}

interface Sent {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: object;
}

async function ask(cluster: Cluster, path: string, { as, headers, method, body }: Sent = {}) {
  const response = await cluster.fetch(`https://x${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${as ?? cluster.adminToken()}`,
      "content-type": "application/json",
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: the answer to a test's own request
  const json: any = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

const reviews = (version: string) => `/apis/authentication.k8s.io/${version}/tokenreviews`;
const selfReviews = (version: string) => `/apis/authentication.k8s.io/${version}/selfsubjectreviews`;

describe("a TokenReview", () => {
  const world = createWorld({ controllers: ["*"] });
  clusters.push(world.cluster);
  const statusOf = async (token: string, audiences?: readonly string[]): Promise<JsonObject> => {
    const spec = { token, ...(audiences !== undefined && { audiences }) };
    return (await ask(world.cluster, reviews("v1"), { body: { spec } })).json.status;
  };
  const withTokens = Object.entries(methods).filter(([, { needsTls }]) => needsTls === undefined);

  test.each(withTokens)("knows %s", async (_name, method) => {
    const { token = "" } = await method.right(world);
    const { token: wrong = "" } = await method.wrong(world);
    expect(await statusOf(token)).toMatchObject({
      authenticated: true,
      user: { username: method.username, groups: expect.arrayContaining(["system:authenticated"]) },
      audiences: ["https://kubernetes.default.svc.cluster.local"],
    });
    const refused = await statusOf(wrong);
    expect(refused).toEqual({ user: {}, error: expect.stringContaining("invalid bearer token") });
  });

  test("answers for those of its audiences that the token is for", async () => {
    const api = "https://kubernetes.default.svc.cluster.local";
    expect(await statusOf("of-the-file", ["other", api])).toMatchObject({ audiences: [api] });
    expect(await statusOf("of-the-file", ["other"])).toEqual({
      user: {},
      error: "invalid bearer token",
    });
  });
});

test.each([
  ["1.16", ["v1", "v1beta1"]],
  ["1.21", ["v1", "v1beta1"]],
  ["1.22", ["v1"]],
  ["1.32", ["v1"]],
] as const)("%s has the TokenReviews of %s", async (release, versions) => {
  const cluster = clusterWith({ release, tokens: { file: { name: "carol" } } });
  for (const version of ["v1", "v1beta1"] as const) {
    const { status, json } = await ask(cluster, reviews(version), { body: { spec: { token: "file" } } });
    expect([version, status]).toEqual([
      version,
      (versions as readonly string[]).includes(version) ? 201 : 404,
    ]);
    if (status !== 201) continue;
    expect(json).toMatchObject({
      kind: "TokenReview",
      apiVersion: `authentication.k8s.io/${version}`,
      status: { authenticated: true, user: { username: "carol" } },
    });
  }
});

test.each([
  ["1.27", {}, ["v1beta1"]],
  ["1.28", {}, ["v1"]],
  ["1.28", { "authentication.k8s.io/v1beta1": true }, ["v1", "v1beta1"]],
  ["1.32", {}, ["v1"]],
] as const)("%s with %j has the SelfSubjectReviews of %s", async (release, runtimeConfig, versions) => {
  const isBetaServed = release === "1.27" ? { "authentication.k8s.io/v1beta1": true } : runtimeConfig;
  const cluster = clusterWith({ release, runtimeConfig: isBetaServed });
  for (const version of ["v1", "v1beta1"]) {
    const { status, json } = await ask(cluster, selfReviews(version), { body: {} });
    expect([version, status]).toEqual([
      version,
      (versions as readonly string[]).includes(version) ? 201 : 404,
    ]);
    if (status === 201) expect(json.status.userInfo.username).toBe("kubernetes-admin");
  }
});

describe("impersonation", () => {
  const cluster = clusterWith();
  const rule = (apiGroups: string, resources: string, names: string): JsonObject => ({
    apiGroups: [apiGroups],
    resources: [resources],
    resourceNames: [names],
    verbs: ["impersonate"],
  });
  const rules: readonly JsonObject[] = [
    rule("", "users", "zoe"),
    rule("", "groups", "dev"),
    rule("authentication.k8s.io", "userextras/acme.com/project", "shop"),
    rule("authentication.k8s.io", "uids", "u-1"),
  ];
  const headers = {
    "impersonate-user": "zoe",
    "impersonate-group": "dev",
    "impersonate-extra-acme.com%2Fproject": "shop",
    "impersonate-uid": "u-1",
  };
  const apiVersion = "rbac.authorization.k8s.io/v1";

  /** Who may impersonate with these rules. */
  async function userWith(name: string, allowed: readonly JsonObject[]): Promise<string> {
    await cluster.create({ apiVersion, kind: "ClusterRole", metadata: { name }, rules: allowed });
    await cluster.create({
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
    });
    return cluster.token(name);
  }

  test("with all permissions is another user, and the audit log shows both", async () => {
    const as = await userWith("ann", rules);
    const { status, json } = await ask(cluster, selfReviews("v1"), { as, headers, body: {} });
    const userInfo = {
      username: "zoe",
      uid: "u-1",
      groups: ["dev", "system:authenticated"],
      extra: { "acme.com/project": ["shop"] },
    };
    expect([status, json.status.userInfo]).toEqual([201, userInfo]);
    expect(cluster.requests.auditEvents({ path: selfReviews("v1") }).at(-1)).toMatchObject({
      user: { username: "ann" },
      impersonatedUser: userInfo,
    });
  });

  const group = 'in API group "authentication.k8s.io" at the cluster scope';
  test.each([
    [
      0,
      'users "zoe" is forbidden: User "ben-0" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      1,
      'groups "dev" is forbidden: User "ben-1" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      2,
      `userextras.authentication.k8s.io "shop" is forbidden: User "ben-2" cannot impersonate resource "userextras/acme.com/project" ${group}`,
    ],
    [
      3,
      `uids.authentication.k8s.io "u-1" is forbidden: User "ben-3" cannot impersonate resource "uids" ${group}`,
    ],
  ])("without permission %i is forbidden", async (missing, message) => {
    const as = await userWith(
      `ben-${missing}`,
      rules.filter((_, at) => at !== missing),
    );
    const { status, json } = await ask(cluster, selfReviews("v1"), { as, headers, body: {} });
    expect([status, json.message]).toEqual([403, message]);
  });

  test("of nobody is an error of the server", async () => {
    const path = "/api/v1/pods?limit=1";
    const { status, text } = await ask(cluster, path, { headers: { "impersonate-uid": "u" } });
    expect([status, text]).toEqual([
      500,
      `Internal Server Error: "${path}": requested [{UID  u  authentication.k8s.io/v1  }] without impersonating a user\n`,
    ]);
  });
});

describe("the documents of the issuer of service account tokens", () => {
  const cluster = clusterWith();
  const [configuration, keys] = ["/.well-known/openid-configuration", "/openid/v1/jwks"];

  test.each([
    [configuration, "application/json"],
    [keys, "application/jwk-set+json"],
  ])("%s is of its type, whether that is asked for, everything, or nothing", async (path, type) => {
    for (const accept of [type, "*/*", "text/html, */*;q=0.1", `${type};q=0.5`, ""]) {
      for (const slash of ["", "/"]) {
        const { status, headers } = await ask(cluster, `${path}${slash}`, { headers: { accept } });
        expect([accept, status]).toEqual([accept, 200]);
        expect(headers.get("content-type")).toBe(type);
        expect(headers.get("cache-control")).toBe("public, max-age=3600");
      }
    }
  });

  test.each([
    [configuration, "application/jwk-set+json", "application/json"],
    [configuration, "application/*", "application/json"],
    [keys, "application/json", "application/jwk-set+json"],
    [keys, "text/plain, text/html", "application/jwk-set+json"],
  ])("%s as %s is not acceptable", async (path, accept, type) => {
    const { status, json } = await ask(cluster, path, { headers: { accept } });
    expect([status, json]).toEqual([
      406,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `406: Not Acceptable\n\nAvailable representations: ${type}`,
        reason: "NotAcceptable",
        details: {},
        code: 406,
      },
    ]);
  });

  test("can only be read, by service accounts and others with that permission", async () => {
    for (const path of [configuration, keys]) {
      expect((await ask(cluster, path, { method: "POST", body: {} })).status).toBe(405);
      expect((await ask(cluster, path, { as: cluster.token("alice") })).status).toBe(403);
      const groups = ["system:serviceaccounts"];
      expect((await ask(cluster, path, { as: cluster.token("app", { groups }) })).status).toBe(200);
    }
  });
});

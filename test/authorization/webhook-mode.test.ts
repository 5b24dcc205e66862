import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import {
  startRogueWebhook,
  startWebhook,
  type WebhookServer,
  withStatus,
} from "../webhooks/webhook-server.ts";

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await startWebhook();
});
afterAll(() => webhook.close());

type Spec = {
  user?: string;
  resourceAttributes?: { resource?: string; name?: string };
  nonResourceAttributes?: { path?: string };
};
/** What a test may answer. */
type Status = { readonly [field: string]: boolean | string };

/** A webhook in the process that answers by the spec, and what it was asked. */
function answering(statusOf: (spec: Spec) => Status) {
  const asked: Spec[] = [];
  const config: NonNullable<ClusterOptions["authorizationWebhookConfig"]> = (review) => {
    // A SubjectAccessReview has a spec.
    const spec = review["spec"] as Spec;
    asked.push(spec);
    return { ...review, status: statusOf(spec) };
  };
  return { asked, config };
}

async function withCluster<T>(options: ClusterOptions, run: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = createCluster({
    clock: new VirtualClock("2026-01-01T00:00:00Z"),
    authorizationMode: "Webhook",
    ...options,
  });
  try {
    return await run(cluster);
  } finally {
    await cluster.close();
  }
}

/** The answer to a request of a user. */
function ask(cluster: Cluster, path: string, user = "alice", method = "GET") {
  const headers = { Authorization: `Bearer ${cluster.token(user, { groups: ["dev"] })}` };
  return cluster.fetch(`https://cluster.test${path}`, { method, headers });
}

/** The metrics, without those of the request for them. */
async function metricsOf(cluster: Cluster): Promise<string> {
  const headers = { Authorization: `Bearer ${cluster.token("root", { groups: ["system:masters"] })}` };
  return (await cluster.fetch("https://cluster.test/metrics", { headers })).text();
}

const pods = "/api/v1/namespaces/default/pods";

test("requests are allowed, denied and forbidden as the webhook says", async () => {
  const { config } = answering(({ resourceAttributes, nonResourceAttributes }) => {
    if (nonResourceAttributes?.path === "/version") return { allowed: true };
    if (resourceAttributes?.resource === "pods") return { allowed: true, reason: "ok" };
    if (resourceAttributes?.resource === "secrets")
      return { allowed: false, denied: true, reason: "secret!" };
    return { allowed: false, reason: "unknown" };
  });
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    expect((await ask(cluster, pods)).status).toBe(200);
    expect((await ask(cluster, "/version")).status).toBe(200);
    const messages = await Promise.all(
      ["secrets", "services"].map(async (resource) => {
        const answer = await ask(cluster, `/api/v1/namespaces/default/${resource}`);
        // A refusal is a Status.
        const { message } = (await answer.json()) as { message: string };
        return [answer.status, message];
      }),
    );
    const forbidden = (resource: string) =>
      `${resource} is forbidden: User "alice" cannot list resource "${resource}" in API group "" in the namespace "default"`;
    expect(messages).toEqual([
      [403, `${forbidden("secrets")}: secret!`],
      [403, `${forbidden("services")}: unknown`],
    ]);
  });
});

test("a denial is final, and no opinion is not: the next mode decides", async () => {
  const { config } = answering(({ resourceAttributes }) => ({
    allowed: false,
    denied: resourceAttributes?.resource === "secrets",
  }));
  const options = {
    authorizationWebhookConfig: config,
    authorizationMode: ["Webhook", "AlwaysAllow"],
  } as const;
  await withCluster(options, async (cluster) => {
    expect((await ask(cluster, pods)).status).toBe(200);
    expect((await ask(cluster, "/api/v1/namespaces/default/secrets")).status).toBe(403);
    const text = await metricsOf(cluster);
    expect(text).toContain(
      'apiserver_authorization_decisions_total{decision="denied",name="webhook",type="Webhook"} 1',
    );
    expect(text).toContain(
      'apiserver_authorization_decisions_total{decision="allowed",name="alwaysallow",type="AlwaysAllow"} 1',
    );
    expect(text).toContain(
      'apiserver_authorization_webhook_evaluations_total{name="webhook",result="success"} 2',
    );
  });
});

test("members of system:masters need no webhook", async () => {
  const { asked, config } = answering(() => ({ denied: true }));
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    expect(await cluster.list("v1", "Pod")).toMatchObject({ items: [] });
    expect(asked).toEqual([]);
  });
});

test.each<[string, string, object]>([
  [
    "a list with selectors",
    `${pods}?fieldSelector=metadata.name%3Da%2Cspec.nodeName!%3Dn&labelSelector=app%20in%20(b%2Ca)%2C!x%2Cy%2Cz!%3D1%2Cn%3E5`,
    {
      namespace: "default",
      verb: "list",
      version: "v1",
      resource: "pods",
      name: "a",
      fieldSelector: {
        requirements: [
          { key: "metadata.name", operator: "In", values: ["a"] },
          { key: "spec.nodeName", operator: "NotIn", values: ["n"] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: "app", operator: "In", values: ["a", "b"] },
          { key: "x", operator: "DoesNotExist" },
          { key: "y", operator: "Exists" },
          { key: "z", operator: "NotIn", values: ["1"] },
        ],
      },
    },
  ],
  [
    "a subresource",
    `${pods}/a/log`,
    { namespace: "default", verb: "get", version: "v1", resource: "pods", subresource: "log", name: "a" },
  ],
  [
    "a selector that cannot be parsed",
    "/apis/apps/v1/deployments?labelSelector=%2C%2C",
    { verb: "list", group: "apps", version: "v1", resource: "deployments" },
  ],
])("the webhook is asked about %s", async (_title, path, attributes) => {
  const { asked, config } = answering(() => ({ allowed: true }));
  const options = { authorizationWebhookConfig: config, authorizationWebhookVersion: "v1" } as const;
  await withCluster(options, async (cluster) => {
    await ask(cluster, path);
    expect(asked).toEqual([
      { resourceAttributes: attributes, user: "alice", groups: ["dev", "system:authenticated"] },
    ]);
  });
});

test("before 1.32, the webhook sees no selectors", async () => {
  const { asked, config } = answering(() => ({ allowed: true }));
  await withCluster({ authorizationWebhookConfig: config, release: "1.31" }, async (cluster) => {
    await ask(cluster, `${pods}?labelSelector=a`);
    expect(asked[0]?.resourceAttributes).not.toHaveProperty("labelSelector");
  });
});

test("answers count until their time: five minutes if they allow, else thirty seconds", async () => {
  const { asked, config } = answering(({ user }) => ({ allowed: user === "alice" }));
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    const statuses = async () => [
      (await ask(cluster, pods)).status,
      (await ask(cluster, pods, "bob")).status,
    ];
    expect([await statuses(), await statuses(), asked.length]).toEqual([[200, 403], [200, 403], 2]);
    await cluster.clock.advance("30s");
    await statuses();
    expect(asked).toHaveLength(2);
    await cluster.clock.advance(1);
    await statuses();
    expect(asked.map(({ user }) => user)).toEqual(["alice", "bob", "bob"]);
    await cluster.clock.advance("5m");
    await statuses();
    expect(asked).toHaveLength(5);
  });
});

test("long requests are not remembered, and neither is anything with a time of zero", async () => {
  const { asked, config } = answering(() => ({ allowed: true }));
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    const long = `/${"x".repeat(9995)}`;
    for (const path of [long, long, `${long}y`, `${long}y`]) await ask(cluster, path);
    expect(asked).toHaveLength(3);
  });
  const options = { authorizationWebhookConfig: config, authorizationWebhookCacheAuthorizedTtl: "0s" };
  await withCluster(options, async (cluster) => {
    await ask(cluster, pods);
    await ask(cluster, pods);
    expect(asked).toHaveLength(5);
  });
});

test.each<[string, () => Status, string]>([
  [
    "allows and denies at once",
    () => ({ allowed: true, denied: true }),
    "webhook subject access review returned both allow and deny response",
  ],
  [
    "has a text for a boolean",
    () => ({ allowed: "true" }),
    "json: cannot unmarshal string into Go struct field SubjectAccessReviewStatus.status.allowed of type bool",
  ],
  [
    "throws",
    () => {
      throw new Error("broken");
    },
    "broken",
  ],
])("a webhook that %s grants nothing", async (_title, statusOf, message) => {
  const { config } = answering(statusOf);
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    const answer = await ask(cluster, "/version");
    expect([answer.status, await answer.text()]).toEqual([
      500,
      `Internal Server Error: "/version": ${message}\n`,
    ]);
  });
});

test("a failure is no opinion: the next mode may allow, and metrics count it", async () => {
  const { config } = answering(() => {
    throw new Error("broken");
  });
  const options = {
    authorizationWebhookConfig: config,
    authorizationMode: ["Webhook", "AlwaysAllow"],
  } as const;
  await withCluster(options, async (cluster) => {
    expect((await ask(cluster, pods)).status).toBe(200);
    const metrics = await metricsOf(cluster);
    expect(metrics).toContain(
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="webhook",result="error"} 1',
    );
  });
});

test("reviews ask the webhook, and rules cannot be listed", async () => {
  const { config } = answering(({ user }) => ({ allowed: user === "bob", reason: "r" }));
  await withCluster({ authorizationWebhookConfig: config }, async (cluster) => {
    const review = await cluster.create({
      kind: "SubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: { user: "bob", resourceAttributes: { verb: "get", resource: "pods" } },
    });
    expect(review["status"]).toEqual({ allowed: true, reason: "r" });
    const rules = await cluster.create({
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: { namespace: "default" },
    });
    expect(rules["status"]).toMatchObject({
      incomplete: true,
      evaluationError: "webhook authorizer does not support user rule resolution",
    });
  });
});

describe("a webhook at an address", () => {
  test.each([
    ["v1beta1", "group", {}],
    ["v1", "groups", { authorizationWebhookVersion: "v1" }],
  ] as const)("receives a review of %s, byte for byte", async (version, groups, options) => {
    webhook.answer = withStatus({ allowed: true });
    const config = webhook.kubeconfig({ path: "" });
    await withCluster({ ...options, authorizationWebhookConfig: config }, async (cluster) => {
      expect((await ask(cluster, `${pods}/a`)).status).toBe(404);
    });
    const { path, text } = webhook.received.at(-1) ?? expect.fail();
    expect(path).toBe("/?timeout=30s");
    expect(text).toBe(
      `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/${version}","metadata":{"creationTimestamp":null},` +
        '"spec":{"resourceAttributes":{"namespace":"default","verb":"get","version":"v1","resource":"pods","name":"a"},' +
        `"user":"alice","${groups}":["dev","system:authenticated"]},"status":{"allowed":false}}\n`,
    );
  });

  test.each<[string, WebhookServer["answer"], string]>([
    [
      "garbage",
      (_request, response) => response.end("html"),
      "invalid character 'h' looking for beginning of value",
    ],
    ["another version", withStatus({ allowed: true }, { apiVersion: "authorization.k8s.io/v9" }), "no kind"],
    [
      "a redirect",
      (_request, response) => response.writeHead(302, { Location: "https://127.0.0.1:1/" }).end(),
      "the server responded with the status code 302",
    ],
    [
      "50 MB",
      (_request, response) => response.end(Buffer.alloc(50_000_000, " ")),
      "the answer has more than 8388608 bytes",
    ],
    ["allowed and denied", withStatus({ allowed: true, denied: true }), "both allow and deny"],
  ])("that answers %s grants nothing", async (_title, answer, message) => {
    webhook.answer = answer;
    await withCluster({ authorizationWebhookConfig: webhook.kubeconfig() }, async (cluster) => {
      const refused = await ask(cluster, pods);
      expect([refused.status, await refused.text()]).toEqual([500, expect.stringContaining(message)]);
    });
  });

  test("that hangs fails after thirty seconds of the cluster's clock", async () => {
    let called = () => {};
    const call = new Promise<void>((resolve) => {
      called = resolve;
    });
    webhook.answer = () => called();
    await withCluster({ authorizationWebhookConfig: webhook.kubeconfig() }, async (cluster) => {
      const answer = ask(cluster, pods);
      await call;
      await cluster.clock.advance("30s");
      expect(await (await answer).text()).toContain("context deadline exceeded (Client.Timeout exceeded");
      const metrics = await metricsOf(cluster);
      expect(metrics).toContain('webhook_evaluations_total{name="webhook",result="timeout"} 1');
    });
  });

  test("of a rogue authority with the same name grants nothing", async () => {
    const rogue = await startRogueWebhook();
    rogue.answer = withStatus({ allowed: true });
    await withCluster({ authorizationWebhookConfig: rogue.kubeconfig() }, async (cluster) => {
      expect(await (await ask(cluster, pods)).text()).toContain(
        "x509: certificate signed by unknown authority",
      );
    });
    expect(rogue.received).toEqual([]);
    await rogue.close();
  });
});

test.each<[ClusterOptions, string]>([
  [{ authorizationMode: "Webhook" }, "authorization-mode Webhook's authorization config file not passed"],
  [
    { authorizationWebhookConfig: () => ({}) },
    "cannot specify --authorization-webhook-config-file without mode Webhook",
  ],
  [
    { authorizationWebhookVersion: "v1" },
    "createCluster: authorizationWebhookVersion has no effect without createCluster: authorizationWebhookConfig",
  ],
])("options %# that cannot work are refused", (options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

test("a file that cannot be used ends the start", async () => {
  const cluster = createCluster({ authorizationMode: "Webhook", authorizationWebhookConfig: "{}" });
  await expect(cluster.settle()).rejects.toThrow(
    "authorizationWebhookConfig: line 1: invalid configuration: no",
  );
  await cluster.close();
});

import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { startWebhook, type WebhookServer, withStatus } from "../webhooks/webhook-server.ts";

type Configuration = NonNullable<ClusterOptions["authorizationConfiguration"]>;

const head = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthorizationConfiguration" };
const text = (...authorizers: readonly object[]) => JSON.stringify({ ...head, authorizers });
const hook = (name: string, members: object = {}) => ({
  type: "Webhook",
  name,
  webhook: {
    timeout: "3s",
    subjectAccessReviewVersion: "v1",
    matchConditionSubjectAccessReviewVersion: "v1",
    failurePolicy: "NoOpinion",
    connectionInfo: { type: "InClusterConfig" },
    ...members,
  },
});

async function withCluster<T>(
  authorizationConfiguration: Configuration,
  run: (cluster: Cluster) => Promise<T>,
  options: ClusterOptions = {},
): Promise<T> {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const cluster = createCluster({ clock, authorizationConfiguration, ...options });
  try {
    return await run(cluster);
  } finally {
    await cluster.close();
  }
}

function get(cluster: Cluster, path: string, user: string, groups: readonly string[] = []) {
  const headers = { Authorization: `Bearer ${cluster.token(user, { groups })}` };
  return cluster.fetch(`https://cluster.test${path}`, { headers });
}

const statusOf = async (...parameters: Parameters<typeof get>) => (await get(...parameters)).status;
const metricsOf = async (cluster: Cluster) =>
  (await get(cluster, "/metrics", "root", ["system:masters"])).text();

const pods = "/api/v1/namespaces/default/pods";
const allowed = { allowed: true };
const denied = { denied: true };

test("several webhooks and modes are asked in order, each by its name", async () => {
  const asked: string[] = [];
  const answering = (name: string, deniedUser: string) => (review: { [field: string]: unknown }) => {
    asked.push(name);
    // A SubjectAccessReview has a spec.
    const { user } = review["spec"] as { user: string };
    return { ...JSON.parse(JSON.stringify(review)), status: user === deniedUser ? denied : {} };
  };
  const webhooks = { first: answering("first", "eve"), second: answering("second", "bob") };
  const config = text(hook("first"), hook("second"), { type: "AlwaysAllow", name: "alwaysallow" });
  await withCluster({ text: config, webhooks }, async (cluster) => {
    expect(await statusOf(cluster, pods, "eve")).toBe(403);
    expect(await statusOf(cluster, pods, "bob")).toBe(403);
    expect(await statusOf(cluster, pods, "alice")).toBe(200);
    expect(asked).toEqual(["first", "first", "second", "first", "second"]);
    const metrics = await metricsOf(cluster);
    for (const line of [
      'decisions_total{decision="denied",name="first",type="Webhook"} 1',
      'decisions_total{decision="denied",name="second",type="Webhook"} 1',
      'decisions_total{decision="allowed",name="alwaysallow",type="AlwaysAllow"} 1',
      'webhook_evaluations_total{name="second",result="success"} 2',
    ]) {
      expect(metrics).toContain(`apiserver_authorization_${line}`);
    }
  });
});

test.each([
  ["NoOpinion", 200],
  ["Deny", 500],
] as const)("with the policy %s, a failure answers %i", async (failurePolicy, status) => {
  const broken = () => Promise.reject(new Error("broken"));
  const config = text(hook("h", { failurePolicy }), { type: "AlwaysAllow", name: "alwaysallow" });
  await withCluster({ text: config, webhooks: { h: broken } }, async (cluster) => {
    expect(await statusOf(cluster, pods, "alice")).toBe(status);
  });
});

test("only requests that fulfill all conditions are sent", async () => {
  const asked: unknown[] = [];
  const webhook = (review: object) => {
    asked.push(review);
    return { ...JSON.parse(JSON.stringify(review)), status: denied };
  };
  const matchConditions = [
    "has(request.resourceAttributes)",
    "request.resourceAttributes.namespace == 'default'",
    "!('system:nodes' in request.groups)",
    "request.resourceAttributes.?labelSelector.requirements.orValue([]).all(r, r.key != 'free')",
  ].map((expression) => ({ expression }));
  const config = text(hook("h", { matchConditions }), { type: "AlwaysAllow", name: "alwaysallow" });
  await withCluster({ text: config, webhooks: { h: webhook } }, async (cluster) => {
    expect(await statusOf(cluster, "/version", "alice")).toBe(200);
    expect(await statusOf(cluster, "/api/v1/pods", "alice")).toBe(200);
    expect(await statusOf(cluster, pods, "node", ["system:nodes"])).toBe(200);
    expect(await statusOf(cluster, `${pods}?labelSelector=free`, "alice")).toBe(200);
    expect(asked).toEqual([]);
    expect(await statusOf(cluster, pods, "alice")).toBe(403);
    expect(asked).toHaveLength(1);
    const metrics = await metricsOf(cluster);
    expect(metrics).toContain(
      'apiserver_authorization_match_condition_exclusions_total{name="h",type="Webhook"} 4',
    );
  });
});

test.each([
  ["NoOpinion", "true", 200],
  ["Deny", "true", 500],
  // A condition that is false excludes the request, whatever the others are.
  ["Deny", "false", 200],
] as const)(
  "with %s and another condition that is %s, a broken one answers %i",
  async (failurePolicy, other, status) => {
    const matchConditions = [{ expression: "request.extra['x'][0] == 'y'" }, { expression: other }];
    const config = text(hook("h", { failurePolicy, matchConditions }), {
      type: "AlwaysAllow",
      name: "alwaysallow",
    });
    await withCluster({ text: config, webhooks: { h: () => allowed } }, async (cluster) => {
      const answer = await get(cluster, pods, "alice");
      expect(answer.status).toBe(status);
      if (status === 500) {
        expect(await answer.text()).toBe(
          `Internal Server Error: "${pods}": cel evaluation error: expression 'request.extra['x'][0] == 'y'' resulted in error: no such key: x\n`,
        );
      }
      const metrics = await metricsOf(cluster);
      expect(metrics).toContain('match_condition_evaluation_errors_total{name="h",type="Webhook"} 1');
    });
  },
);

test("a configuration that changes takes effect; one that is invalid does not", async () => {
  const rbac = { type: "RBAC", name: "rbac" };
  const allow = { type: "AlwaysAllow", name: "alwaysallow" };
  let present = text(rbac, { type: "AlwaysDeny", name: "alwaysdeny" });
  await withCluster(
    () => present,
    async (cluster) => {
      const status = () => statusOf(cluster, pods, "alice");
      expect(await status()).toBe(403);
      present = text(rbac, allow);
      expect(await status()).toBe(200);
      present = "nothing";
      expect(await status()).toBe(200);
      // It was not enabled at the start.
      present = text({ type: "Node", name: "node" });
      expect(await status()).toBe(200);
      present = text(rbac);
      expect(await status()).toBe(403);
      const metrics = await metricsOf(cluster);
      expect(metrics).toMatch(
        /config_controller_automatic_reloads_total\{apiserver_id_hash="[^"]+",status="failure"\} 2/,
      );
      expect(metrics).toMatch(
        /config_controller_automatic_reloads_total\{apiserver_id_hash="[^"]+",status="success"\} 2/,
      );
    },
  );
});

test("a configuration that changes is read every minute, without requests", async () => {
  let present = text({ type: "AlwaysDeny", name: "alwaysdeny" });
  await withCluster(
    () => present,
    async (cluster) => {
      await cluster.settle();
      present = text({ type: "AlwaysAllow", name: "alwaysallow" });
      await cluster.clock.advance("1m");
      await cluster.clock.advance("30s");
      expect(await statusOf(cluster, pods, "alice")).toBe(200);
      const reload = /automatic_reload_last_timestamp_seconds\{[^}]*status="(\w+)"\} (\S+)/g;
      const reloads = [...(await metricsOf(cluster)).matchAll(reload)].map(([, ...found]) => found);
      expect(reloads).toEqual([["success", "1.76722566e+09"]]);
    },
  );
});

test("a configuration that cannot be read stays; each minute reports and counts it", async () => {
  const errors: unknown[] = [];
  let isGone = false;
  const present = (): string => {
    if (isGone) throw new Error("gone");
    return text({ type: "AlwaysAllow", name: "alwaysallow" });
  };
  const configuration = { text: present, onReloadError: (error: unknown) => errors.push(error) };
  await withCluster(configuration, async (cluster) => {
    await cluster.settle();
    isGone = true;
    expect(await statusOf(cluster, pods, "alice")).toBe(200);
    expect(errors).toEqual([]);
    await cluster.clock.advance("2m");
    expect(errors).toEqual([new Error("gone"), new Error("gone")]);
    expect(await statusOf(cluster, pods, "alice")).toBe(200);
    expect(await metricsOf(cluster)).toMatch(/automatic_reloads_total\{[^}]*status="failure"\} 2\n/);
    isGone = false;
    await cluster.clock.advance("1m");
    expect(errors).toHaveLength(2);
  });
});

test("a cluster that is closed does not read its configuration any more", async () => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  let reads = 0;
  const authorizationConfiguration = () => {
    reads += 1;
    return text({ type: "AlwaysAllow", name: "alwaysallow" });
  };
  const cluster = createCluster({ clock, authorizationConfiguration });
  await cluster.settle();
  await clock.advance("1m");
  const before = reads;
  expect(before).toBeGreaterThan(1);
  await cluster.close();
  await clock.advance("5m");
  expect(reads).toBe(before);
  const closed = createCluster({ clock, authorizationConfiguration });
  await closed.close();
  await closed.settle();
  const first = reads;
  await clock.advance("5m");
  expect(reads).toBe(first);
});

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await startWebhook();
});
afterAll(() => webhook.close());

test("a webhook at an address gets its own timeout, version and lives of answers", async () => {
  webhook.answer = withStatus(allowed);
  const connectionInfo = { type: "KubeConfigFile", kubeConfigFile: "/etc/hook/config" };
  const config = text(
    hook("h", { connectionInfo, subjectAccessReviewVersion: "v1beta1", authorizedTTL: "1m" }),
  );
  const files = new Map([
    ["/etc/hook/config", webhook.kubeconfig({ user: { tokenFile: "token" } })],
    ["/etc/hook/token", "from-file\n"],
    ["/etc/absolute", webhook.kubeconfig({ user: { tokenFile: "/etc/hook/token" } })],
  ]);
  const readFile = (path: string) => files.get(path) ?? expect.fail(path);
  await withCluster({ text: config, readFile }, async (cluster) => {
    const calls = () => webhook.received.length;
    const before = calls();
    await statusOf(cluster, pods, "alice");
    await cluster.clock.advance("1m");
    await statusOf(cluster, pods, "alice");
    expect(calls()).toBe(before + 1);
    await cluster.clock.advance(1);
    await statusOf(cluster, pods, "alice");
    expect(calls()).toBe(before + 2);
    const { path, headers, text } = webhook.received.at(-1) ?? expect.fail();
    expect(path).toBe("/review?timeout=3s");
    expect(headers.authorization).toBe("Bearer from-file");
    expect(JSON.parse(text)).toMatchObject({ apiVersion: "authorization.k8s.io/v1beta1" });
  });
  const absolute = config.replace("/etc/hook/config", "/etc/absolute");
  await withCluster({ text: absolute, readFile }, async (cluster) => {
    expect(await statusOf(cluster, pods, "alice")).toBe(200);
    expect(webhook.received.at(-1)?.headers.authorization).toBe("Bearer from-file");
  });
});

test("only a configuration that says something else counts as a reload", async () => {
  const modes = [{ type: "RBAC", name: "rbac" }];
  let present = text(...modes);
  await withCluster(
    () => present,
    async (cluster) => {
      const reloads = async (): Promise<readonly string[]> =>
        [...(await metricsOf(cluster)).matchAll(/automatic_reloads_total\{.*status="(\w+)"\} (\d+)/g)].map(
          ([, status, count]) => `${status} ${count}`,
        );
      present = `${text(...modes)} `;
      expect(await reloads()).toEqual([]);
      // Its authorizers cannot be made: ABAC has no policies.
      present = text(...modes, { type: "ABAC", name: "abac" });
      expect(await reloads()).toEqual(["failure 1"]);
      present = `${present} `;
      expect(await reloads()).toEqual(["failure 1"]);
      present = text({ type: "AlwaysAllow", name: "alwaysallow" });
      expect(await reloads()).toEqual(["failure 1", "success 1"]);
      expect(await statusOf(cluster, pods, "alice")).toBe(200);
    },
  );
});

test("metrics say which configuration is in use, even if it cannot change", async () => {
  const config = text({ type: "AlwaysAllow", name: "alwaysallow" });
  const hash = createHash("sha256").update(config).digest("hex");
  await withCluster(
    config,
    async (cluster) => {
      const metrics = await metricsOf(cluster);
      expect(metrics).toContain(`hash="sha256:${hash}"} 1`);
      expect(metrics).not.toContain("automatic_reload");
    },
    { release: "1.34" },
  );
});

test("metrics say when a configuration was last read again, and which one is in use", async () => {
  const sha256 = (of: string) => `sha256:${createHash("sha256").update(of).digest("hex")}`;
  const server = `apiserver_id_hash="${sha256("kube-apiserver")}"`;
  const first = text({ type: "RBAC", name: "rbac" });
  let present = first;
  await withCluster(
    () => present,
    async (cluster) => {
      const lines = async () =>
        (await metricsOf(cluster))
          .split("\n")
          .filter((line) => line.startsWith("apiserver_authorization_config_controller_"))
          .map((line) => line.replace("apiserver_authorization_config_controller_", ""));
      const inUse = (config: string) => `last_config_info{${server},hash="${sha256(config)}"} 1`;
      expect(await lines()).toEqual([inUse(first)]);
      await cluster.clock.advance("1m");
      present = "nothing";
      const failed = `automatic_reload_last_timestamp_seconds{${server},status="failure"} 1.76722566e+09`;
      const failures = `automatic_reloads_total{${server},status="failure"} 1`;
      expect(await lines()).toEqual([failed, failures, inUse(first)]);
      await cluster.clock.advance("1m");
      present = text({ type: "AlwaysDeny", name: "alwaysdeny" });
      expect(await lines()).toEqual([
        failed,
        `automatic_reload_last_timestamp_seconds{${server},status="success"} 1.76722572e+09`,
        failures,
        `automatic_reloads_total{${server},status="success"} 1`,
        inUse(present),
      ]);
      const help = await metricsOf(cluster);
      expect(help).toContain(
        "# HELP apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds [BETA] Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.",
      );
    },
    { release: "1.34" },
  );
});

test.each(["ABAC", "Node"])("the mode %s cannot be added later", async (type) => {
  let present = text({ type: "AlwaysDeny", name: "alwaysdeny" });
  await withCluster(
    () => present,
    async (cluster) => {
      await statusOf(cluster, pods, "alice");
      present = text({ type, name: type.toLowerCase() }, { type: "AlwaysAllow", name: "alwaysallow" });
      expect(await statusOf(cluster, pods, "alice")).toBe(403);
    },
  );
});

test("the mode ABAC without policies ends the start", async () => {
  const cluster = createCluster({ authorizationConfiguration: text({ type: "ABAC", name: "abac" }) });
  await expect(cluster.fetch("https://cluster.test/version")).rejects.toThrow(
    "createCluster: authorizationConfiguration: open : no such file or directory",
  );
  await cluster.close();
});

test("rules and explanations are those of the present configuration", async () => {
  let present = text({ type: "RBAC", name: "rbac" });
  await withCluster(
    () => present,
    async (cluster) => {
      const modes = async () =>
        (await cluster.explain("eve", { verb: "get", path: "/x" })).verdicts.map(({ mode }) => mode);
      const review = async () => {
        const sent = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview" };
        const { status } = await cluster
          .as("eve", { groups: ["system:authenticated"] })
          .create({ ...sent, spec: { namespace: "default" } });
        return JSON.stringify(status);
      };
      expect(await modes()).toEqual(["system:masters", "RBAC"]);
      expect(await review()).toContain("selfsubjectaccessreviews");
      present = text({ type: "AlwaysAllow", name: "alwaysallow" });
      expect(await modes()).toEqual(["system:masters", "AlwaysAllow"]);
      expect(await review()).toContain('"resources":["*"]');
    },
  );
});

test("a configuration with errors ends the start", async () => {
  const cluster = createCluster({ authorizationConfiguration: text() });
  await expect(cluster.fetch("https://cluster.test/version")).rejects.toThrow(
    "createCluster: authorizationConfiguration: authorizers: Required value: at least one authorization mode",
  );
  await cluster.close();
});

test.each<[ClusterOptions, string]>([
  [
    { authorizationConfiguration: text(), authorizationMode: "RBAC" },
    "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
  ],
  [
    { authorizationConfiguration: text(), authorizationWebhookVersion: "v1" },
    "--authorization-config can not be specified when",
  ],
  [
    { authorizationConfiguration: text(), release: "1.29" },
    "--authorization-config cannot be used without enabling the StructuredAuthorizationConfiguration feature flag",
  ],
  [{ authorizationConfiguration: JSON.parse("7") }, "authorizationConfiguration must be text, a function"],
  [{ authorizationConfiguration: JSON.parse("{}") }, "authorizationConfiguration needs the option text"],
  [
    { authorizationConfiguration: JSON.parse('{ "text": "", "webhook": {} }') },
    'createCluster: authorizationConfiguration: unknown option "webhook"; did you mean "webhooks"?',
  ],
  [
    { authorizationConfiguration: JSON.parse('{ "text": "", "webhooks": { "h": "x" } }') },
    "webhooks must be an object or a Map of which each value is a function",
  ],
  [
    { authorizationConfiguration: JSON.parse('{ "text": "", "readFile": "x" }') },
    "createCluster: authorizationConfiguration: readFile must be a function",
  ],
])("options %# that exclude each other are refused", (options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

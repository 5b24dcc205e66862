import { expect, test } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";

async function withCluster(options: ClusterOptions, run: (cluster: Cluster) => Promise<void>): Promise<void> {
  const clock = new VirtualClock("2030-01-01T00:00:00Z");
  const cluster = createCluster({ clock, controllers: [], ...options });
  try {
    await run(cluster);
  } finally {
    await cluster.close();
  }
}

async function statusOf(cluster: Cluster, path: string, user = "alice"): Promise<number> {
  const headers = { authorization: `Bearer ${cluster.token(user)}` };
  return (await cluster.fetch(`https://x${path}`, { headers })).status;
}

async function textOf(cluster: Cluster): Promise<string> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  return (await cluster.fetch("https://x/metrics", { headers })).text();
}

/** The values of the metrics of authorization whose names begin with a text. */
async function metrics(cluster: Cluster, prefix: string): Promise<Readonly<Record<string, number>>> {
  const lines = (await textOf(cluster)).split("\n").filter((line) => line.startsWith(prefix));
  return Object.fromEntries(
    lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
  );
}

const pods = "/api/v1/namespaces/default/pods";

interface HeldWebhook {
  readonly review: (review: JsonObject) => Promise<JsonObject>;
  /** Resolves at the first call. */
  readonly called: Promise<void>;
  readonly release: () => void;
}

/** A webhook that answers when the test lets it. */
function heldWebhook(status: JsonObject): HeldWebhook {
  let [release, call] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const called = new Promise<void>((resolve) => {
    call = resolve;
  });
  const review = async (sent: JsonObject): Promise<JsonObject> => {
    call();
    await held;
    return { ...sent, status };
  };
  return { review, called, release };
}

test("an authorization that waits takes as long as the clock of the cluster says", async () => {
  const { review, called, release } = heldWebhook({ allowed: false, denied: true });
  const options: ClusterOptions = { authorizationMode: "Webhook", authorizationWebhookConfig: review };
  await withCluster(options, async (cluster) => {
    const asking = statusOf(cluster, pods);
    await called;
    await cluster.clock.advance(3000);
    release();
    expect(await asking).toBe(403);
    expect(await metrics(cluster, "authorization_duration_seconds")).toMatchObject({
      'authorization_duration_seconds_bucket{result="denied",le="2.048"}': 0,
      'authorization_duration_seconds_bucket{result="denied",le="4.096"}': 1,
      'authorization_duration_seconds_bucket{result="denied",le="16.384"}': 1,
      'authorization_duration_seconds_bucket{result="denied",le="+Inf"}': 1,
      'authorization_duration_seconds_sum{result="denied"}': 3,
      'authorization_duration_seconds_count{result="denied"}': 1,
    });
    const labels = 'name="webhook",result="success"';
    const name = "apiserver_authorization_webhook_duration_seconds";
    expect(await metrics(cluster, name)).toMatchObject({
      [`${name}_bucket{${labels},le="2.5"}`]: 0,
      [`${name}_bucket{${labels},le="5"}`]: 1,
      [`${name}_sum{${labels}}`]: 3,
    });
  });
});

test.each([
  ["address", ""],
  ["impersonation", "bob"],
])(
  "a call of a webhook whose client goes away is canceled, and does not fail open: %s",
  async (_title, other) => {
    const { review, called } = heldWebhook({ allowed: true });
    const options: ClusterOptions = { authorizationMode: "Webhook", authorizationWebhookConfig: review };
    await withCluster(options, async (cluster) => {
      const leaving = new AbortController();
      const headers = {
        Authorization: `Bearer ${cluster.token("alice")}`,
        ...(other !== "" && { "Impersonate-User": other }),
      };
      const asking = cluster.fetch(`https://cluster.test${pods}`, { headers, signal: leaving.signal });
      await called;
      leaving.abort();
      await expect(asking).rejects.toThrow();
      const prefix = "apiserver_authorization_webhook";
      await expect
        .poll(() => metrics(cluster, `${prefix}_evaluations`))
        .toEqual({
          [`${prefix}_evaluations_total{name="webhook",result="canceled"}`]: 1,
        });
      const count = `${prefix}_duration_seconds_count`;
      expect(await metrics(cluster, count)).toEqual({ [`${count}{name="webhook",result="canceled"}`]: 1 });
    });
  },
);

test("attempts are counted by their result", async () => {
  const options: ClusterOptions = {
    authorizationMode: ["Webhook", "RBAC"],
    authorizationWebhookConfig: (review) => {
      const { user } = review["spec"] as { readonly user: string };
      if (user === "broken") throw new Error("broken");
      return { ...review, status: { allowed: user === "alice", denied: user === "mallory" } };
    },
  };
  await withCluster(options, async (cluster) => {
    const users = ["alice", "alice", "mallory", "bob", "broken"];
    const statuses = await Promise.all(users.map((user) => statusOf(cluster, pods, user)));
    expect(statuses).toEqual([200, 200, 403, 403, 500]);
    expect(await metrics(cluster, "authorization_attempts_total")).toMatchObject({
      'authorization_attempts_total{result="denied"}': 1,
      'authorization_attempts_total{result="error"}': 1,
      'authorization_attempts_total{result="no-opinion"}': 1,
    });
    const allowed = 'authorization_attempts_total{result="allowed"}';
    const before = (await metrics(cluster, allowed))[allowed] ?? Number.NaN;
    await statusOf(cluster, pods);
    // The request for the metrics counts too.
    expect((await metrics(cluster, allowed))[allowed]).toBe(before + 2);
  });
});

test("the match conditions of a webhook are timed, even if they exclude the request", async () => {
  const webhook = {
    timeout: "3s",
    subjectAccessReviewVersion: "v1",
    matchConditionSubjectAccessReviewVersion: "v1",
    failurePolicy: "NoOpinion",
    connectionInfo: { type: "InClusterConfig" },
    matchConditions: [{ expression: "request.user == 'bob'" }],
  };
  const text = JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthorizationConfiguration",
    authorizers: [{ type: "Webhook", name: "h", webhook }],
  });
  const allowing = (review: JsonObject): JsonObject => ({ ...review, status: { allowed: true } });
  const options: ClusterOptions = { authorizationConfiguration: { text, webhooks: { h: allowing } } };
  await withCluster(options, async (cluster) => {
    expect(await statusOf(cluster, pods, "bob")).toBe(200);
    expect(await statusOf(cluster, pods, "alice")).toBe(403);
    const name = "apiserver_authorization_match_condition_evaluation_seconds";
    expect(await metrics(cluster, name)).toEqual({
      ...Object.fromEntries(
        ["0.001", "0.005", "0.01", "0.025", "0.1", "0.2", "0.25", "+Inf"].map((bound) => [
          `${name}_bucket{name="h",type="Webhook",le="${bound}"}`,
          2,
        ]),
      ),
      [`${name}_sum{name="h",type="Webhook"}`]: 0,
      [`${name}_count{name="h",type="Webhook"}`]: 2,
    });
    const calls = "apiserver_authorization_webhook_duration_seconds_count";
    expect(await metrics(cluster, calls)).toEqual({ [`${calls}{name="h",result="success"}`]: 1 });
  });
});

test.each([
  ["1.27", []],
  ["1.28", ["authorization_attempts_total counter", "authorization_duration_seconds histogram"]],
  [
    "1.30",
    [
      "apiserver_authorization_decisions_total counter",
      "apiserver_authorization_webhook_duration_seconds histogram",
      "apiserver_authorization_webhook_evaluations_total counter",
      "authorization_attempts_total counter",
      "authorization_duration_seconds histogram",
    ],
  ],
] as const)("%s has its metrics of authorization", async (release, expected) => {
  const options: ClusterOptions = {
    release,
    authorizationMode: "Webhook",
    authorizationWebhookConfig: (review) => ({ ...review, status: { allowed: true } }),
  };
  await withCluster(options, async (cluster) => {
    expect(await statusOf(cluster, pods)).toBe(200);
    const types = [...(await textOf(cluster)).matchAll(/^# TYPE (\w*authorization_\w+ \w+)$/gm)];
    expect(types.map(([, named]) => named)).toEqual(expected);
  });
});

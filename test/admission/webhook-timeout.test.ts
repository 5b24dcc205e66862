import { describe, expect, test } from "vitest";
import { createCluster, type KubeObject, VirtualClock } from "../../src/index.ts";
import { webhookTimeout } from "../../src/scenario/presets.ts";
import { configMap } from "./policy-objects.ts";

const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };

function configuration(type: "Mutating" | "Validating", name: string, more: object = {}): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.x.io`,
        clientConfig: { url: "https://127.0.0.1:1/x" },
        rules: [rule],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 3,
        ...more,
      },
    ],
  };
}

/** A cluster whose webhooks allow everything, and how long they have been asked. */
function clusterWith(...objects: readonly KubeObject[]) {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const cluster = createCluster({ clock, controllers: [], objects });
  for (const { metadata } of objects) cluster.webhook(`${metadata.name}.x.io`, () => ({ allowed: true }));
  return { clock, cluster };
}

test.each<
  readonly [title: string, type: "Mutating" | "Validating", name: string, more: object, answer: string]
>([
  [
    "a mutating webhook",
    "Mutating",
    "m",
    {},
    'Internal error occurred: failed calling webhook "m.x.io": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=3s": context deadline exceeded',
  ],
  [
    "a validating webhook",
    "Validating",
    "v",
    {},
    'Internal error occurred: failed calling webhook "v.x.io": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=3s": context deadline exceeded',
  ],
  ["a webhook whose failures are ignored", "Validating", "v", { failurePolicy: "Ignore" }, "created"],
])("%s times out by the clock of the cluster", async (_title, type, name, more, expected) => {
  const { clock, cluster } = clusterWith(configuration(type, name, more));
  const fault = cluster.inject(webhookTimeout());
  const user = cluster.as("alice");
  const answer = user.create(configMap("a")).then(
    () => "created",
    (error: Error) => error.message,
  );
  await fault.hit();
  await clock.advance("3s");
  expect(await answer).toBe(expected);
  expect(cluster.requests.all[0]).toMatchObject({ milliseconds: 3000, fault: "webhookTimeout" });
  await user.create(configMap("b"));
  cluster.check();
});

test("the fault can name one of several webhooks", async () => {
  const { clock, cluster } = clusterWith(configuration("Mutating", "m"), configuration("Validating", "v"));
  const fault = cluster.inject(webhookTimeout({ webhook: "v.x.io" }));
  const answer = cluster.as("alice").create(configMap("a"));
  await fault.hit();
  await Promise.all([expect(answer).rejects.toThrow('failed calling webhook "v.x.io"'), clock.advance("3s")]);
});

test("a request that no webhook selects is not struck", async () => {
  const { cluster } = clusterWith(configuration("Mutating", "m"));
  const fault = cluster.inject(webhookTimeout());
  await cluster.as("alice").create({ ...configMap("a"), kind: "Secret" });
  expect(fault.hits).toBe(0);
  expect(() => cluster.check()).toThrow("it needs to reach admission, and a webhook that selects it");
});

test("a cluster without the webhook answers as if it had one", async () => {
  const { cluster } = clusterWith(configuration("Mutating", "m"));
  cluster.inject(webhookTimeout({ webhook: "other.x.io" }));
  await expect(cluster.as("alice").create(configMap("a"))).rejects.toThrow(
    'failed calling webhook "other.x.io": failed to call webhook: Post "https://other.x.io:443/?timeout=10s": context deadline exceeded',
  );
  cluster.check();
});

describe("a write that takes longer than it may", () => {
  const tooLong = "Timeout: request did not complete within requested timeout - context deadline exceeded";

  /** Creates a ConfigMap while webhooks do not answer, and returns what the client gets after this time, and whether it is stored. */
  async function created(webhooks: readonly KubeObject[], query: string, after: string) {
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    const cluster = createCluster({ clock, controllers: [], objects: webhooks });
    const asked: string[] = [];
    let called = () => {};
    for (const { metadata } of webhooks) {
      cluster.webhook(`${metadata.name}.x.io`, () => {
        asked.push(metadata.name ?? "");
        called();
        return new Promise(() => {});
      });
    }
    const nextCall = () =>
      new Promise<void>((resolve) => {
        called = resolve;
      });
    const firstCall = nextCall();
    const maps = "https://cluster.test/api/v1/namespaces/default/configmaps";
    const answer = cluster.fetch(`${maps}${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${cluster.adminToken()}`, "content-type": "application/json" },
      body: JSON.stringify(configMap("a")),
    });
    await firstCall;
    const next = Promise.race([nextCall(), answer]);
    await clock.advance(after);
    await next;
    if (asked.length > 1) await clock.advance("1m");
    const status: { readonly code: number; readonly message: string } = JSON.parse(
      await (await answer).text(),
    );
    const stored = await cluster.list("v1", "ConfigMap", { namespace: "default" });
    await cluster.close();
    return { status, asked, names: stored.items.map(({ metadata }) => metadata.name) };
  }

  test.each([
    ["a mutating webhook", configuration("Mutating", "m")],
    ["a validating webhook", configuration("Validating", "v")],
    ["a webhook whose failures are ignored", configuration("Validating", "v", { failurePolicy: "Ignore" })],
  ])("because of %s is a timeout, and changes nothing", async (_title, webhook) => {
    const { status, names } = await created([webhook], "?timeout=2s", "2s");
    expect(status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: tooLong,
      reason: "Timeout",
      details: {},
      code: 504,
    });
    expect(names).toEqual([]);
  });

  test.each(["", "?timeout=0s", "?timeout=3s", "?timeout=50s"])(
    "is one of the webhook, if that has less time: %s",
    async (query) => {
      const { status } = await created([configuration("Mutating", "m", { timeoutSeconds: 2 })], query, "2s");
      expect(status.code).toBe(500);
      expect(status.message).toContain('failed calling webhook "m.x.io"');
    },
  );

  test("may take 34 seconds, whatever its webhooks and its client allow", async () => {
    const patient = { timeoutSeconds: 20, failurePolicy: "Ignore" };
    const webhooks = ["a", "b", "c"].map((name) => configuration("Mutating", name, patient));
    const { status, asked } = await created(webhooks, "?timeout=50s", "20s");
    expect([status.message, asked]).toEqual([tooLong, ["a", "b"]]);
  });
});

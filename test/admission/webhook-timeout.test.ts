import { expect, test } from "vitest";
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

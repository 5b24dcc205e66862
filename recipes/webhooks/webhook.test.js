import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { createCluster } from "kubedouble";
import { startServer } from "./servers.js";

const configMap = (labels) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default", ...(labels && { labels }) },
});

const servers = [
  [process.execPath, "webhook.js"],
  ["python3", "webhook.py"],
];

for (const [program, file] of servers) {
  const isHere = spawnSync(program, ["--version"]).status === 0;
  describe(file, { skip: !isHere && `${program} is not on PATH` }, () => {
    let server;
    before(async () => {
      server = await startServer(program, file);
    });
    after(() => server.close());

    /** A cluster whose ConfigMaps go through these webhooks. */
    const clusterWith = (...webhooks) =>
      createCluster({
        objects: [
          {
            apiVersion: "admissionregistration.k8s.io/v1",
            kind: "MutatingWebhookConfiguration",
            metadata: { name: "webhooks" },
            webhooks: webhooks.map(({ path, ...more }, i) => ({
              name: `webhook-${i}.example.com`,
              clientConfig: server.clientConfig(path),
              rules: [
                { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
              ],
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
              ...more,
            })),
          },
        ],
      });

    test("the webhook changes an object, and denies one without the label", async () => {
      const cluster = clusterWith({ path: "/team" });
      const created = await cluster.create(configMap({ team: "a" }));
      assert.deepEqual(created.metadata.annotations, { team: "a" });
      await assert.rejects(cluster.create(configMap()), {
        message: 'admission webhook "webhook-0.example.com" denied the request: the label team is missing',
      });
      await cluster.close();
    });

    test("a webhook that fails refuses the object, unless its failures are ignored", async () => {
      const strict = clusterWith({ path: "/crash" });
      await assert.rejects(strict.create(configMap()), {
        message:
          /failed calling webhook "webhook-0.example.com": failed to call webhook: an error on the server/,
      });
      await strict.close();
      const lenient = clusterWith({ path: "/crash", failurePolicy: "Ignore" });
      await lenient.create(configMap());
      const { steps } = await lenient.admit(configMap(), { operation: "CREATE" });
      assert.ok(steps.some(({ outcome }) => outcome === "failedOpen"));
      await lenient.close();
    });

    test("a webhook that hangs is given up after its timeout", async () => {
      const cluster = clusterWith({ path: "/hang", timeoutSeconds: 1 });
      await assert.rejects(cluster.create(configMap()), {
        message: /timeout=1s": context deadline exceeded/,
      });
      await cluster.close();
    });

    test("webhooks that change the object with every call are called once more, and no further", async () => {
      const reinvoked = { path: "/count", reinvocationPolicy: "IfNeeded" };
      const cluster = clusterWith(reinvoked, reinvoked);
      const { metadata } = await cluster.create(configMap());
      assert.deepEqual(metadata.annotations, { calls: "4" });
      await cluster.close();
    });
  });
}

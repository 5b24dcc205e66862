import { expect, test } from "vitest";
import { createCluster, type KubeObject } from "../../src/index.ts";

test("a webhook sees each object of a deleted collection as one that is deleted", async () => {
  await using cluster = createCluster({ seed: 1, controllers: [] });
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] };
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "w" },
    webhooks: [
      {
        name: "w.example.com",
        clientConfig: { url: "https://127.0.0.1:1/x" },
        rules: [rule],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const seen: unknown[] = [];
  cluster.webhook("w.example.com", (review) => {
    const { operation, name, object, oldObject } = review["request"] as {
      readonly operation: string;
      readonly name?: string;
      readonly object: null;
      readonly oldObject: KubeObject;
    };
    seen.push([operation, name, oldObject.metadata.name, object]);
    return { allowed: oldObject.metadata.name !== "b" };
  });
  for (const name of ["a", "b"]) {
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });
  }
  const response = await cluster.fetch("https://cluster.test/api/v1/namespaces/default/configmaps", {
    method: "DELETE",
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
  });
  expect(response.status).toBe(400);
  expect(seen).toContainEqual(["DELETE", undefined, "a", null]);
  const { items } = await cluster.list("v1", "ConfigMap", { namespace: "default" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
});

import { expect, test } from "vitest";
import { createCluster, type JsonObject } from "../../src/index.ts";

/** A webhook of a configuration for ConfigMaps. */
function hook(name: string, more: object = {}): object {
  return {
    name,
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  };
}

function configuration(kind: string, name: string, ...webhooks: readonly object[]): object {
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, webhooks };
}

const validating = (...webhooks: readonly object[]) =>
  configuration("ValidatingWebhookConfiguration", "v", ...webhooks);
const mutating = (...webhooks: readonly object[]) =>
  configuration("MutatingWebhookConfiguration", "m", ...webhooks);

function configMap(name: string, data: object = {}, labels: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels }, data };
}

test("a function answers for a validating webhook", async () => {
  const cluster = createCluster({ objects: [validating(hook("deny.x.io"))] as never });
  const reviews: JsonObject[] = [];
  cluster.webhook("deny.x.io", (review) => {
    reviews.push(review);
    return { allowed: false, status: { message: "no way", code: 418, reason: "Custom" } };
  });
  await expect(cluster.apply(configMap("a") as never, { fieldManager: "t" })).rejects.toMatchObject({
    status: {
      code: 418,
      message: 'admission webhook "deny.x.io" denied the request: no way',
      reason: "Custom",
    },
  });
  expect(reviews).toMatchObject([{ kind: "AdmissionReview", request: { name: "a", operation: "CREATE" } }]);
});

test("a function answers for a mutating webhook with a list of operations", async () => {
  const cluster = createCluster({ objects: [mutating(hook("label.x.io"))] as never });
  cluster.webhook("label.x.io", () => ({
    allowed: true,
    patch: [{ op: "add", path: "/metadata/labels", value: { seen: "yes" } }],
  }));
  await cluster.apply(configMap("a") as never, { fieldManager: "t" });
  const stored = await cluster.get("v1", "ConfigMap", "a");
  expect(stored.metadata.labels).toEqual({ seen: "yes" });
});

import { expect, test } from "vitest";
import { createCluster, type KubeObject } from "../../src/index.ts";

test.each(["autoscaling/v1", "autoscaling/v2"])(
  "a webhook decides about updates through %s",
  async (version) => {
    await using cluster = createCluster({ seed: 1, controllers: [] });
    const rule = {
      apiGroups: ["autoscaling"],
      apiVersions: ["*"],
      operations: ["UPDATE"],
      resources: ["horizontalpodautoscalers"],
    };
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
      const { object, oldObject } = review["request"] as {
        readonly object: KubeObject;
        readonly oldObject: KubeObject;
      };
      seen.push([oldObject.apiVersion, oldObject["spec"], object.apiVersion, object["spec"]]);
      return { allowed: false, status: { message: "no" } };
    });
    const metadata = { name: "a", namespace: "default" };
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" } };
    const autoscaler = { apiVersion: version, kind: "HorizontalPodAutoscaler", metadata, spec };
    await cluster.create(autoscaler);
    await expect(cluster.update({ ...autoscaler, spec: { ...spec, maxReplicas: 4 } })).rejects.toMatchObject({
      message: 'admission webhook "w.example.com" denied the request: no',
    });
    expect(seen).toMatchObject([[version, { maxReplicas: 3 }, version, { maxReplicas: 4 }]]);
    const { spec: stored } = await cluster.get<KubeObject & { spec: { maxReplicas: number } }>(
      version,
      "HorizontalPodAutoscaler",
      "a",
    );
    expect(stored.maxReplicas).toBe(3);
  },
);

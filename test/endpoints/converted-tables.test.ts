import { expect, test } from "vitest";
import { createCluster, type JsonObject } from "../../src/index.ts";

test.each(["autoscaling/v1", "autoscaling/v2"])(
  "rows of a Table show whole objects in %s",
  async (version) => {
    await using cluster = createCluster({ seed: 1, controllers: [] });
    for (const name of ["a", "b"]) {
      await cluster.create({
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name, namespace: "default" },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name } },
      });
    }
    const path = `/apis/${version}/namespaces/default/horizontalpodautoscalers`;
    const response = await cluster.fetch(`https://cluster.test${path}?includeObject=Object`, {
      headers: {
        authorization: `Bearer ${cluster.adminToken()}`,
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
      },
    });
    const { rows }: { rows: { object: JsonObject }[] } = JSON.parse(await response.text());
    const expected = ["a", "b"].map((name) => ({ apiVersion: version, metadata: { name } }));
    expect(rows.map(({ object }) => object)).toMatchObject(expected);
  },
);

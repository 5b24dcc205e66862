import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../../src/index.ts";

const path = "autoscaling/VERSION/namespaces/default/horizontalpodautoscalers";
const metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

async function withAutoscaler(): Promise<Cluster> {
  const cluster = createCluster({ controllers: [], release: "1.32" });
  await cluster.create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "h", namespace: "default", annotations: { mine: "kept" } },
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "memory", target: { type: "Utilization", averageUtilization: 5 } },
        },
      ],
    },
  });
  return cluster;
}

// biome-ignore lint/suspicious/noExplicitAny: the test reads lists, tables and objects
async function get(cluster: Cluster, target: string, accept: string): Promise<any> {
  const headers = { accept, authorization: `Bearer ${cluster.adminToken()}` };
  const response = await cluster.fetch(`https://cluster.test/apis/${target}`, { headers });
  return response.json();
}

/** Upstream: apiserver, pkg/endpoints/handlers/response.go, which has the internal object. */
test.each(["v1", "v2"])(
  "metadata of an autoscaler in autoscaling/%s has no annotations of a conversion",
  async (version) => {
    const cluster = await withAutoscaler();
    const target = path.replace("VERSION", version);
    const { metadata: one } = await get(cluster, `${target}/h`, metadata);
    const { items } = await get(cluster, target, metadataList);
    const { rows } = await get(cluster, target, "application/json;as=Table;g=meta.k8s.io;v=v1");
    const { metadata: whole } = await get(cluster, `${target}/h`, "application/json");
    expect(one.annotations).toEqual({ mine: "kept" });
    expect(items[0].metadata.annotations).toEqual({ mine: "kept" });
    expect(rows[0].object.metadata.annotations).toEqual({ mine: "kept" });
    expect(Object.keys(whole.annotations).sort()).toEqual(
      version === "v1" ? ["autoscaling.alpha.kubernetes.io/metrics", "mine"] : ["mine"],
    );
    await cluster.close();
  },
);

test("the same holds for watches", async () => {
  const cluster = await withAutoscaler();
  const headers = { accept: metadata, authorization: `Bearer ${cluster.adminToken()}` };
  const url = `https://cluster.test/apis/${path.replace("VERSION", "v1")}?watch=1&timeoutSeconds=1`;
  const response = await cluster.fetch(url, { headers });
  const { value } = (await response.body?.getReader().read()) ?? {};
  const event = JSON.parse(new TextDecoder().decode(value));
  expect(event.object).toMatchObject({
    kind: "PartialObjectMetadata",
    metadata: { annotations: { mine: "kept" } },
  });
  expect(Object.keys(event.object.metadata.annotations)).toEqual(["mine"]);
  await cluster.close();
});

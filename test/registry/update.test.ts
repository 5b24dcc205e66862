import { describe, expect, test } from "vitest";
import { podsPath } from "./pods.ts";
import { quietCluster, testClient } from "./test-client.ts";
import { podTemplate, workload } from "./workloads.ts";

const setsPath = "/apis/apps/v1/namespaces/default/statefulsets";

function template(memory: string): object {
  return podTemplate({ containers: [{ name: "c", image: "i", resources: { limits: { memory } } }] });
}

function claim(storage: string): object {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } };
  return { metadata: { name: "data" }, spec };
}

describe("a quantity in another notation", () => {
  test.each<[string, string, string, string]>([
    ["with the same format is not stored", "1000Mi", "1024000Ki", "1000Mi"],
    ["with another format is stored as sent", "1Gi", "1073741824", "1073741824"],
  ])("%s, and does not change the generation", async (_title, before, after, stored) => {
    const send = testClient(quietCluster());
    const made = await send("POST", setsPath, workload("s", { template: template(before) }));
    const changed = await send("PATCH", `${setsPath}/s`, { spec: { template: template(after) } });
    expect(changed.object.metadata.generation).toBe(1);
    const { limits } = changed.object.spec.template.spec.containers[0].resources;
    expect(limits.memory).toBe(stored);
    const isWritten = changed.object.metadata.resourceVersion !== made.object.metadata.resourceVersion;
    expect(isWritten).toBe(before !== stored);
    const more = await send("PATCH", `${setsPath}/s`, { spec: { template: template("1Mi") } });
    expect(more.object.metadata.generation).toBe(2);
  });

  test("is not a change of an immutable field", async () => {
    const send = testClient(quietCluster({ controllers: ["serviceaccount-controller"] }));
    await send("POST", setsPath, workload("s", { volumeClaimTemplates: [claim("1Gi")] }));
    const sets = await send("PATCH", `${setsPath}/s`, {
      spec: { volumeClaimTemplates: [claim("1073741824")] },
    });
    expect([sets.code, ...sets.findings]).toEqual([200]);
    const other = await send("PATCH", `${setsPath}/s`, { spec: { volumeClaimTemplates: [claim("2Gi")] } });
    expect(other.code).toBe(422);
    const containers = [{ name: "c", image: "i", resources: { limits: { memory: "1Gi" } } }];
    await send("POST", podsPath, { metadata: { name: "p" }, spec: { containers } });
    const { object: pod } = await send("GET", `${podsPath}/p`);
    const [container] = pod.spec.containers;
    container.resources.limits.memory = "1073741824";
    const pods = await send("PUT", `${podsPath}/p`, pod);
    expect([pods.code, ...pods.findings]).toEqual([200]);
  });
});

describe("an empty field", () => {
  test("is the same as an unset field", async () => {
    const send = testClient(quietCluster());
    const made = await send("POST", setsPath, workload("s"));
    const changed = await send("PATCH", `${setsPath}/s`, {
      metadata: { annotations: {} },
      spec: { volumeClaimTemplates: [], template: podTemplate({ nodeSelector: {}, tolerations: [] }) },
    });
    expect(changed.object).toEqual(made.object);
  });
});

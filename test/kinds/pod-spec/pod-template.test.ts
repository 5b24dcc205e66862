import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { podTemplate } from "../../registry/workloads.ts";

const path = "/api/v1/namespaces/default/podtemplates";

describe("a PodTemplate", () => {
  test("counts only changes of its template", async () => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", path, { metadata: { name: "t" }, template: podTemplate() });
    expect(object.metadata.generation).toBe(1);
    const labelled = await send("PATCH", `${path}/t`, { metadata: { labels: { a: "b" } } });
    expect(labelled.object.metadata.generation).toBe(1);
    const changed = await send("PATCH", `${path}/t`, { template: { spec: { hostname: "h" } } });
    expect(changed.object.metadata.generation).toBe(2);
  });

  test("is refused for fields that its template must not have", async () => {
    const template = podTemplate({ ephemeralContainers: [{ name: "e", image: "i" }], containers: [] });
    const { findings } = await testClient(quietCluster())("POST", path, {
      metadata: { name: "t" },
      template,
    });
    expect(findings).toEqual([
      "template.spec.containers: Required value",
      "template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
    ]);
  });

  test("has warnings for a new template", async () => {
    const send = testClient(quietCluster());
    const template = podTemplate({ nodeSelector: { "beta.kubernetes.io/os": "linux" } });
    const warning =
      'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';
    expect((await send("POST", path, { metadata: { name: "t" }, template })).warnings).toEqual([warning]);
    const labels = { metadata: { labels: { a: "b" } } };
    expect((await send("PATCH", `${path}/t`, labels)).warnings).toEqual([]);
    const hostname = { template: { spec: { hostname: "h" } } };
    expect((await send("PATCH", `${path}/t`, hostname)).warnings).toEqual([warning]);
  });
});

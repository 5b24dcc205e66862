import { expect, test } from "vitest";
import type { Cluster, KubeObject } from "../../src/index.ts";
import { createCluster } from "../../src/index.ts";
import { createApi } from "../../src/lifecycle/lifecycle.ts";

const group = "example.com";
const widgets = createApi({
  group,
  kind: "Widget",
  timeline: {
    v1beta1: { introduced: "1.30", deprecated: "1.31", removed: "1.34" },
    v1: { introduced: "1.31" },
  },
});
const gadgets = createApi({ group, kind: "Gadget", timeline: { v1: { introduced: "1.30" } } });

async function registered(cluster: Cluster): Promise<readonly KubeObject[]> {
  const { items } = await cluster.list("apiregistration.k8s.io/v1", "APIService");
  return items.filter((item) => item.metadata.name?.endsWith(`.${group}`));
}

const names = (services: readonly KubeObject[]) => services.map(({ metadata }) => metadata.name);

test("a declared group has APIServices as local groups have", async () => {
  await using cluster = createCluster({ release: "1.31", apis: [widgets, gadgets] });
  const services = await registered(cluster);
  expect(services).toMatchObject([
    {
      metadata: {
        name: "v1.example.com",
        labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" },
      },
      spec: { group, version: "v1", groupPriorityMinimum: 1000, versionPriority: 101 },
      status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] },
    },
    { metadata: { name: "v1beta1.example.com" }, spec: { groupPriorityMinimum: 1000, versionPriority: 101 } },
  ]);
  expect(services[0]?.spec).not.toHaveProperty("service");
});

test("upgrades add and remove the APIServices of a declared group", async () => {
  await using cluster = createCluster({ release: "1.29", apis: [widgets] });
  const seen = [names(await registered(cluster))];
  for (const release of ["1.30", "1.31", "1.32", "1.33", "1.34"]) {
    await cluster.upgrade(release);
    seen.push(names(await registered(cluster)));
  }
  const both = ["v1.example.com", "v1beta1.example.com"];
  expect(seen).toEqual([[], ["v1beta1.example.com"], both, both, both, ["v1.example.com"]]);
  await cluster.downgrade("1.33");
  expect(names(await registered(cluster))).toEqual(both);
});

test("a declared group keeps its preferred version beside APIs of other servers", async () => {
  await using cluster = createCluster({ release: "1.31", apis: [widgets] });
  await cluster.apiServer("v1.other.example.com", () => Response.json({ kind: "APIResourceList" }));
  const document = await (await cluster.fetch(`https://cluster.test/apis/${group}`)).json();
  expect(document).toMatchObject({
    preferredVersion: { version: "v1beta1" },
    versions: [{ version: "v1beta1" }, { version: "v1" }],
  });
  const listed = await cluster.fetch(`https://cluster.test/apis/${group}/v1/namespaces/default/widgets`);
  expect(listed.status).toBe(200);
});

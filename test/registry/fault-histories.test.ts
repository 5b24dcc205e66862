import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { parseQuantity } from "../../src/apimachinery/quantity.ts";
import { FailingCluster, smallConfig, type Write } from "./failing-cluster.ts";

const core = "/api/v1/namespaces/default";
const hard = { services: "9", pods: "9", "requests.cpu": "9", configmaps: "9" };

/** Few names, so that many requests conflict. */
const name = fc.constantFrom("a", "b", "c");
const serviceType = fc.constantFrom("ClusterIP", "NodePort", "LoadBalancer");
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ name, type: serviceType, query: fc.constantFrom("", "?dryRun=All") }).map((service) => ({
    method: "POST",
    path: `${core}/services${service.query}`,
    body: { metadata: { name: service.name }, spec: { type: service.type, ports: [{ port: 80 }] } },
  })),
  fc.record({ name, type: serviceType }).map((service) => ({
    method: "PATCH",
    path: `${core}/services/${service.name}`,
    body: { spec: { type: service.type } },
    type: "application/merge-patch+json",
  })),
  fc.record({ name, cpu: fc.constantFrom("100m", "1", "20") }).map((pod) => ({
    method: "POST",
    path: `${core}/pods`,
    body: {
      metadata: { name: pod.name },
      spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: pod.cpu } } }] },
    },
  })),
  name.map((configMap) => ({
    method: "POST",
    path: `${core}/configmaps`,
    body: { metadata: { name: configMap } },
  })),
  fc.record({ resource: fc.constantFrom("services", "pods", "configmaps"), name }).map((object) => ({
    method: "DELETE",
    path: `${core}/${object.resource}/${object.name}?gracePeriodSeconds=0`,
  })),
);
const history = fc.array(fc.record({ write, failing: fc.option(fc.nat(120), { nil: undefined }) }), {
  minLength: 1,
  maxLength: 15,
});

/** A cluster with a service account and a quota that its controller updates. */
async function started(): Promise<readonly [FailingCluster, VirtualClock]> {
  const clock = new VirtualClock(Date.parse("2026-01-01T00:00:00Z"));
  const cluster = new FailingCluster(smallConfig({ clock, controllers: ["resourcequota-controller"] }));
  const post = (resource: string, body: object) =>
    cluster.ask({ method: "POST", path: `${core}/${resource}`, body });
  await post("serviceaccounts", { metadata: { name: "default" } });
  await post("resourcequotas", { metadata: { name: "q" }, spec: { hard } });
  await cluster.cluster.settle();
  return [cluster, clock];
}

async function list(cluster: FailingCluster, resource: string) {
  return (await cluster.ask({ method: "GET", path: `${core}/${resource}` })).object.items;
}

/** How many more services of a type can be created. */
async function roomFor(cluster: FailingCluster, type: string): Promise<number> {
  for (let more = 0; ; more += 1) {
    const body = { metadata: { name: `more-${more}` }, spec: { type, ports: [{ port: 80 }] } };
    const { code, object } = await cluster.ask({ method: "POST", path: `${core}/services`, body });
    if (code !== 201) {
      expect(object.message).toMatch(/range is full$/);
      for (let i = 0; i < more; i += 1) {
        await cluster.ask({ method: "DELETE", path: `${core}/services/more-${i}` });
      }
      return more;
    }
  }
}

interface Service {
  readonly spec: { readonly clusterIP?: string; readonly ports: readonly { readonly nodePort?: number }[] };
}

interface Pod {
  readonly spec: {
    readonly containers: readonly [{ readonly resources: { readonly requests: { readonly cpu: string } } }];
  };
}

test("whatever fails whenever, quotas, addresses and ports are counted right in the end", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const [cluster, clock] = await started();
      for (const { write: asked, failing } of steps) {
        await cluster.ask(asked, failing);
        await cluster.cluster.settle();
      }
      // Controllers retry what failed.
      await clock.advance("1h");
      await cluster.cluster.settle();

      const services: readonly Service[] = await list(cluster, "services");
      const pods: readonly Pod[] = await list(cluster, "pods");
      const cpu = pods.map(({ spec }) => parseQuantity(spec.containers[0].resources.requests.cpu));
      const [quota] = await list(cluster, "resourcequotas");
      expect(quota.status.used).toEqual({
        services: String(services.length),
        pods: String(pods.length),
        configmaps: String((await list(cluster, "configmaps")).length),
        "requests.cpu": String(cpu.reduce((sum, one) => sum.add(one), parseQuantity("0"))),
      });

      const ips = services.map(({ spec }) => spec.clusterIP).filter((ip) => ip !== undefined);
      const ports = services.flatMap(({ spec }) => spec.ports.flatMap(({ nodePort }) => nodePort ?? []));
      expect([new Set(ips).size, new Set(ports).size]).toEqual([ips.length, ports.length]);
      const freeIps = await roomFor(cluster, "ClusterIP");
      // The service `kubernetes` has one of the addresses.
      expect(freeIps).toBe(6 - ips.length);
      expect(await roomFor(cluster, "NodePort")).toBe(Math.min(freeIps, 3 - ports.length));
    }),
    { numRuns: 30 },
  );
});

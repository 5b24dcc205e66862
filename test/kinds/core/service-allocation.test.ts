import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cluster } from "../../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const services = "/api/v1/namespaces/default/services";
/** Six addresses and four ports, so that they run out. */
const small = { serviceClusterIpRange: "10.0.0.0/28", serviceNodePortRange: "30000-30003", seed: 1 };

interface Taken {
  readonly name: string;
  readonly ip: string;
  readonly ports: readonly number[];
}

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly type: string;
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly nodePort?: number }[];
    readonly healthCheckNodePort?: number;
  };
}

async function takenBy(send: SendRequest): Promise<readonly Taken[]> {
  const { object } = await send("GET", "/api/v1/services");
  return object.items.map(({ metadata, spec }: Service) => ({
    name: metadata.name,
    ip: spec.clusterIP ?? "",
    ports: portsOf(spec).filter((port) => port !== undefined),
  }));
}

/** A service of another type may request node ports as well, but does not get them. */
function portsOf({
  type,
  ports = [],
  healthCheckNodePort,
}: Service["spec"]): readonly (number | undefined)[] {
  if (type !== "NodePort" && type !== "LoadBalancer") return [];
  return [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort];
}

function expectNobodyShares(all: readonly Taken[]): void {
  const ips = all.map(({ ip }) => ip).filter((ip) => ip !== "" && ip !== "None");
  const ports = all.flatMap((service) => [...new Set(service.ports)]);
  expect(new Set(ips).size).toBe(ips.length);
  expect(new Set(ports).size).toBe(ports.length);
}

/** Whatever the history, a named address or port is refused exactly when a stored service has it. */
async function expectStoreTells(send: SendRequest): Promise<void> {
  const all = await takenBy(send);
  const ips = new Set(all.map(({ ip }) => ip));
  for (let number = 1; number <= 14; number += 1) {
    const clusterIP = `10.0.0.${number}`;
    const { code } = await send("POST", services, service("probe", { clusterIP }));
    expect([clusterIP, code]).toEqual([clusterIP, ips.has(clusterIP) ? 422 : 201]);
    if (code === 201) await send("DELETE", `${services}/probe`);
  }
  if (ips.size >= 14) return;
  const ports = new Set(all.flatMap((each) => each.ports));
  for (let nodePort = 30_000; nodePort <= 30_003; nodePort += 1) {
    const spec = { type: "NodePort", ports: [{ port: 80, nodePort }] };
    const { code } = await send("POST", services, service("probe", spec));
    expect([nodePort, code]).toEqual([nodePort, ports.has(nodePort) ? 422 : 201]);
    if (code === 201) await send("DELETE", `${services}/probe`);
  }
}

function service(name: string, spec: object): object {
  return { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

const name = fc.constantFrom("a", "b", "c", "d", "e");
const spec = fc.record(
  {
    type: fc.constantFrom("ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Wrong"),
    externalName: fc.constantFrom("x.y", ""),
    clusterIP: fc.constantFrom("", "None", "10.0.0.3", "10.0.0.99"),
    externalTrafficPolicy: fc.constantFrom("Cluster", "Local"),
    ports: fc.array(
      fc.record(
        {
          name: fc.constantFrom("p", "q"),
          port: fc.constantFrom(80, 81, 0),
          nodePort: fc.constantFrom(30_001, 80),
          protocol: fc.constantFrom("TCP", "UDP"),
        },
        { requiredKeys: ["port"] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: ["type"] },
);

const step = fc.oneof(
  fc.record({ do: fc.constant("create" as const), name, spec, dryRun: fc.boolean() }),
  fc.record({ do: fc.constant("replace" as const), name, spec, dryRun: fc.boolean() }),
  fc.record({ do: fc.constant("patch" as const), name, spec, dryRun: fc.boolean() }),
  fc.record({ do: fc.constant("delete" as const), name, dryRun: fc.boolean() }),
  fc.record({ do: fc.constant("status" as const), name }),
  fc.record({ do: fc.constant("save" as const) }),
  fc.record({ do: fc.constant("restore" as const) }),
  fc.record({ do: fc.constant("fork" as const) }),
  fc.record({ do: fc.constant("race" as const), spec }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class History {
  #cluster: Cluster = quietCluster(small);
  #send: SendRequest = testClient(this.#cluster);
  #saved = this.#cluster.snapshot();

  get send(): SendRequest {
    return this.#send;
  }

  async take(step: Step): Promise<void> {
    const query = "dryRun" in step && step.dryRun ? "?dryRun=All" : "";
    switch (step.do) {
      case "create":
        await this.#send("POST", services + query, service(step.name, step.spec));
        return;
      case "replace":
        await this.#send("PUT", `${services}/${step.name}${query}`, service(step.name, step.spec));
        return;
      case "patch":
        await this.#send("PATCH", `${services}/${step.name}${query}`, { spec: step.spec });
        return;
      case "delete":
        await this.#send("DELETE", `${services}/${step.name}${query}`);
        return;
      case "status":
        await this.#send("PATCH", `${services}/${step.name}/status`, { status: { conditions: [] } });
        return;
      case "save":
        this.#saved = this.#cluster.snapshot();
        return;
      case "restore":
        this.#cluster.restore(this.#saved);
        return;
      case "fork":
        this.#cluster = this.#cluster.fork();
        this.#send = testClient(this.#cluster);
        return;
      case "race":
        await Promise.all(
          ["x", "y", "z"].map((name) => this.#send("POST", services, service(name, step.spec))),
        );
    }
  }
}

const sharedByName: Step = {
  do: "race",
  spec: { type: "ExternalName", externalName: "x.y", ports: [{ port: 80, nodePort: 30_001 }] },
};

describe("the addresses and ports of services", () => {
  test("are unique at all times, and free again after their deletion", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const history = new History();
        for (const each of steps) await history.take(each);
        expectNobodyShares(await takenBy(history.send));
        await expectStoreTells(history.send);
      }),
      { numRuns: 40, examples: [[[sharedByName]]] },
    );
  }, 60_000);

  test("are the same for the same seed", async () => {
    const ips = async () => {
      const { object } = await testClient(quietCluster({ seed: 7 }))("POST", services, service("a", {}));
      return object.spec.clusterIP;
    };
    expect(await ips()).toBe(await ips());
  });

  test("run out", async () => {
    const send = testClient(quietCluster(small));
    const answers = [];
    for (let i = 0; i < 15; i += 1) answers.push(await send("POST", services, service(`s${i}`, {})));
    expect(answers.filter(({ code }) => code === 201).length).toBe(13);
    expect(answers.at(-1)?.object.message).toBe(
      "Internal error occurred: failed to allocate a serviceIP: range is full",
    );
  });

  test("are in the lower part of the range only on request", async () => {
    const send = testClient(quietCluster());
    for (let i = 0; i < 20; i += 1) {
      const { object } = await send("POST", services, service(`s${i}`, { type: "NodePort" }));
      const [, , third = 0, fourth = 0] = object.spec.clusterIP.split(".").map(Number);
      expect(object.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30_086);
      expect(object.spec.clusterIP.startsWith("10.96.0.") && third === 0 && fourth <= 256).toBe(false);
    }
  });
});

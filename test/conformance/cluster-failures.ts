import * as presets from "../../src/scenario/presets.ts";
import type { Failure } from "./failure.ts";
import type { FailureWorld } from "./failure-world.ts";

const json = [["content-type", "application/json"]] as const;
const pods = "/api/v1/namespaces/default/pods";
const node = "/api/v1/nodes/node-1";
const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "c", image: "nginx" }] },
};
const posting = (object: object) => ({
  method: "POST",
  headers: json,
  body: Buffer.from(JSON.stringify(object)),
});
const eviction = posting({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } });

/** A request during the failure, and after it. */
function asking(scenario: () => presets.Scenario, path: string, sent: Parameters<FailureWorld["ask"]>[1]) {
  return async (world: FailureWorld): Promise<readonly string[]> => {
    if (path !== pods) await world.cluster.create(pod);
    const fault = world.inject(scenario());
    await world.cluster.settle();
    const during = await world.ask(path, sent);
    fault.remove();
    await world.cluster.settle();
    return [during, await world.ask(path, sent)];
  };
}

/** The Ready condition of a node. */
async function readiness(world: FailureWorld): Promise<string> {
  await world.cluster.settle();
  const { status } = await world.read<{ status: { conditions: { type: string; status: string }[] } }>(node);
  return status.conditions.find(({ type }) => type === "Ready")?.status ?? "";
}

/** The failures of a simulated cluster itself, as a client sees them through any transport. */
export const clusterFailures = {
  drainBlocked: {
    simulated: true,
    what: "429: a PodDisruptionBudget allows no eviction",
    meet: asking(presets.drainBlocked, `${pods}/web/eviction`, eviction),
    expected: ["429 TooManyRequests", "201 Success"],
  },
  imageUnavailable: {
    simulated: true,
    what: "an image cannot be pulled",
    meet: async (world) => {
      world.inject(presets.imageUnavailable({ image: "nginx" }));
      await world.cluster.create(pod);
      await world.cluster.settle();
      const { status } = await world.read<{
        status: { containerStatuses: { state: { waiting: { reason: string } } }[] };
      }>(`${pods}/web`);
      return status.containerStatuses.map(({ state }) => state.waiting.reason);
    },
    expected: ["ImagePullBackOff"],
  },
  nodeClockSkew: {
    simulated: true,
    what: "the clock of a node is wrong, and so is its Lease",
    meet: async (world) => {
      world.inject(presets.nodeClockSkew({ node: "node-1", by: "-1h" }));
      await world.cluster.settle();
      const { spec } = await world.read<{ spec: { renewTime: string } }>(lease);
      const late = world.cluster.clock.now() - Date.parse(spec.renewTime);
      await world.cluster.clock.advance("55s");
      return [`${late / 60_000} minutes`, await readiness(world)];
    },
    expected: ["60 minutes", "Unknown"],
  },
  nodeDown: {
    simulated: true,
    what: "a node is lost: its kubelet is silent",
    meet: async (world) => {
      const fault = world.inject(presets.nodeDown({ node: "node-1" }));
      await world.cluster.settle();
      await world.cluster.clock.advance("50s");
      const during = await readiness(world);
      fault.remove();
      return [during, await readiness(world)];
    },
    expected: ["Unknown", "True"],
  },
  podWebhookDown: {
    simulated: true,
    what: "500: the server behind a webhook for pods is gone",
    meet: asking(presets.podWebhookDown, pods, posting(pod)),
    expected: ["500 InternalError", "201 Pod"],
  },
  quotaUsedUp: {
    simulated: true,
    what: "403: a quota allows no more pods, so that rollouts stop",
    meet: asking(presets.quotaUsedUp, pods, posting(pod)),
    expected: ["403 Forbidden", "201 Pod"],
  },
} as const satisfies { readonly [name: string]: Failure };

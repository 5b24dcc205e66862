import { describe, test } from "vitest";
import { serve } from "../../src/transports/node/serve.ts";
import type { ObservedCluster } from "../conformance/observed-cluster.ts";
import { tooOldFor } from "../transports/too-old-for.ts";
import type { ClientNode } from "./client-node-facts.ts";
import { informerSoak } from "./informer-soak.ts";

const onPort = async (cluster: ObservedCluster) => {
  const serving = await serve(cluster);
  return { kubeconfig: serving.kubeconfig(), close: () => serving.close() };
};

informerSoak("client-node 1 on the port", 10_000, () => import("client-node-1"), onPort);

const tooOld = tooOldFor("client-node 2", 24);
if (tooOld === undefined) {
  const load = async () => (await import("client-node-2")) as unknown as ClientNode;
  informerSoak("client-node 2 on the port", 10_000, load, onPort);
} else {
  describe("client-node 2 on the port", () => test.skip(tooOld, () => {}));
}

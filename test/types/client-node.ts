// The types of client-node need no casts, with either major version.
import type { V1Deployment, V1Pod } from "client-node-1";
import type { V1Pod as V1PodOfVersion2 } from "client-node-2";
import { createCluster } from "../../src/index.ts";

export async function clientNode(pod: V1Pod, pod2: V1PodOfVersion2): Promise<void> {
  const cluster = createCluster({ objects: [pod, pod2] });
  const created: V1Pod = await cluster.create(pod);
  const updated: V1PodOfVersion2 = await cluster.update(pod2);
  const applied: V1Pod = await cluster.apply<V1Pod>({ ...created, kind: "Pod" });
  const read = await cluster.get<V1Deployment>("apps/v1", "Deployment", updated.metadata?.name ?? "");
  const date: Date | undefined = read.metadata?.creationTimestamp;
  const phases = (await cluster.list<V1Pod>("v1", "Pod")).items.map(({ status }) => status?.phase);
  await cluster.load([created, applied, { date, phases }]);
}

import { type Cluster, createCluster } from "../../src/index.ts";

export type Labels = { readonly [key: string]: string };

/** A cluster whose scheduler runs, with Nodes that have these labels. Its clock stands, and no kubelet does anything. */
export async function clusterOf(nodes: { readonly [name: string]: Labels }, cpu = "4"): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, simulate: ["scheduler"], release: "1.33" });
  for (const [name, labels] of Object.entries(nodes)) {
    const capacity = { cpu, memory: "8Gi", pods: "10" };
    await cluster.addNode({ name, capacity, labels });
    await cluster.patch("v1", "Node", name, { spec: { taints: [] } });
  }
  return cluster;
}

export const container = { name: "web", image: "nginx" };

/** Creates a pod, and lets the scheduler do what it has to do. */
export async function create(
  cluster: Cluster,
  name: string,
  labels: Labels,
  spec: object = {},
): Promise<void> {
  const metadata = { name, namespace: "default", labels };
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { containers: [container], ...spec },
  });
  await cluster.settle();
}

/** The node of a pod in the namespace default. */
export async function nodeOf(cluster: Cluster, name: string): Promise<string | undefined> {
  return (await cluster.get("v1", "Pod", name)).spec?.nodeName;
}

/** What the condition PodScheduled says, without what preemption says. */
export async function obstacle(cluster: Cluster, name: string): Promise<string | undefined> {
  const { status } = await cluster.get("v1", "Pod", name);
  const message = status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
  return message?.replace(/ preemption: .*/, "");
}

/** A term about the pods with these labels, by a label of nodes. */
export const near = (topologyKey: string, matchLabels: Labels) => ({
  topologyKey,
  labelSelector: { matchLabels },
});

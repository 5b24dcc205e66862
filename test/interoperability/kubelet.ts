import { type Cluster, type KubeObject, StatusError } from "../../src/index.ts";

/** A running kubelet. */
export interface Kubelet {
  stop(): void;
}

/**
 * Does the work of kubelets for terminating pods: ends them immediately and reports it to the server. Reacts to watch
 * events.
 */
export async function startKubelet(cluster: Cluster): Promise<Kubelet> {
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const { body } = await cluster.fetch("https://cluster.test/api/v1/pods?watch=1", {
    headers,
    signal: stopping.signal,
  });
  if (body === null) throw new Error("a watch has no body");
  void endPods(cluster, body).catch(() => {
    // The watch was stopped.
  });
  return { stop: () => stopping.abort() };
}

async function endPods(cluster: Cluster, body: ReadableStream<Uint8Array>): Promise<void> {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) await endPod(cluster, JSON.parse(line));
  }
}

async function endPod(cluster: Cluster, event: { type: string; object: KubeObject }): Promise<void> {
  const { name = "", namespace = "", deletionTimestamp } = event.object.metadata;
  if (event.type !== "MODIFIED" || deletionTimestamp === undefined) return;
  try {
    await cluster.delete("v1", "Pod", name, { namespace, gracePeriodSeconds: 0 });
  } catch (error) {
    const hasGone = error instanceof StatusError && error.status.reason === "NotFound";
    if (!hasGone) throw error;
  }
}

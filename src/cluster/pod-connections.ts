import { listAt, textAt } from "../apimachinery/fields.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../kinds/core/node/simulated-node.ts";
import type { PodConnections } from "../registry/contract/pod-connections.ts";
import { scriptsFor } from "../streams/find-scripts.ts";
import type { PodScript } from "../webhooks/pod-script.ts";
import type { ServerOptions } from "./server-options.ts";

const nodes = { group: "", resource: "nodes" };

/** What answers for pods: scripts, and this process for simulated nodes. Its code is loaded with the first connection. */
export function podConnectionsOf(
  options: Pick<ServerOptions, "config" | "targets" | "store" | "closing">,
  lister: () => Lister,
): PodConnections {
  const { pods: scripts, addresses } = options.targets;
  const load = async () => (await import("./pod-answers.ts")).podAnswers(options, lister());
  const answers = (pod: KubeObject, type: PodScript["type"]) => {
    const node = lister().get(nodes, "", textAt(pod, "spec", "nodeName"));
    return node && isSimulatedNode(node) ? isReachable(node) : scriptsFor(scripts, pod, type).length > 0;
  };
  return {
    log: (target, query) =>
      answers(target.pod, "log") ? async (request) => (await load()).log(target, query, request) : undefined,
    exec: (target, query) =>
      answers(target.pod, "exec")
        ? async (request) => (await load()).exec(target, query, request)
        : undefined,
    attach: (target, query) =>
      answers(target.pod, "attach")
        ? async (request) => (await load()).attach(target, query, request)
        : undefined,
    portForward: (pod, query) =>
      answers(pod, "portForward")
        ? async (request) => (await load()).portForward(pod, query, request)
        : undefined,
    proxy: (target, to) => {
      const script = scriptsFor(scripts, target, "proxy").at(-1);
      return script && (async (request) => (await load()).proxy(script.run, to, request));
    },
    proxyToService: ({ metadata: { namespace, name } }, to) => {
      const address = addresses.get(`${namespace}/${name}`);
      return address && (async (request) => (await load()).proxyTo(address, to, request));
    },
  };
}

/** Nothing answers for a node whose kubelet is lost. */
function isReachable(node: KubeObject): boolean {
  return listAt(node, "status", "conditions").every(({ status }) => status !== "Unknown");
}

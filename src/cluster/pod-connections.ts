import { listAt, textAt } from "../apimachinery/fields.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../apimachinery/simulated-node.ts";
import type { Connection, PodConnections } from "../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../request/handler.ts";
import { scriptsFor } from "../streams/find-scripts.ts";
import type { PodScript } from "../webhooks/pod-script.ts";
import type { PodAnswers } from "./pod-answers.ts";
import type { ServerOptions } from "./server-options.ts";

const nodes = { group: "", resource: "nodes" };

/** What answers for pods: scripts, and this process for simulated nodes. Its code is loaded with the first connection. */
export function podConnectionsOf(
  options: Pick<ServerOptions, "config" | "targets" | "store" | "closing">,
  lister: () => Lister,
): PodConnections {
  const { pods: scripts, addresses } = options.targets;
  const load = async () => (await import("./pod-answers.ts")).podAnswers(options, lister());
  const connection = <Found>(
    found: Found | undefined,
    answer: (answers: PodAnswers, request: ApiRequest, found: Found) => ApiResponse | Promise<ApiResponse>,
  ): Connection | undefined => (found ? async (request) => answer(await load(), request, found) : undefined);
  const answers = (pod: KubeObject, type: PodScript["type"]) => {
    const node = lister().get(nodes, "", textAt(pod, "spec", "nodeName"));
    return node && isSimulatedNode(node) ? isReachable(node) : scriptsFor(scripts, pod, type).length > 0;
  };
  return {
    log: (target, query) =>
      connection(answers(target.pod, "log"), (all, request) => all.log(target, query, request)),
    exec: (target, query) =>
      connection(answers(target.pod, "exec"), (all, request) => all.exec(target, query, request)),
    attach: (target, query) =>
      connection(answers(target.pod, "attach"), (all, request) => all.attach(target, query, request)),
    portForward: (pod, query) =>
      connection(answers(pod, "portForward"), (all, request) => all.portForward(pod, query, request)),
    kubelet: (node) =>
      connection(isSimulatedNode(node) && isReachable(node), (all, request) => all.kubelet(node, request)),
    proxy: (target, to) =>
      connection(scriptsFor(scripts, target, "proxy").at(-1), (all, request, { run }) =>
        all.proxy(run, to, request),
      ),
    proxyToService: ({ metadata: { namespace, name } }, to) =>
      connection(addresses.get(`${namespace}/${name}`), (all, request, address) =>
        all.proxyTo(address, to, request),
      ),
  };
}

/** Nothing answers for a node whose kubelet is lost. */
function isReachable(node: KubeObject): boolean {
  return listAt(node, "status", "conditions").every(({ status }) => status !== "Unknown");
}

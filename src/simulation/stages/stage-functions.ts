import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { TemplateFunctions } from "../contract/played-stages.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import type { NodeNetworks } from "../nodes/node-networks.ts";
import type { StageMemory } from "./stage-memory.ts";

const nodes = { group: "", resource: "nodes" };
/** The port of kubelets. */
const kubeletPort = 10250n;

/** What templates ask of the cluster, about one object. */
export function stageFunctions(
  object: KubeObject,
  { lister, clock, release }: SimulationEnvironment,
  networks: NodeNetworks,
  memory: StageMemory,
): TemplateFunctions {
  const now = formatTime(clock.now());
  const ownNode = object.kind === "Node" ? (object.metadata.name ?? "") : textAt(object, "spec", "nodeName");
  const nodeAddress = (name: string) => {
    const node = lister.get(nodes, "", name);
    const own = listAt(node ?? {}, "status", "addresses").find(({ type }) => type === "InternalIP");
    return own === undefined ? networks.of(name).address : textAt(own, "address");
  };
  const podAddress = (node: string, usesHost: boolean) =>
    usesHost ? nodeAddress(node) : addressOf(object, node, networks, memory);
  return (name, [first, second]) => {
    const node = typeof first === "string" ? first : ownNode;
    if (name.endsWith("With") && typeof first !== "string")
      throw new Error(`${name}: invalid value; expected string`);
    switch (name) {
      case "Now":
      case "StartTime":
        return now;
      case "Version":
        return `v${release}.0`;
      case "NodeName":
        return ownNode;
      case "NodePort":
        return kubeletPort;
      case "NodeIP":
      case "NodeIPWith":
        return nodeAddress(node);
      case "NodeIPs":
      case "NodeIPsWith":
        return [nodeAddress(node)];
      case "PodIP":
      case "PodIPWith":
        return podAddress(node, second === true);
      default:
        return [podAddress(node, second === true)];
    }
  };
}

/** The address of a pod, which stays the same. @throws {Error} if its node has no more addresses */
function addressOf(
  { metadata: { namespace = "", name = "" }, ...pod }: KubeObject,
  node: string,
  networks: NodeNetworks,
  memory: StageMemory,
): string {
  const key = `${namespace}/${name}`;
  const reported = textAt(pod, "status", "podIP");
  const known = memory.addresses.get(key) ?? (reported === "" ? undefined : reported);
  const address = known ?? networks.allocate(node, key);
  if (address === undefined) throw new Error(`node ${node} has no more addresses for pods`);
  networks.occupy(address, key);
  memory.addresses.set(key, address);
  return address;
}

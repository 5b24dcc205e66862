import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableTable } from "../../store/forkable-table.ts";

/** The addresses of a node and of its pods. */
export interface NodeNetwork {
  /** The address of the node itself. */
  readonly address: string;
  /** The addresses of its pods, as `podCIDR` says. */
  readonly podCidr: string;
}

const networksPerByte = 256;
/** The second byte of the first network. */
const firstNetwork = 244;
/** Of the addresses in a /24, the first one names the network, the second is the gateway, and the last is for broadcasts. */
const firstPodAddress = 2;
const lastPodAddress = 254;

/** The networks of nodes: 10.244.N.0/24 for the pods of the Nth node, counted from 0, as in kind and with kubeadm and flannel. */
export class NodeNetworks implements Memory {
  #networks = new ForkableTable<NodeNetwork>();
  #allocated = 0;
  /** The pods that have an address, by address. */
  #taken = new ForkableTable<string>();
  /** The last byte of the address that was allocated last, by node. */
  #last = new ForkableTable<number>();

  fork(): this {
    const copy = new NodeNetworks();
    copy.#networks = this.#networks.fork();
    copy.#allocated = this.#allocated;
    copy.#taken = this.#taken.fork();
    copy.#last = this.#last.fork();
    // The class has no subclasses.
    return copy as this;
  }

  /** The network of a node, allocated with the first call. */
  of(node: string): NodeNetwork {
    const known = this.#networks.get(node);
    if (known !== undefined) return known;
    const network = networkAt(this.#allocated);
    this.#allocated += 1;
    this.#networks.set(node, network);
    return network;
  }

  /** Takes over the network that a node already has, from another server of the same objects. */
  adopt(node: string, network: NodeNetwork): void {
    if (this.#networks.has(node)) return;
    this.#networks.set(node, network);
    const [, high = 0, low = 0] = network.podCidr.split(".").map(Number);
    const index = (high - firstNetwork) * networksPerByte + low;
    this.#allocated = Math.max(this.#allocated, index + 1);
  }

  /** Notes that a pod has an address already. */
  occupy(address: string, pod: string): void {
    this.#taken.set(address, pod);
  }

  forget(node: string): void {
    this.#networks.delete(node);
    this.#last.delete(node);
  }

  /** The next free address of a node for a pod; undefined if all are taken. As the plugin host-local, it goes round. */
  allocate(node: string, pod: string): string | undefined {
    const prefix = this.of(node).podCidr.replace(/0\/24$/, "");
    let byte = this.#last.get(node) ?? firstPodAddress - 1;
    for (let tries = firstPodAddress; tries <= lastPodAddress; tries++) {
      byte = byte >= lastPodAddress ? firstPodAddress : byte + 1;
      const address = `${prefix}${byte}`;
      if (this.#taken.has(address)) continue;
      this.#taken.set(address, pod);
      this.#last.set(node, byte);
      return address;
    }
    return undefined;
  }

  /** Frees the address of a pod. */
  release(address: string): void {
    this.#taken.delete(address);
  }
}

function networkAt(index: number): NodeNetwork {
  const high = Math.floor(index / networksPerByte);
  const low = index % networksPerByte;
  const hosts = index + firstPodAddress;
  return {
    address: `172.18.${Math.floor(hosts / networksPerByte)}.${hosts % networksPerByte}`,
    podCidr: `10.${firstNetwork + high}.${low}.0/24`,
  };
}

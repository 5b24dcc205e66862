import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { KeySet } from "../../contract/key-set.ts";
import { nodes } from "../contract/core-resources.ts";
import { isOfKind } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

const annotation = "node.alpha.kubernetes.io/ttl";

/** How long kubelets may keep Secrets and ConfigMaps, by the number of nodes. The ranges overlap, so that the time does not go back and forth. */
const ranges: readonly { readonly least: number; readonly most: number; readonly seconds: number }[] = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 },
];

/** The nodes, and the range that their number is in. */
class NodeCount implements Memory {
  readonly #names: KeySet;
  #count: number;
  #range: number;

  constructor(names: KeySet = new KeySet(), count = 0, range = 0) {
    this.#names = names;
    this.#count = count;
    this.#range = range;
  }

  fork(): this {
    // The class has no subclasses.
    return new NodeCount(this.#names.fork(), this.#count, this.#range) as this;
  }

  get seconds(): number {
    return ranges[this.#range]?.seconds ?? 0;
  }

  add(name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#count += 1;
    if (this.#count > (ranges[this.#range]?.most ?? 0)) this.#range += 1;
  }

  delete(name: string): void {
    if (!this.#names.has(name)) return;
    this.#names.delete(name);
    this.#count -= 1;
    if (this.#count < (ranges[this.#range]?.least ?? 0)) this.#range -= 1;
  }
}

/**
 * Annotates nodes with the time for which their kubelets may keep Secrets and ConfigMaps; a node gets another time when it next changes.
 * Upstream: pkg/controller/ttl.
 */
export function ttlController({ memory, lister, client }: WorkloadEnvironment): Controller {
  const count = memory.part("workloads/ttl", () => new NodeCount());
  return {
    name: "ttl-controller",
    kinds: ["Node"],
    observe: ({ type, object }) => {
      if (!isOfKind(object, nodes)) return [];
      const { name = "" } = object.metadata;
      if (type === "put") count.add(name);
      else count.delete(name);
      return type === "put" ? [name] : [];
    },
    reconcile: async (name) => {
      const node = lister.get(nodes, "", name);
      const { seconds } = count;
      if (node === undefined || isNumber(node.metadata.annotations?.[annotation], seconds)) return;
      const patch = { metadata: { annotations: { [annotation]: String(seconds) } } };
      await client.patch("v1", "Node", name, patch, { type: "strategic" }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

/** Whether a text is this number, as Go reads it. */
function isNumber(text: string | undefined, number: number): boolean {
  return text !== undefined && /^[+-]?\d+$/.test(text) && Number(text) === number;
}

import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { isOverloaded, zoneShares } from "./zone-capacity.ts";

interface Hinted {
  readonly service: string;
  /** How many endpoints serve each zone. */
  readonly zones: ReadonlyMap<string, number>;
}

/** The services whose endpoints have hints that follow the CPUs of zones. Upstream: `TopologyCache` (staging/src/k8s.io/endpointslice/topologycache). */
export class HintedServices implements Memory {
  /** By service and family. */
  readonly #hinted: ForkableMap<Hinted>;

  constructor(hinted: ForkableMap<Hinted> = new ForkableMap()) {
    this.#hinted = hinted;
  }

  fork(): this {
    // The class has no subclasses.
    return new HintedServices(this.#hinted.fork()) as this;
  }

  has(service: string): boolean {
    return this.#hinted.values(`${service}/`).length > 0;
  }

  set(service: string, family: string, zones: ReadonlyMap<string, number>): void {
    this.#hinted.set(`${service}/${family}`, { service, zones });
  }

  delete(service: string, family: string): void {
    this.#hinted.delete(`${service}/${family}`);
  }

  /** The services that have too few endpoints for a zone. */
  overloaded(nodes: () => readonly KubeObject[]): readonly string[] {
    const all = this.#hinted.values("");
    if (all.length === 0) return [];
    const shares = zoneShares(nodes());
    return all.filter(({ zones }) => isOverloaded(zones, shares)).map(({ service }) => service);
  }
}

import { numberAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";
import { keyOf } from "../contract/object-key.ts";

export const managedByLabel = "endpointslice.kubernetes.io/managed-by";
export const serviceNameLabel = "kubernetes.io/service-name";

/**
 * The slices that a controller manages, by their service, and the generations that it has written: another one is the work of another
 * client. Upstream: `EndpointSliceTracker` (staging/src/k8s.io/endpointslice/util).
 */
export class TrackedSlices implements Memory {
  readonly #manager: string;
  /** By service and slice. */
  readonly #slices: ForkableMap<KubeObject>;
  /** The keys of services, by the keys of their slices. */
  readonly #services: ForkableTable<string>;
  /** By uid. */
  readonly #generations: ForkableTable<number>;

  /** `manager` is the label of the slices. */
  constructor(
    manager: string,
    slices: ForkableMap<KubeObject> = new ForkableMap(),
    services: ForkableTable<string> = new ForkableTable(),
    generations: ForkableTable<number> = new ForkableTable(),
  ) {
    this.#manager = manager;
    this.#slices = slices;
    this.#services = services;
    this.#generations = generations;
  }

  fork(): this {
    const parts = [this.#slices.fork(), this.#services.fork(), this.#generations.fork()] as const;
    // The class has no subclasses.
    return new TrackedSlices(this.#manager, ...parts) as this;
  }

  /** Takes in a change of a slice. Returns the services whose slices another client has changed. */
  take({ type, object }: ObjectChange): readonly string[] {
    const key = keyOf(object);
    const former = this.#services.get(key);
    const service = type === "put" ? this.#serviceOf(object) : undefined;
    if (former !== undefined && former !== service) {
      this.#slices.delete(`${former}/${key}`);
      this.#services.delete(key);
    }
    if (service === undefined) {
      this.#generations.delete(object.metadata.uid ?? "");
      return former === undefined ? [] : [former];
    }
    this.#slices.set(`${service}/${key}`, object);
    this.#services.set(key, service);
    const isMoved = former !== undefined && former !== service;
    if (isMoved) return [former, service];
    return this.#isWritten(object) ? [] : [service];
  }

  /** The slices of a service, in the order of their keys. */
  of(service: string): readonly KubeObject[] {
    return this.#slices.values(`${service}/`);
  }

  /** Remembers what the controller has written. */
  expect(slice: KubeObject): void {
    this.#generations.set(slice.metadata.uid ?? "", generationOf(slice));
  }

  #serviceOf({ metadata: { namespace = "", labels } }: KubeObject): string | undefined {
    if (labels?.[managedByLabel] !== this.#manager) return undefined;
    return `${namespace}/${labels[serviceNameLabel] ?? ""}`;
  }

  #isWritten(slice: KubeObject): boolean {
    const written = this.#generations.get(slice.metadata.uid ?? "");
    return written !== undefined && generationOf(slice) <= written;
  }
}

function generationOf(slice: KubeObject): number {
  return numberAt(slice, "metadata", "generation");
}

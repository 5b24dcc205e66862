import { textAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Aggregation, Aggregator } from "../endpoints/contract/environment.ts";
import { automanagedLabel, isAsRegistered } from "../kinds/apiregistration/api-service/registration.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import type { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { ApiServerOutages } from "./api-server-outages.ts";
import { declaredApiServiceObjects, registeredVersions } from "./api-service-seeds.ts";
import type { ControllerAccess } from "./controllers-for.ts";
import type { AggregatorOptions, FollowingAggregator } from "./load-aggregator.ts";
import type { Config } from "./options.ts";
import type { ServedState } from "./served-state.ts";

const prefix = "/registry/apiregistration.k8s.io/apiservices/";

/** What following the APIServices of a server takes. */
interface ApiServicesOptions extends Pick<AggregatorOptions, "store" | "closing"> {
  readonly config: Config;
  readonly targets: OutgoingTargets;
  readonly outages: ApiServerOutages;
}

/** Follows the APIServices. What other servers need is loaded with the first that names one. */
export function apiServicesOf(
  { config, store, targets, outages, closing }: ApiServicesOptions,
  { registry: lister, served }: Pick<ServedState, "registry" | "served">,
  { serverClient: client, workQueueMetrics }: Pick<ControllerAccess, "serverClient" | "workQueueMetrics">,
): ApiServices {
  const { catalog, apis, clock, featureGates, proxyCertificate: certificate } = config;
  const { since } = featureGates;
  const load = async () => {
    const { createAggregator } = await import("./load-aggregator.ts");
    const environment = { lister, client, served, clock, since, targets, outages, certificate };
    return createAggregator({ ...environment, store, workQueueMetrics, closing });
  };
  const registered = registeredVersions(catalog).length + declaredApiServiceObjects(catalog, apis).length;
  return new ApiServices(store, registered, load, closing);
}

/** Follows the APIServices in a store, and loads the aggregator when one is not as the server registers it. */
export class ApiServices implements Aggregation {
  readonly #store: Store<KubeObject>;
  readonly #registered: number;
  readonly #load: () => Promise<FollowingAggregator>;
  readonly #closing: AbortSignal;
  #feed: WatchFeed<KubeObject> | undefined;
  #loading: Promise<void> | undefined;
  #aggregator: FollowingAggregator | undefined;

  /** `registered` is how many APIServices the server registers for built-in and declared versions. */
  constructor(
    store: Store<KubeObject>,
    registered: number,
    load: () => Promise<FollowingAggregator>,
    closing: AbortSignal,
  ) {
    this.#store = store;
    this.#registered = registered;
    this.#load = load;
    this.#closing = closing;
    closing.addEventListener("abort", () => this.#feed?.close(), { once: true });
    this.#follow();
  }

  get aggregator(): Aggregator | undefined {
    return this.#aggregator;
  }

  /** Resolves when the aggregator is loaded; undefined if it is, or is not needed. */
  get loading(): Promise<void> | undefined {
    return this.#loading;
  }

  async settle(): Promise<void> {
    await this.#loading;
    await this.#aggregator?.settle();
  }

  #follow(): void {
    if (this.#closing.aborted) return;
    const feed = this.#store.watch({ prefix, from: this.#store.revision });
    this.#feed = feed;
    feed.onReady(() => {
      feed.drain();
      // A restored snapshot ends it.
      if (feed.ended) this.#follow();
      else this.#read();
    });
    this.#read();
  }

  #read(): void {
    if (this.#closing.aborted) return;
    const stored = this.#store.range({ prefix }).items;
    const apiServices = stored.filter(({ corrupt }) => !corrupt).map(({ value }) => value);
    this.#aggregator?.follow(apiServices);
    if (this.#aggregator !== undefined || this.#loading !== undefined || this.#isUsual(apiServices)) return;
    this.#loading = this.#load().then((aggregator) => {
      this.#aggregator = aggregator;
      this.#loading = undefined;
      this.#read();
    });
    // Requests wait for it and report the failure.
    this.#loading.catch(() => {});
  }

  #isUsual(apiServices: readonly KubeObject[]): boolean {
    const isOnStart = (apiService: KubeObject) =>
      textAt(apiService, "metadata", "labels", automanagedLabel) === "onstart";
    return apiServices.every(isAsRegistered) && apiServices.filter(isOnStart).length === this.#registered;
  }
}

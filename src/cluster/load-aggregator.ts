import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import { apiServiceAvailability } from "../controllers/api-services/api-service-availability.ts";
import type { ControllerClient } from "../controllers/contract/controller.ts";
import { ControllerManager } from "../controllers/controller-manager.ts";
import { aggregatorOf } from "../endpoints/aggregated/aggregator.ts";
import type { ProxyCertificate } from "../endpoints/aggregated/https-server.ts";
import { RemoteApis } from "../endpoints/aggregated/remote-apis.ts";
import type { Aggregator } from "../endpoints/contract/environment.ts";
import type { WorkQueueMetrics } from "../endpoints/contract/work-queue-metrics.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { ApiServerOutages } from "./api-server-outages.ts";

/** The parts of an aggregator that follow the APIServices. */
export interface FollowingAggregator extends Aggregator {
  /** Reads the APIServices, which have changed. */
  readonly follow: (apiServices: readonly KubeObject[]) => void;
  /** Resolves when every server behind an APIService has been asked whether it answers. */
  readonly settle: () => Promise<void>;
}

/** What an aggregator depends on. */
export interface AggregatorOptions {
  readonly store: Store<KubeObject>;
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: ServedApi;
  readonly clock: Clock;
  readonly since: Since;
  readonly targets: OutgoingTargets;
  readonly outages: ApiServerOutages;
  readonly certificate: ProxyCertificate | undefined;
  readonly workQueueMetrics: WorkQueueMetrics;
  readonly closing: AbortSignal;
}

/** The aggregator, with the controller that asks other servers whether they answer. It runs whatever controllers the cluster has. */
export function createAggregator(options: AggregatorOptions): FollowingAggregator {
  const { lister, client, clock, since, targets, outages, certificate, closing } = options;
  const apis = new RemoteApis({ lister, clock, targets, outages, certificate });
  const unavailable = new Map<string, number>();
  const changed = new Set<string>();
  const availability = apiServiceAvailability({
    lister,
    client,
    apis,
    clock,
    readsSlices: since("1.34"),
    queue: since("1.31") ? "RemoteAvailabilityController" : "AvailableConditionController",
    becameUnavailable: (name, reason) => {
      const labels = `name="${name}",reason="${reason}"`;
      unavailable.set(labels, (unavailable.get(labels) ?? 0) + 1);
    },
  });
  const takeChanged = () => {
    const names = [...changed];
    changed.clear();
    return names;
  };
  const controllers = () => [{ ...availability, observePublication: takeChanged }];
  const namesIn = (group: string) =>
    apis.versions.flatMap((version) => (version.group === group ? [version.name] : []));
  const manager = new ControllerManager({ ...options, controllers });
  const look = (names: readonly string[]) => {
    for (const name of names) changed.add(name);
    if (names.length > 0) manager.observePublication();
  };
  outages.onChange((name) => look([name]));
  targets.apiServers.onChange((name) => look([name]));
  // The resources of an API of metrics are the metrics.
  targets.metrics.onChange((group) => look(namesIn(group)));
  targets.addresses.onChange((service) => look(apis.namesAt(service)));
  closing.addEventListener("abort", () => manager.stop(), { once: true });
  let isStarted = false;
  return {
    ...aggregatorOf(apis),
    unavailable,
    follow: (apiServices) => {
      apis.follow(apiServices);
      if (isStarted || closing.aborted) return;
      isStarted = true;
      manager.start();
    },
    settle: () => manager.settle(),
  };
}

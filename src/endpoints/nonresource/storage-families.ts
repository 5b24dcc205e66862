import {
  formatGroupResource,
  type GroupResource,
  type GroupVersionResource,
} from "../../apimachinery/group-version.ts";
import type { Since } from "../../apimachinery/release.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";

const help = "Number of stored objects at the time of last check split by kind.";
const currentHelp = `${help} In case of a fetching error, the value will be -1.`;
const replacedHelp = `[DEPRECATED, consider using apiserver_resource_objects instead] ${currentHelp}`;

/** The metrics of storage. Upstream: apiserver, pkg/storage/etcd3/metrics/metrics.go. */
export function storageFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { since } = environment.gates;
  const counts = storedObjects(environment);
  const samples = new Map(
    counts.map(([resource, count]) => [`resource="${formatGroupResource(resource)}"`, count]),
  );
  return [
    {
      name: "apiserver_resource_objects",
      type: "gauge",
      help: currentHelp,
      samples: new Map(counts.map(([resource, count]) => [groupAndResource(resource), count])),
    },
    {
      name: "apiserver_storage_events_received_total",
      type: "counter",
      help: "Number of etcd events received split by kind.",
      samples: receivedEvents(
        environment,
        counts.map(([resource]) => resource),
      ),
    },
    {
      name: "apiserver_storage_objects",
      type: "gauge",
      help: objectsHelp(since),
      samples,
    },
    {
      name: "apiserver_storage_size_bytes",
      type: "gauge",
      help: "Size of the storage database file physically allocated in bytes.",
      samples: new Map([[`storage_cluster_id="etcd-0"`, storedBytes(environment.store)]]),
    },
    {
      name: "etcd_object_counts",
      type: "gauge",
      help: since("1.21") ? `${help} This metric is replaced by apiserver_storage_object_counts.` : help,
      samples,
    },
  ];
}

/** Those that watch caches receive, so none of Events, which have no cache (pkg/registry/core/rest, storage_core.go). */
function receivedEvents(
  { served, store, metrics, gates: { since } }: EndpointEnvironment,
  resources: readonly GroupVersionResource[],
): Samples {
  if (!since("1.27")) return new Map();
  const view = served.current;
  const folders = resources
    .filter(({ resource }) => resource !== "events")
    .map((resource) => ({
      prefix: `${view.facts(resource).storagePrefix}/`,
      labels: since("1.34") ? groupAndResource(resource) : `resource="${formatGroupResource(resource)}"`,
    }));
  return metrics.storageEvents.count(store, folders);
}

function groupAndResource({ group, resource }: GroupResource): string {
  return `group="${group}",resource="${resource}"`;
}

function objectsHelp(since: Since): string {
  if (since("1.34")) return replacedHelp;
  return since("1.29") ? currentHelp : help;
}

/** How many objects stand for all of them. */
const measuredObjects = 100;

/** The size of the stored objects as JSON: an estimate by the first of them, so that it costs the same however many there are. */
function storedBytes(store: EndpointEnvironment["store"]): number {
  const prefix = "/registry/";
  const measured = store.range({ prefix, limit: measuredObjects }).items;
  if (measured.length === 0) return 0;
  let bytes = 0;
  for (const { value } of measured) bytes += encodeJson(value).length;
  return Math.round((bytes / measured.length) * store.count(prefix));
}

/** Resources that can be watched are stored. Those that several versions serve are stored once. */
function storedObjects({
  served,
  store,
}: EndpointEnvironment): readonly (readonly [GroupVersionResource, number])[] {
  const counts = new Map<string, readonly [GroupVersionResource, number]>();
  const view = served.current;
  for (const resource of view.groupVersions().flatMap((gv) => view.resources(gv))) {
    if (!resource.verbs.includes("watch")) continue;
    const { storagePrefix } = view.facts(resource);
    counts.set(formatGroupResource(resource), [resource, store.count(`${storagePrefix}/`)]);
  }
  return [...counts.values()];
}

import { formatGroupResource, type GroupResource } from "../../apimachinery/group-version.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";

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
      samples: new Map(
        counts.map(([{ group, resource }, count]) => [`group="${group}",resource="${resource}"`, count]),
      ),
    },
    {
      name: "apiserver_storage_objects",
      type: "gauge",
      help: objectsHelp(since),
      samples,
    },
    {
      name: "etcd_object_counts",
      type: "gauge",
      help: `${help} This metric is replaced by apiserver_storage_object_counts.`,
      samples,
    },
  ];
}

function objectsHelp(since: Since): string {
  if (since("1.34")) return replacedHelp;
  return since("1.27") ? currentHelp : help;
}

/** Resources that can be watched are stored. Those that several versions serve are stored once. */
function storedObjects({
  served,
  store,
}: EndpointEnvironment): readonly (readonly [GroupResource, number])[] {
  const counts = new Map<string, readonly [GroupResource, number]>();
  const view = served.current;
  for (const resource of view.groupVersions().flatMap((gv) => view.resources(gv))) {
    if (!resource.verbs.includes("watch")) continue;
    const { storagePrefix } = view.facts(resource);
    counts.set(formatGroupResource(resource), [resource, store.count(`${storagePrefix}/`)]);
  }
  return [...counts.values()];
}

import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import {
  builtinPriority,
  customResourcePriority,
  type GroupPriority,
  inPriorityOrder,
} from "../../catalog/group-priority.ts";
import type { DiscoveryGroup } from "../../served/discovery/discovery-group.ts";
import type { RegisteredVersion } from "./registered-version.ts";
import type { RemoteApis } from "./remote-apis.ts";

/** The group of APIServices themselves comes before all others. */
const ownGroup = "apiregistration.k8s.io";

/** A version in the aggregated document. */
interface VersionEntry {
  readonly group: string;
  readonly version: string;
  readonly priority: GroupPriority;
  readonly entry: JsonObject;
}

/**
 * The groups in `/apis`: that of APIServices, those with an APIService, and those of custom resources that will have one at once.
 * Upstream: handler_apis.go.
 */
export function registeredGroups(
  versions: readonly RegisteredVersion[],
  served: readonly DiscoveryGroup[],
): readonly DiscoveryGroup[] {
  const own = served.filter(({ name }) => name === ownGroup);
  const known = new Set(versions.map(({ group, version }) => `${group}/${version}`));
  const unregistered = served.flatMap(({ name: group, versions: all }) =>
    all
      .filter(({ version, ownKind }) => ownKind === "full" && !known.has(`${group}/${version}`))
      .map(({ version }) => ({
        name: `${version}.${group}`,
        group,
        version,
        priority: customResourcePriority,
      })),
  );
  const groups = new Map<string, string[]>();
  const listed = [...versions, ...unregistered].filter(({ group }) => group !== "" && group !== ownGroup);
  for (const { group, version } of inListOrder(listed)) {
    const of = groups.get(group) ?? [];
    groups.set(group, of);
    of.push(version);
  }
  return [...own, ...[...groups].map(([name, all]) => ({ name, versions: all.map(versionOf) }))];
}

type Listed = Pick<RegisteredVersion, "name" | "group" | "version" | "priority">;

/** Groups by their highest priority, then by the name of that APIService; versions as everywhere. */
function inListOrder(versions: readonly Listed[]): readonly Listed[] {
  const byGroup = [...versions].sort(
    (a, b) => b.priority.group - a.priority.group || compareText(a.name, b.name),
  );
  const order = [...new Set(byGroup.map(({ group }) => group))];
  const sorted = inPriorityOrder(versions);
  return order.flatMap((group) => sorted.filter((version) => version.group === group));
}

function versionOf(version: string): DiscoveryGroup["versions"][number] {
  return { version, resources: [], ownKind: "full", freshness: "Current" };
}

/** The aggregated document of `/apis` with the resources of other servers. Upstream: handler_discovery.go. */
export function withRemoteResources(document: JsonObject, apis: RemoteApis): JsonObject {
  const priorities = new Map(apis.versions.map((version) => [version.name, version.priority]));
  const items = listAt(document, "items");
  const entries = new Map<string, VersionEntry>();
  for (const item of items) {
    const group = textAt(item, "metadata", "name");
    for (const entry of listAt(item, "versions")) {
      const version = textAt(entry, "version");
      entries.set(`${version}.${group}`, { group, version, priority: priorityOf(group, version), entry });
    }
  }
  function priorityOf(group: string, version: string): GroupPriority {
    if (group === ownGroup) return { group: 20_001, version: 0 };
    const known = priorities.get(`${version}.${group}`) ?? builtinPriority({ group, version });
    return known ?? customResourcePriority;
  }
  for (const { name, group, version, priority } of apis.versions) {
    const remote = apis.remote({ group, version });
    if (remote === undefined || group === "") continue;
    const resources = apis.resources(remote);
    const freshness = resources === undefined || !remote.isAvailable ? "Stale" : "Current";
    const shown = resources !== undefined && resources.length > 0 ? { resources } : {};
    entries.set(name, { group, version, priority, entry: { version, ...shown, freshness } });
  }
  return { ...document, items: itemsOf(inPriorityOrder([...entries.values()]), items[0]) };
}

/** `pattern` shows what the metadata of a group has in this release besides its name. */
function itemsOf(entries: readonly VersionEntry[], pattern: JsonObject | undefined): readonly JsonObject[] {
  const { name: _, ...rest } = { ...(pattern?.["metadata"] as JsonObject | undefined) };
  const groups = new Map<string, JsonObject[]>();
  for (const { group, entry } of entries) {
    const of = groups.get(group) ?? [];
    groups.set(group, of);
    of.push(entry);
  }
  return [...groups].map(([name, versions]) => ({ metadata: { name, ...rest }, versions }));
}

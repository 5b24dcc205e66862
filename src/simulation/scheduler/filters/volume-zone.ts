import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Labels } from "../../../apimachinery/validation/label-requirement.ts";
import { type FilterPlugin, unresolvable } from "./filter.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };
const volumes = { group: "", resource: "persistentvolumes" };

/** The labels of zones and regions, each with its present name. */
const topologyLabels = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["topology.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["topology.kubernetes.io/region", "topology.kubernetes.io/region"],
]);

/** A label of a volume, and the values that a node may have for it. */
interface Topology {
  readonly label: string;
  readonly values: ReadonlySet<string>;
}

/**
 * A node with zones must be in those that the labels of bound volumes name. Upstream: plugins/volumezone; until 1.26 it looked at a missing
 * volume only after the filter for bound ones.
 */
export const volumeZone: FilterPlugin = ({ spec, namespace }, { lister, gates }) => {
  const topologies: Topology[] = [];
  for (const volume of listAt(spec, "volumes")) {
    const claim = lister.get(claims, namespace, textAt(volume, "persistentVolumeClaim", "claimName"));
    const name = textAt(claim ?? {}, "spec", "volumeName");
    if (name === "") continue;
    const bound = lister.get(volumes, "", name);
    if (bound === undefined && gates.since("1.27")) return `persistentvolume "${name}" not found`;
    if (bound !== undefined) topologies.push(...topologiesOf(bound));
  }
  if (topologies.length === 0) return undefined;
  return ({ labels }) => {
    if (![...topologyLabels.keys()].some((label) => labels[label] !== undefined)) return undefined;
    const fits = topologies.every(({ label, values }) => values.has(zoneOf(labels, label) ?? ""));
    return fits ? undefined : unresolvable("node(s) had no available volume zone");
  };
};

function zoneOf(labels: Labels, label: string): string | undefined {
  return labels[label] ?? labels[topologyLabels.get(label) ?? ""];
}

/** A label may name several zones: `a__b`. One with an empty zone counts for nothing. */
function topologiesOf({ metadata: { labels = {} } }: KubeObject): readonly Topology[] {
  return [...topologyLabels.keys()].flatMap((label) => {
    const values = labels[label]?.split("__").map((value) => value.trim()) ?? [""];
    return values.includes("") ? [] : [{ label, values: new Set(values) }];
  });
}

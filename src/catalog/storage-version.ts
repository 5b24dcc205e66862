import type { GroupResource, GroupVersion } from "../apimachinery/group-version.ts";
import type { Release } from "./api-resource.ts";
import { builtinPriority, inPriorityOrder } from "./group-priority.ts";
import { minorOf, supportedReleases } from "./release.ts";
import { versionsOf } from "./served-versions.ts";

/** Resources that share the storage of another group. */
const cohabitants: readonly (readonly [from: GroupResource, to: GroupResource])[] = [
  [
    { group: "events.k8s.io", resource: "events" },
    { group: "", resource: "events" },
  ],
  [
    { group: "extensions", resource: "replicationcontrollers" },
    { group: "", resource: "replicationcontrollers" },
  ],
  ...["daemonsets", "deployments", "replicasets"].map(
    (resource) =>
      [
        { group: "extensions", resource },
        { group: "apps", resource },
      ] as const,
  ),
  ...["ingresses", "networkpolicies"].map(
    (resource) =>
      [
        { group: "extensions", resource },
        { group: "networking.k8s.io", resource },
      ] as const,
  ),
  [
    { group: "extensions", resource: "podsecuritypolicies" },
    { group: "policy", resource: "podsecuritypolicies" },
  ],
];

/** The resource under whose name objects of this one are stored; itself, but for the few that live in two groups. */
export function storedAs(gr: GroupResource): GroupResource {
  const pair = cohabitants.find(([from]) => from.group === gr.group && from.resource === gr.resource);
  return pair === undefined ? gr : pair[1];
}

/**
 * The version a release stores a built-in resource in: the preferred one among those that the release before
 * already had, so that a downgrade can read it; undefined when the release has no such resource.
 */
export function storageVersion(gr: GroupResource, release: Release): GroupVersion | undefined {
  const stored = storedAs(gr);
  // apiextensions-apiserver encodes definitions as v1, yet announces the version it once began with.
  if (stored.group === "apiextensions.k8s.io") return { group: stored.group, version: "v1beta1" };
  const versions = versionsOf(stored, release).flatMap((version) => {
    const priority = builtinPriority(version);
    return priority === undefined ? [] : [{ ...version, priority }];
  });
  const previous = Math.max(minorOf(release) - 1, supportedReleases.first);
  const readable = versions.filter(({ since }) => since <= previous);
  const [preferred] = inPriorityOrder(readable.length > 0 ? readable : versions);
  return preferred && { group: preferred.group, version: preferred.version };
}

import type { GroupResource, GroupVersion } from "../apimachinery/group-version.ts";
import { type Release, releaseBefore, sinceOf } from "../apimachinery/release.ts";
import { builtinPriority, inPriorityOrder } from "./group-priority.ts";
import { versionsOf } from "./served-versions.ts";

const apiExtensions = "apiextensions.k8s.io";

/** The version that discovery announces as the stored one. apiextensions-apiserver always announces its first version. */
export function announcedStorageVersion(gr: GroupResource, release: Release): GroupVersion | undefined {
  if (gr.group === apiExtensions) return { group: gr.group, version: "v1beta1" };
  return storageVersion(gr, release);
}

/**
 * The version in which a release stores a built-in resource: the preferred one of those that the previous release already
 * had, so that a downgraded server can read the objects. Undefined if the release does not have the resource. `gr` names the
 * group under which the objects are stored.
 */
export function storageVersion(gr: GroupResource, release: Release): GroupVersion | undefined {
  if (gr.group === apiExtensions) return { group: gr.group, version: "v1" };
  const versions = versionsOf(gr, release).flatMap((version) => {
    const priority = builtinPriority(version);
    return priority === undefined ? [] : [{ ...version, priority }];
  });
  const sincePrevious = sinceOf(releaseBefore(release));
  const readable = versions.filter((version) => sincePrevious(version.since));
  const [preferred] = inPriorityOrder(readable.length > 0 ? readable : versions);
  return preferred && { group: preferred.group, version: preferred.version };
}

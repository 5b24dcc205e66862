import type { GroupResource, GroupVersion } from "../apimachinery/group-version.ts";
import { sinceOf } from "../apimachinery/release.ts";
import type { EffectiveVersion } from "./effective-version.ts";
import { builtinPriority, inPriorityOrder } from "./group-priority.ts";
import { versionsOf } from "./served-versions.ts";

const apiExtensions = "apiextensions.k8s.io";

/** The version that discovery announces as the stored one. apiextensions-apiserver always announces its first version. */
export function announcedStorageVersion(
  gr: GroupResource,
  server: EffectiveVersion,
): GroupVersion | undefined {
  if (gr.group === apiExtensions) return { group: gr.group, version: "v1beta1" };
  return storageVersion(gr, server);
}

/**
 * The version in which a server stores a built-in resource: the preferred one of those that the oldest compatible release
 * already had, usually the previous one, so that a downgraded server can read the objects. Undefined if the server does not
 * have the resource. `gr` names the group under which the objects are stored.
 */
export function storageVersion(
  gr: GroupResource,
  { emulation, minCompatibility }: EffectiveVersion,
): GroupVersion | undefined {
  if (gr.group === apiExtensions) return { group: gr.group, version: "v1" };
  const versions = versionsOf(gr, emulation).flatMap((version) => {
    const priority = builtinPriority(version);
    return priority === undefined ? [] : [{ ...version, priority }];
  });
  const hadCompatible = sinceOf(minCompatibility);
  const readable = versions.filter(({ since }) => hadCompatible(since));
  const [preferred] = inPriorityOrder(readable.length > 0 ? readable : versions);
  return preferred && { group: preferred.group, version: preferred.version };
}

import { compareKubeVersions } from "../catalog/group-priority.ts";

const pattern = /^v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?$/;

/** How stable a version, a flag, a feature or a metric is, the most stable first. */
export const tracks = ["GA", "beta", "alpha"] as const;

export type Track = (typeof tracks)[number];

/** Whether a text is the name of a version, such as `v2beta1`. */
export function isVersionName(name: string): boolean {
  return pattern.test(name);
}

/** The track of a version by its name. */
export function trackOf(name: string): Track {
  const [, , track] = pattern.exec(name) ?? [];
  return track === "alpha" || track === "beta" ? track : "GA";
}

/** Whether the first track is less stable. */
export function isLessStable(track: Track, than: Track): boolean {
  return tracks.indexOf(track) > tracks.indexOf(than);
}

/** The order of versions: GA before beta before alpha, newer ones first. */
export function compareStability(a: string, b: string): number {
  return compareKubeVersions(b, a);
}

import type { OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { type AnyRelease, releases } from "../apimachinery/release.ts";

/** How many releases after the newest one a plan may name. A version that comes in the newest may need all of them to go. */
const horizon = 15;

const firstMinor = minorOf(releases[0]);

/** The releases that a plan may name: those of the catalog, and those that follow. */
export const plannedReleases: readonly AnyRelease[] = Array.from(
  { length: releases.length + horizon },
  (_, index) => releaseOf(firstMinor + index),
);

/** A release as options write it. YAML reads one without quotes as a number, which loses the zero of 1.30. */
export const releaseText: OptionType = { ...text, accepts: 'a release in quotes such as "1.32"' };

/** The number of a minor release. */
export function minorOf(release: AnyRelease): number {
  return Number(release.slice("1.".length));
}

/** The name of a minor release, also of one that is not out yet. */
export function releaseOf(minor: number): AnyRelease {
  return `1.${minor}`;
}

/** The release before another one; the first one for itself. */
export function plannedBefore(release: AnyRelease): AnyRelease {
  return plannedReleases[plannedReleases.indexOf(release) - 1] ?? releaseOf(firstMinor);
}

/**
 * Parses a release as `parseRelease` does, or one that is not out yet.
 * @throws {Error} for a release that a plan may not name
 */
export function parsePlannedRelease(text: string): AnyRelease {
  const minor = /^v?1\.([1-9][0-9]*)(?:\.[0-9]+)?$/.exec(text)?.[1];
  const release = plannedReleases.find((one) => one === `1.${minor}`);
  if (release !== undefined) return release;
  const choice = `choose one from ${plannedReleases[0]} to ${plannedReleases.at(-1)}`;
  throw new Error(`release ${JSON.stringify(text)} is not supported: ${choice}`);
}

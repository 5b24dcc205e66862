import type { Release } from "./api-resource.ts";

/** The minor numbers of the first and the last release in the catalog. */
export const supportedReleases: { readonly first: number; readonly last: number } = { first: 16, last: 36 };

/**
 * Parses "1.32", "v1.32" or "1.32.3". The patch number is ignored: the catalog describes the newest patch of each release.
 * @throws {Error} for a release that is not in the catalog
 */
export function parseRelease(text: string): Release {
  const match = /^v?1\.([1-9][0-9]*)(?:\.[0-9]+)?$/.exec(text);
  const minor = match === null ? Number.NaN : Number(match[1]);
  const { first, last } = supportedReleases;
  if (minor >= first && minor <= last) return `1.${minor}`;
  throw new Error(
    `release ${JSON.stringify(text)} is not supported: choose one from 1.${first} to 1.${last}`,
  );
}

/** The minor number of a release: 32 for "1.32". */
export function minorOf(release: Release): number {
  return Number(release.slice("1.".length));
}

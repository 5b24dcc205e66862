/** The releases of the catalog, from the oldest to the newest. */
export const releases = [
  "1.16",
  "1.17",
  "1.18",
  "1.19",
  "1.20",
  "1.21",
  "1.22",
  "1.23",
  "1.24",
  "1.25",
  "1.26",
  "1.27",
  "1.28",
  "1.29",
  "1.30",
  "1.31",
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
] as const;

/** A release of Kubernetes that the catalog describes, for example "1.32". */
export type Release = (typeof releases)[number];

/** A release in the data of the catalog, where APIs are deprecated before the first release and removed after the last. */
export type AnyRelease = `1.${number}`;

/**
 * Whether the served release is the given one or a newer one. Every rule that depends on the release without a feature gate
 * reads `since("1.27")`.
 */
export type Since<R extends AnyRelease = Release> = (first: R) => boolean;

/** `since` for a served release. Only data names releases outside the catalog: `sinceOf<AnyRelease>(release)`. */
export function sinceOf<R extends AnyRelease = Release>(release: AnyRelease): Since<R> {
  // Names of the same length are in the order of text; "1.8" is shorter than "1.16".
  return (first) => (first.length === release.length ? first <= release : first.length < release.length);
}

/** The release before the given one; the oldest release for itself. */
export function releaseBefore(release: Release): Release {
  return releases[releases.indexOf(release) - 1] ?? releases[0];
}

/** The releases after `from` up to `to`, in the order in which a cluster goes through them; none for the same release. */
export function releasesOnTheWay(from: Release, to: Release): readonly Release[] {
  const [start, end] = [releases.indexOf(from), releases.indexOf(to)];
  return start < end ? releases.slice(start + 1, end + 1) : releases.slice(end, start).reverse();
}

/**
 * Parses "1.32", "v1.32" or "1.32.3". The patch number is ignored: the catalog describes the newest patch of each release.
 * @throws {Error} for a release that is not in the catalog
 */
export function parseRelease(text: string): Release {
  const name = /^v?(1\.[1-9][0-9]*)(?:\.[0-9]+)?$/.exec(text)?.[1];
  const release = releases.find((one) => one === name);
  if (release !== undefined) return release;
  const choice = `choose one from ${releases[0]} to ${releases.at(-1)}`;
  throw new Error(`release ${JSON.stringify(text)} is not supported: ${choice}`);
}

/** A version according to semver.org 2.0. Build metadata after a plus is ignored. */
export interface SemanticVersion {
  /** Major, minor and patch. */
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** The identifiers of the prerelease; empty for a release. */
  readonly prerelease: readonly string[];
}

/** The version 0.0.0. */
export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

const number = "(0|[1-9][0-9]*)";
const identifier = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
const semantic = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** The parsed version; undefined for invalid text. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, prerelease] = semantic.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
  };
}

/** Negative if `a` is lower than `b`. A prerelease is lower than its release: 1.0.0-alpha < 1.0.0-beta.2 < 1.0.0. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [i, part] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return a.length === b.length ? 0 : -1;
}

/** Numeric identifiers are compared as numbers and are lower than others. */
function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  const areNumbers = [a, b].map((text) => /^[0-9]+$/.test(text));
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  const isBefore = areNumbers[0] ? BigInt(a) < BigInt(b) : a < b;
  return isBefore ? -1 : 1;
}

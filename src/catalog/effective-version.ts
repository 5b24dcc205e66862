import { type Release, releaseBefore, releases, sinceOf } from "../apimachinery/release.ts";

/** The releases that a server combines. Upstream: component-base, compatibility/version.go, `EffectiveVersion`. */
export interface EffectiveVersion {
  /** The release of the server: the fields of its types, and all rules without a feature gate. */
  readonly binary: Release;
  /** The release whose APIs and feature gates the server has. */
  readonly emulation: Release;
  /** The oldest release that can read what the server stores, and that has what new CEL expressions may use. */
  readonly minCompatibility: Release;
}

/** The first release with `--emulated-version`. */
const firstEmulator: Release = "1.31";

/** A server that emulates no other release. */
export function ownVersion(release: Release): EffectiveVersion {
  return { binary: release, emulation: release, minCompatibility: releaseBefore(release) };
}

/**
 * A server that emulates an earlier release.
 * @throws {Error} for a release that it cannot emulate, with upstream's text where upstream has the option
 */
export function emulating(binary: Release, emulation: Release): EffectiveVersion {
  const since = sinceOf(binary);
  if (!since(firstEmulator)) {
    throw new Error(
      `Kubernetes ${binary} cannot emulate another release: ${firstEmulator} is the first that can`,
    );
  }
  const oldest = oldestEmulated(binary);
  if (!since(emulation) || !sinceOf(emulation)(oldest)) {
    throw new Error(`emulation version ${emulation} is not between [${oldest}, ${binary}.0]`);
  }
  if (binary === firstEmulator && emulation !== binary) {
    throw new Error(
      `emulation version needs to be equal to binary version(${binary}) in compatibility-version alpha, got ${emulation}`,
    );
  }
  return { binary, emulation, minCompatibility: minCompatibility(binary, emulation) };
}

/** Until 1.32 one release before (component-base, version/version.go), then three (apiserver, pkg/util/compatibility). */
function oldestEmulated(binary: Release): Release {
  if (!sinceOf(binary)("1.33")) return releaseBefore(binary);
  const third = releases[releases.indexOf(binary) - 3] ?? firstEmulator;
  return sinceOf(third)(firstEmulator) ? third : firstEmulator;
}

/** 1.32 keeps that of the binary; later releases take the one before the emulated, down to the oldest that they emulate. */
function minCompatibility(binary: Release, emulation: Release): Release {
  if (!sinceOf(binary)("1.33")) return releaseBefore(binary);
  const before = releaseBefore(emulation);
  const oldest = oldestEmulated(binary);
  if (emulation === binary) return before;
  return sinceOf(before)(oldest) ? before : oldest;
}

/**
 * A server that stays compatible with an older release than by default, or with no other. Upstream: component-base,
 * compatibility/version.go, `Validate`.
 * @throws {Error} for a release without the option, and for an impossible one, with upstream's text
 */
export function compatibleWith(version: EffectiveVersion, minCompatibility: Release): EffectiveVersion {
  const { binary, emulation } = version;
  if (!sinceOf(binary)("1.35")) {
    throw new Error(`Kubernetes ${binary} has no minimum compatibility version: 1.35 is the first that has`);
  }
  const oldest = oldestEmulated(binary);
  if (!sinceOf(emulation)(minCompatibility) || !sinceOf(minCompatibility)(oldest)) {
    throw new Error(
      `minCompatibilityVersion version ${minCompatibility} is not between [${oldest}, ${emulation}]`,
    );
  }
  return { ...version, minCompatibility };
}

/** The release whose CEL expressions a server compiles: new ones may use what the release before it has. */
export function expressionRelease({ binary, minCompatibility }: EffectiveVersion): Release {
  const next = releases[releases.indexOf(minCompatibility) + 1];
  return next !== undefined && sinceOf(binary)(next) ? next : binary;
}

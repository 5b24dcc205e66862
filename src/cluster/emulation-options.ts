import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { boolean, text } from "../apimachinery/option-types.ts";
import { parseRelease, type Release, sinceOf } from "../apimachinery/release.ts";
import {
  compatibleWith,
  type EffectiveVersion,
  emulating,
  ownVersion,
} from "../catalog/effective-version.ts";
import type { Enablements } from "../catalog/later-versions.ts";

/** How a server emulates an earlier release. */
export interface EmulationOptions {
  /**
   * The release whose APIs, feature gates and storage versions the server has, such as "1.33" for a server of 1.34:
   * `--emulated-version`. A server of 1.32 can emulate the release before, later ones the three before, down to 1.31. Default:
   * that of the server.
   */
  readonly emulatedVersion?: string;
  /**
   * The oldest release that can read what the server stores, such as "1.34" for a server of 1.36: `--min-compatibility-version`. New
   * expressions in CEL may use what the release after it has. It needs release 1.35, and may be the emulated release or one of those
   * before it, down to the third before `release`. Default: the release before the emulated one.
   */
  readonly minCompatibilityVersion?: string;
  /**
   * Whether served versions that are not alpha bring the later ones of their resources, also of releases after the emulated one:
   * `--emulation-forward-compatible`. It needs release 1.33 and an earlier `emulatedVersion`. Default: they do not.
   */
  readonly emulationForwardCompatible?: boolean;
  /**
   * Whether `runtimeConfig` may enable APIs of releases after the emulated one: `--runtime-config-emulation-forward-compatible`. It
   * needs release 1.33 and an earlier `emulatedVersion`. Default: it may not.
   */
  readonly runtimeConfigEmulationForwardCompatible?: boolean;
}

/** What each option of emulation accepts. */
export const emulationOptionTypes: {
  readonly [option in keyof Required<EmulationOptions>]: OptionType;
} = {
  emulatedVersion: { accepts: 'text such as "1.33"', isValid: text.isValid },
  minCompatibilityVersion: { accepts: 'text such as "1.34"', isValid: text.isValid },
  emulationForwardCompatible: boolean,
  runtimeConfigEmulationForwardCompatible: boolean,
};

/** The releases of a server, and whether it serves later versions. */
export interface Emulation {
  readonly version: EffectiveVersion;
  readonly forward: Omit<Enablements, "runtimeConfig" | "withheld">;
}

/** @throws {Error} the error with which a kube-apiserver of the release would not start */
export function completeEmulationOptions(
  options: EmulationOptions,
  release: Release,
  title: OptionTitle,
): Emulation {
  const { emulatedVersion, minCompatibilityVersion: compatible } = options;
  const emulated =
    emulatedVersion === undefined ? ownVersion(release) : emulating(release, parseRelease(emulatedVersion));
  const version = compatible === undefined ? emulated : compatibleWith(emulated, parseRelease(compatible));
  const forward = {
    emulationForwardCompatible: options.emulationForwardCompatible ?? false,
    runtimeConfigEmulationForwardCompatible: options.runtimeConfigEmulationForwardCompatible ?? false,
  };
  checkForward("emulationForwardCompatible");
  checkForward("runtimeConfigEmulationForwardCompatible");
  return { version, forward };

  function checkForward(option: keyof typeof forward): void {
    if (!forward[option]) return;
    if (!sinceOf(release)("1.33")) throw new Error(`${title(option)} needs release 1.33 or newer`);
    // Upstream: apiserver, pkg/server/options/server_run_options.go.
    if (version.emulation === version.binary) {
      const name = option.charAt(0).toUpperCase() + option.slice(1);
      throw new Error(
        `ServerRunOptions.${name} cannot be set to true if the emulation version is the same as the binary version`,
      );
    }
  }
}

import {
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionResource,
} from "../apimachinery/group-version.ts";
import type { AnyRelease, Release } from "../apimachinery/release.ts";

/** The APIs that differ from the defaults of a server. */
export interface Enablements {
  /** `--runtime-config`, as `parseRuntimeConfig` returns it. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  /** `--emulation-forward-compatible`: a served version that is not alpha brings the later ones of its resource. */
  readonly emulationForwardCompatible: boolean;
  /** `--runtime-config-emulation-forward-compatible`: the runtime configuration may name versions after the emulated release. */
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  /** The resources of gates that are off, as `group/version/resource`. */
  readonly withheld: readonly string[];
}

export const noEnablements: Enablements = {
  runtimeConfig: new Map(),
  emulationForwardCompatible: false,
  runtimeConfigEmulationForwardCompatible: false,
  withheld: [],
};

/**
 * Decides about versions that came after the emulated release. It hears of the versions of a group in ascending priority.
 * Upstream: apiserver, pkg/server/deleted_kinds.go, `removeUnintroducedKinds`.
 */
export class LaterVersions {
  readonly #emulation: Release;
  readonly #enablements: Enablements;
  /** Resources of which a version is served that is not alpha. */
  readonly #served = new Set<string>();
  readonly #withoutResource = new Set<string>();

  constructor(emulation: Release, enablements: Enablements) {
    this.#emulation = emulation;
    this.#enablements = enablements;
  }

  serve(gvr: GroupVersionResource): void {
    if (!gvr.version.includes("alpha")) this.#served.add(`${gvr.group}/${gvr.resource}`);
  }

  /** Whether a served version of the resource brings this one. */
  isBrought({ group, resource }: GroupVersionResource): boolean {
    return this.#enablements.emulationForwardCompatible && this.#served.has(`${group}/${resource}`);
  }

  /** Whether a resource is served that came with `first`. @throws {Error} if the runtime configuration enables it in vain */
  isServed(gvr: GroupVersionResource, first: AnyRelease): boolean {
    if (this.isBrought(gvr)) return true;
    const gv = `${gvr.group}/${gvr.version}`;
    const isNamed = this.#isEnabled(`${gv}/${gvr.resource}`);
    if (isNamed || this.#isEnabled(gv)) {
      if (this.#enablements.runtimeConfigEmulationForwardCompatible) return true;
    }
    if (isNamed) {
      throw new Error(
        `cannot enable resource ${formatGroupVersion(gvr)}, Resource=${gvr.resource} in runtime-config because it is introduced at ${first} after the current version ${this.#emulation}. ${hint}`,
      );
    }
    this.#withoutResource.add(gv);
    return false;
  }

  /** @throws {Error} if the runtime configuration enables a version, and all its resources came after the emulated release */
  checkEmpty(gv: GroupVersion): void {
    const key = `${gv.group}/${gv.version}`;
    if (!this.#withoutResource.has(key) || !this.#isEnabled(key)) return;
    throw new Error(
      `cannot enable version ${formatGroupVersion(gv)} in runtime-config because all the resources have been introduced after the current version ${this.#emulation}. ${hint}`,
    );
  }

  #isEnabled(key: string): boolean {
    return this.#enablements.runtimeConfig.get(key) === true;
  }
}

const hint = "Consider setting --runtime-config-emulation-forward-compatible=true";

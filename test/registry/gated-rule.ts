import { describe, expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { ownVersion } from "../../src/catalog/effective-version.ts";
import { lifeOfGate } from "../../src/catalog/feature-gate-stages.ts";
import { gateProblem } from "../../src/catalog/feature-gates.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

/** A rule of the server that a feature gate decides. */
export interface GatedRule {
  readonly gate: string;
  /** A release with the gate off, and one with it on; the same one if no release tells them apart. */
  readonly releases: readonly [off: Release, on: Release];
  /** What a client sees without the rule and with it. */
  readonly seen: readonly [off: unknown, on: unknown];
  /** `runtimeConfig` of the clusters. Default: none. */
  readonly apis?: { readonly [key: string]: boolean };
  readonly see: (send: SendRequest) => Promise<unknown>;
}

const controllers = ["serviceaccount-controller", "serviceaccount-token-controller"] as const;

/** The rules hold in the releases that have the gate on, and where it is switched. */
export function describeRules(rules: readonly GatedRule[]): void {
  describe.each(rules)("the gate $gate", ({ gate, releases: [off, on], seen, apis = {}, see }) => {
    const seenIn = async (release: Release, featureGates: { readonly [name: string]: boolean }) => {
      await using cluster = quietCluster({ release, featureGates, controllers, runtimeConfig: apis });
      // Without `await`, the cluster would be closed meanwhile.
      return await see(testClient(cluster));
    };

    test.runIf(off !== on)(`is off in ${off} and on in ${on}`, async () => {
      expect([await seenIn(off, {}), await seenIn(on, {})]).toEqual(seen);
    });

    test("can be set", async () => {
      for (const [release, isOn] of [
        [off, true],
        [on, false],
      ] as const) {
        // Some releases do not have the gate, or have locked it.
        if (gateProblem(gate, lifeOfGate(gate), isOn, ownVersion(release)) !== undefined) continue;
        expect([release, await seenIn(release, { [gate]: isOn })]).toEqual([release, seen[isOn ? 1 : 0]]);
      }
    });
  });
}

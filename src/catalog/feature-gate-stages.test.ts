import { expect, test } from "vitest";
import { releases } from "../apimachinery/release.ts";
import { gateStage, gateStages } from "./feature-gate-stages.ts";
import { featureGates, knownGates } from "./feature-gates.ts";

test("a gate has the state of the release", () => {
  expect(gateStage("InPlacePodVerticalScaling", "1.26")).toBe("preAlpha");
  expect(gateStage("InPlacePodVerticalScaling", "1.27")).toEqual({
    stage: "Alpha",
    isOn: false,
    isLocked: false,
  });
  expect(gateStage("InPlacePodVerticalScaling", "1.33")).toEqual({
    stage: "Beta",
    isOn: true,
    isLocked: false,
  });
  expect(gateStage("NoSuchGate", "1.33")).toBeUndefined();
});

/** Gates that another patch of a release enables than the list is of. */
const differing: readonly string[] = ["MaxUnavailableStatefulSet", "MutableCSINodeAllocatableCount"];

test.each(releases)("the defaults of %s are those of the stages", (release) => {
  const { isEnabled } = featureGates(release);
  const states = gateStages(release);
  const differences = knownGates()
    .filter((name) => states.has(name) && !differing.includes(name))
    .filter((name) => isEnabled(name) !== states.get(name)?.isOn);
  expect(differences).toEqual([]);
});

test("what a release cannot have yet is disabled in it", () => {
  for (const release of releases) {
    const { isEnabled } = featureGates(release);
    const early = knownGates().filter((name) => gateStage(name, release) === "preAlpha" && isEnabled(name));
    expect([release, early]).toEqual([release, []]);
  }
});

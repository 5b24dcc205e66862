import { expect, test } from "vitest";
import { releases } from "../apimachinery/release.ts";
import { emulating, ownVersion } from "./effective-version.ts";
import { gateStages, lifeOfGate } from "./feature-gate-stages.ts";
import { effectiveGates, featureGates, gateProblem } from "./feature-gates.ts";
import { stageOf } from "./gate-life.ts";

test("a gate has the state of the release, and none before it exists and after it is removed", () => {
  const resize = lifeOfGate("InPlacePodVerticalScaling") ?? [];
  expect(stageOf(resize, "1.26")).toBe("preAlpha");
  expect(stageOf(resize, "1.27")).toEqual({
    stage: "Alpha",
    isOn: false,
    isLocked: false,
    isRetroactive: false,
  });
  expect(stageOf(resize, "1.33")).toEqual({
    stage: "Beta",
    isOn: true,
    isLocked: false,
    isRetroactive: false,
  });
  expect(stageOf(lifeOfGate("RunAsGroup") ?? [], "1.22")).toBeUndefined();
  expect(lifeOfGate("NoSuchGate")).toBeUndefined();
});

test.each(releases)("no gate of %s is in two lists, or locked to what the release does not do", (release) => {
  const { isEnabled } = featureGates(release);
  const stages = gateStages(ownVersion(release));
  const wrong = [...effectiveGates.keys()].filter((name) => {
    const stage = stages.get(name);
    return (
      stage !== undefined && name !== "UserNamespacesStatelessPodsSupport" && stage.isOn !== isEnabled(name)
    );
  });
  expect(wrong).toEqual([]);
  expect(stages.size).toBeGreaterThan(90);
});

test("a feature whose gate is removed stays as it was", () => {
  expect(featureGates("1.36").isEnabled("RunAsGroup")).toBe(true);
  expect(featureGates("1.36").isEnabled("DynamicKubeletConfig")).toBe(false);
  expect(featureGates("1.36").isEnabled("ServiceTopology")).toBe(false);
});

test("AllAlpha and AllBeta stand for the gates of their stage that are not set themselves", () => {
  const set = new Map(
    Object.entries({ AllAlpha: true, AllBeta: false, ProcMountType: true, HPAScaleToZero: false }),
  );
  const { isEnabled } = featureGates("1.32", set);
  expect(isEnabled("CBORServingAndStorage")).toBe(true);
  expect(isEnabled("HPAScaleToZero")).toBe(false);
  expect(isEnabled("ProcMountType")).toBe(true);
  expect(isEnabled("AuthorizeWithSelectors")).toBe(false);
  // A gate that is generally available is of neither stage.
  expect(isEnabled("AppArmorFields")).toBe(true);
});

test("every locked gate of every release is refused another value, and accepted with its own", () => {
  for (const release of releases) {
    for (const [name, { isLocked, isOn }] of gateStages(ownVersion(release))) {
      const [life, version] = [lifeOfGate(name), ownVersion(release)];
      expect(gateProblem(name, life, isOn, version)).toBeUndefined();
      expect(gateProblem(name, life, !isOn, version)).toBe(
        isLocked ? `cannot set feature gate ${name} to ${!isOn}, feature is locked to ${isOn}` : undefined,
      );
    }
  }
});

test("the emulated release decides about gates that the binary has", () => {
  const [life, version] = [lifeOfGate("EnvFiles"), emulating("1.35", "1.33")];
  expect(gateProblem("EnvFiles", life, true, version)).toBe(
    "cannot set feature gate EnvFiles to true, feature is PreAlpha at emulated version 1.33, min compatibility version 1.32",
  );
  const removed = lifeOfGate("ServiceTrafficDistribution");
  expect(gateProblem("ServiceTrafficDistribution", removed, true, emulating("1.36", "1.35"))).toBe(
    "unrecognized feature gate: ServiceTrafficDistribution",
  );
});

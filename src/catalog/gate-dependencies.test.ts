import { expect, test } from "vitest";
import { type Release, releases } from "../apimachinery/release.ts";
import { allGateDependencies } from "./all-gate-dependencies.ts";
import { emulating, ownVersion } from "./effective-version.ts";
import { lifeOfGate } from "./feature-gate-stages.ts";
import { dependencyProblem } from "./gate-dependencies.ts";

const problemOf = (release: Release, set: { readonly [gate: string]: boolean }) =>
  dependencyProblem(new Map(Object.entries(set)), ownVersion(release), lifeOfGate, allGateDependencies);

test.each(releases)("the gates of %s depend on none that is off by default", (release) => {
  expect(problemOf(release, {})).toBeUndefined();
});

test.each<[Release, { readonly [gate: string]: boolean }, string | undefined]>([
  [
    "1.31",
    { DRAControlPlaneController: true },
    "DRAControlPlaneController feature requires DynamicResourceAllocation feature to be enabled",
  ],
  ["1.31", { DRAControlPlaneController: true, DynamicResourceAllocation: true }, undefined],
  [
    "1.32",
    { UnknownVersionInteroperabilityProxy: true },
    "UnknownVersionInteroperabilityProxy feature requires StorageVersionAPI feature flag to be enabled",
  ],
  ["1.33", { UnknownVersionInteroperabilityProxy: true }, undefined],
  [
    "1.33",
    { AuthorizeWithSelectors: false },
    "AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled",
  ],
  ["1.34", { PodCertificateRequest: true }, undefined],
  ["1.34", { GangScheduling: true }, undefined],
  [
    "1.35",
    { GangScheduling: true },
    "GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]",
  ],
  [
    "1.36",
    { ContainerRestartRules: false, ExtendWebSocketsToKubelet: false, NodeDeclaredFeatures: false },
    "[InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are disabled: [NodeDeclaredFeatures], InPlacePodVerticalScalingInitContainers is enabled, but depends on features that are disabled: [NodeDeclaredFeatures], RestartAllContainersOnContainerExits is enabled, but depends on features that are disabled: [ContainerRestartRules NodeDeclaredFeatures]]",
  ],
  ["1.35", { AllAlpha: true }, undefined],
])("%s with %o: %s", (release, set, problem) => {
  expect(problemOf(release, set)).toBe(problem);
});

test("the emulated release decides which gates are on, and the binary which depend on each other", () => {
  const set = new Map([
    ["UnknownVersionInteroperabilityProxy", true],
    ["APIServerIdentity", false],
  ]);
  const text =
    "UnknownVersionInteroperabilityProxy is enabled, but depends on features that are disabled: [APIServerIdentity]";
  expect(dependencyProblem(set, emulating("1.35", "1.34"), lifeOfGate, allGateDependencies)).toBe(text);
  expect(dependencyProblem(set, ownVersion("1.34"), lifeOfGate, allGateDependencies)).toBeUndefined();
});

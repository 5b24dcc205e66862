import { expect, test } from "vitest";
import type { Release } from "../apimachinery/release.ts";
import { emulating, ownVersion } from "../catalog/effective-version.ts";
import { parseFeatureGates, startedGates } from "./feature-gate-flag.ts";
import { FlagError } from "./flag-error.ts";

const effectOf = (release: Release, ...flags: readonly string[]) =>
  startedGates(parseFeatureGates(flags), ownVersion(release));

test.each<[string, Release, string]>([
  ["NoSuchGate=true", "1.36", "unrecognized feature gate: NoSuchGate"],
  ["JobPodFailurePolicy=true", "1.36", "unrecognized feature gate: JobPodFailurePolicy"],
  ["EnvFiles=true", "1.30", "unrecognized feature gate: EnvFiles"],
  ["EnvFiles=true", "1.31", "unrecognized feature gate: EnvFiles"],
  ["NoSuchGate=true", "1.20", "unrecognized feature gate: NoSuchGate"],
  ["RunAsGroup=true", "1.22", "unrecognized feature gate: RunAsGroup"],
  ["RunAsGroup=false", "1.21", "cannot set feature gate RunAsGroup to false, feature is locked to true"],
  ["PodPriority=false", "1.16", "cannot set feature gate PodPriority to false, feature is locked to true"],
  [
    "StructuredAuthenticationConfiguration=false",
    "1.34",
    "cannot set feature gate StructuredAuthenticationConfiguration to false, feature is locked to true",
  ],
  ["A=maybe", "1.32", 'invalid value of A=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
])("%s of %s is refused", (flag, release, message) => {
  expect(() => effectOf(release, flag)).toThrow(new FlagError(message));
});

test.each<[string, Release, readonly [string, boolean][], readonly string[]]>([
  ["ProcMountType=true", "1.32", [["ProcMountType", true]], []],
  ["ProcMountType=false,ProcMountType=true", "1.32", [["ProcMountType", true]], []],
  [
    "StructuredAuthenticationConfiguration=true",
    "1.34",
    [["StructuredAuthenticationConfiguration", true]],
    [
      "Setting GA feature gate StructuredAuthenticationConfiguration=true. It will be removed in a future release.",
    ],
  ],
  [
    "KMSv1=true",
    "1.29",
    [],
    [
      "Setting deprecated feature gate KMSv1=true. It will be removed in a future release.",
      "--feature-gates KMSv1 has no effect here",
    ],
  ],
])("%s of %s sets gates and warns", (flag, release, gates, warnings) => {
  const effect = effectOf(release, flag);
  expect([...effect.gates]).toEqual(gates);
  expect(effect.warnings).toEqual(warnings);
});

test("a gate that came after the emulated release is refused", () => {
  expect(() => startedGates(parseFeatureGates(["EnvFiles=true"]), emulating("1.35", "1.33"))).toThrow(
    new FlagError(
      "cannot set feature gate EnvFiles to true, feature is PreAlpha at emulated version 1.33, min compatibility version 1.32",
    ),
  );
});

test("AllAlpha and AllBeta stay, as they mean other gates in other releases", () => {
  const { gates } = effectOf("1.32", "AllAlpha=true,AllBeta=false,HPAScaleToZero=false,QOSReserved=true");
  expect([...gates]).toEqual([
    ["AllAlpha", true],
    ["AllBeta", false],
    ["HPAScaleToZero", false],
  ]);
});

test.each<[string, Release, Release, string | undefined]>([
  ["CBORServingAndStorage=true,HPAScaleToZero=false", "1.35", "1.33", "[CBORServingAndStorage]"],
  [
    "CBORServingAndStorage=true,HPAScaleToZero=true",
    "1.34",
    "1.33",
    "[CBORServingAndStorage HPAScaleToZero]",
  ],
  ["CBORServingAndStorage=true", "1.33", "1.32", undefined],
  ["CBORServingAndStorage=true", "1.35", "1.35", undefined],
  ["WatchList=true", "1.35", "1.34", undefined],
])("%s of %s that emulates %s: alpha features are %s", (flag, binary, emulation, features) => {
  const { warnings } = startedGates(parseFeatureGates([flag]), emulating(binary, emulation));
  const start = "component has alpha features enabled in emulated version, this is unsupported: features=";
  expect(warnings).toEqual(features === undefined ? [] : [start + features]);
});

test("AllAlpha of an emulated release names itself and all gates of its stage", () => {
  const { warnings } = startedGates(parseFeatureGates(["AllAlpha=true"]), emulating("1.35", "1.34"));
  expect(warnings).toEqual([expect.stringMatching(/features=\[AllAlpha .*\bCBORServingAndStorage\b.*\]$/)]);
});

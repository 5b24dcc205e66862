import { expect, test } from "vitest";
import type { Release } from "../../apimachinery/release.ts";
import { ownVersion } from "../../catalog/effective-version.ts";
import { versionInfo } from "./version.ts";

test.each<[release: Release, emulation: object]>([
  ["1.32", {}],
  [
    "1.33",
    { emulationMajor: "1", emulationMinor: "33", minCompatibilityMajor: "1", minCompatibilityMinor: "32" },
  ],
])("the version of %s names no commit and no build", (release, emulation) => {
  const minor = release.slice(2);
  expect(Object.entries(versionInfo(ownVersion(release)))).toEqual(
    Object.entries({
      major: "1",
      minor,
      ...emulation,
      gitVersion: `v1.${minor}.0`,
      gitCommit: "kubedouble",
      gitTreeState: "clean",
      buildDate: "1970-01-01T00:00:00Z",
      goVersion: "kubedouble",
      compiler: "kubedouble",
      platform: "linux/amd64",
    }),
  );
});

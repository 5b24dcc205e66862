import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, releases, sinceOf } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { parseRuntimeConfig } from "../../src/catalog/runtime-config.ts";
import { internalTypes } from "../../src/schema/internal-types.ts";

/** The Go types that the validation of kinds names in errors. */
function namedTypes(): readonly string[] {
  const folders = ["src/kinds", "src/apimachinery/validation"];
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const sources = paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  const texts = sources.map((path) => readFileSync(path, "utf8"));
  const names = texts.flatMap((text) => [
    ...text.matchAll(/"((?:\[\])?(?!spec|status)[a-z0-9]+\.[A-Z][A-Za-z]+)"/g),
  ]);
  return [...new Set(names.flatMap(([, name = ""]) => name))];
}

function groupVersions(release: Release): readonly GroupVersion[] {
  const runtimeConfig = parseRuntimeConfig(["api/all=true"]);
  return catalogOf({ release, runtimeConfig }).groupVersions();
}

function isKnown(name: string, release: Release): boolean {
  return groupVersions(release).some((stored) => {
    try {
      return internalTypes(sinceOf(release), stored)(name) !== undefined;
    } catch {
      return false;
    }
  });
}

test("every Go type that an error names is in the catalog of some release", () => {
  const names = namedTypes();
  expect(names).toContain("core.PodTemplateSpec");
  expect(names.filter((name) => !releases.some((release) => isKnown(name, release)))).toEqual([]);
});

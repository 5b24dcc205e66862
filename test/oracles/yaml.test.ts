import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAccepted } from "./known-difference.ts";
import type { YamlDifference } from "./yaml-difference.ts";
import { yamlDocuments } from "./yaml-documents.ts";
import { mutatedManifests } from "./yaml-mutations.ts";
import { readOtherwise } from "./yaml-read-otherwise.ts";
import { compareReaders, compareRewritten, isSameYaml, type YamlComparison } from "./yaml-readers.ts";
import { refusedByLibrary } from "./yaml-refused-by-library.ts";
import { refusedByUs } from "./yaml-refused-by-us.ts";
import { yamlRewrites } from "./yaml-rewrites.ts";

const differences: readonly YamlDifference[] = [...refusedByUs, ...refusedByLibrary, ...readOtherwise];

/** The title of the first entry that explains a comparison, or a description of the unknown difference. */
function explanation(comparison: YamlComparison): string {
  const known = differences.find(({ explains }) => explains(comparison));
  if (known !== undefined) return known.title;
  const { text, ours, theirs, place } = comparison;
  const written = place?.scalar?.source;
  return `unknown difference: ${JSON.stringify({ text, ours, error: theirs.error, written, place: place?.ours })}`;
}

function isKnown(comparison: YamlComparison): boolean {
  return differences.some(({ explains }) => explains(comparison));
}

const titles = differences.map(({ title }) => title);
const numRuns = 800;

/**
 * About one random text in ten thousand shows a difference that is not listed yet, so the seed is fixed. Set another one
 * to search for more: ORACLE_SEED=2 npx vitest run test/oracles/yaml.test.ts
 */
const seed = Number(process.env["ORACLE_SEED"] ?? 1);

describe("yaml and our reader agree, except for known differences, on", () => {
  test.each([
    ["documents of random structure and spelling", yamlDocuments],
    ["manifests of a real server with a few changes", mutatedManifests],
  ])("%s", (_what, documents) => {
    let compared = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const comparison = compareRewritten(text, isKnown);
        if (!isSameYaml(comparison)) expect(titles).toContain(explanation(comparison));
        else if (isAccepted(comparison.ours)) compared++;
      }),
      { numRuns, seed },
    );
    // Runs that compare refusals only would prove little.
    expect(compared / numRuns).toBeGreaterThan(0.5);
  });
});

test.each(differences)("$title", ({ title, example }) => {
  const comparison = compareReaders(example);
  expect(isSameYaml(comparison)).toBe(false);
  expect(explanation(comparison)).toBe(title);
});

test.each(yamlRewrites)("$title", ({ example, rewrites }) => {
  expect(isSameYaml(compareReaders(example))).toBe(false);
  expect(rewrites(example).some((libraryText) => isSameYaml(compareReaders(example, libraryText)))).toBe(
    true,
  );
});

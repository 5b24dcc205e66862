import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { parseGroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, releaseBefore } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { checkCommand } from "../../src/cli/check-command.ts";
import { convertCommand } from "../../src/cli/convert-command.ts";
import { encodeYaml, parseYaml } from "../../src/codec/yaml/yaml.ts";
import { outcomeOf } from "../cli/command-outcome.ts";
import { minimalObject } from "../registry/minimal-objects.ts";
import { quietCluster, testClient } from "../registry/test-client.ts";
import { objectsOfRemovedApis, removedApis } from "./removed-apis.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-removed-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const resourceOf = (release: Release, apiVersion: string, resource: string) =>
  catalogOf({ release }).resource({
    ...(parseGroupVersion(apiVersion) ?? { group: "", version: "" }),
    resource,
  });

/** A manifest as the last release that serves the old version accepts it. */
function manifestOf(release: Release, old: string, resource: string, name: string): string {
  const entry = resourceOf(releaseBefore(release), old, resource);
  const object = entry && (objectsOfRemovedApis[resource] ?? minimalObject(entry, name));
  if (entry === undefined || object === undefined) throw new Error(`there is no object of ${resource}`);
  return `# ${name}\n${encodeYaml(JSON.parse(JSON.stringify({ apiVersion: old, kind: entry.kind, ...object })))}`;
}

const path = join(directory, "manifest.yaml");

test("each row of the table of removed APIs: check finds it, and convert makes what the release accepts", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const problems: unknown[] = [];
  for (const [index, { release, resource, old, replacement }] of removedApis.entries()) {
    writeFileSync(path, manifestOf(release, old, resource, `row-${index}`));
    const args = ["-f", path, "--release", release];
    const found = await outcomeOf(checkCommand, args);
    if (found.status !== 1 || (replacement !== undefined && !found.out.includes(replacement)))
      problems.push([old, resource, found]);
    if (replacement === undefined) continue;
    const { status, out } = await outcomeOf(convertCommand, ["-f", path, "--output-version", replacement]);
    const converted = parseYaml(out);
    if (status !== 0 || !out.startsWith("# ")) problems.push([old, resource, status, out]);
    expect(converted).toMatchObject({ apiVersion: replacement });
    writeFileSync(path, out);
    const clean = await outcomeOf(checkCommand, args);
    if (clean.status !== 0) problems.push([replacement, resource, clean]);
    const entry = resourceOf(release, replacement, resource);
    await using cluster = quietCluster({ release });
    const namespace = entry?.namespaced ? "/namespaces/default" : "";
    const query = "?dryRun=All&fieldValidation=Strict";
    const collection = `/apis/${replacement}${namespace}/${resource}${query}`;
    const { code, findings } = await testClient(cluster)("POST", collection, Object(converted));
    if (code !== 201) problems.push([replacement, resource, code, findings]);
  }
  expect(problems).toEqual([]);
}, 60_000);
